#include "tests/app/insitu/stand_in/tree.hpp"

#include "tests/app/insitu/stand_in/catalyst.h"

#include <cstring>
#include <stdexcept>

namespace stand_in {

namespace {

std::string first(const std::string& path) { return path.substr(0, path.find('/')); }
std::string rest(const std::string& path) {
  return path.find('/') == std::string::npos ? "" : path.substr(path.find('/') + 1);
}

template <class T> T value_of(const Tree& tree, std::int64_t i) {
  if (i < 0 || i >= tree.count) throw std::out_of_range("a value beyond the end");
  T value{};
  std::memcpy(&value, static_cast<const char*>(tree.data) + i * tree.stride, sizeof value);
  return value;
}

Tree& of(conduit_node* node) { return *static_cast<Tree*>(node); }

template <class T> void own(Tree& tree, Type type, T value) {
  tree = {};
  tree.type = type;
  std::memcpy(&tree.own, &value, sizeof value);
  tree.data = &tree.own;
  tree.count = 1;
  tree.stride = sizeof value;
}

void lend(Tree& tree, Type type, void* data, std::int64_t count, std::int64_t offset, std::int64_t stride) {
  tree = {};
  tree.type = type;
  tree.data = static_cast<char*>(data) + offset;
  tree.external = true;
  tree.count = count;
  tree.stride = stride;
}

} // namespace

Tree& Tree::at(const std::string& path) {
  if (path.empty()) return *this;
  std::shared_ptr<Tree>& child = children[first(path)];
  if (!child) child = std::make_shared<Tree>();
  return child->at(rest(path));
}

const Tree* Tree::find(const std::string& path) const {
  if (path.empty()) return this;
  const auto child = children.find(first(path));
  return child == children.end() ? nullptr : child->second->find(rest(path));
}

std::int64_t Tree::integer(std::int64_t i) const {
  if (type == Type::int32) return value_of<conduit_int32>(*this, i);
  if (type != Type::int64 && type != Type::uint64) throw std::domain_error("these values are no integers");
  return value_of<std::int64_t>(*this, i);
}

double Tree::real(std::int64_t i) const {
  if (type != Type::float64) throw std::domain_error("these values are not real");
  return value_of<double>(*this, i);
}

} // namespace stand_in

using namespace stand_in;

extern "C" {

conduit_node* conduit_node_create() { return new Tree; }
void conduit_node_destroy(conduit_node* node) { delete static_cast<Tree*>(node); }
int conduit_node_has_path(const conduit_node* node, const char* path) {
  return static_cast<const Tree*>(node)->find(path) != nullptr;
}
char* conduit_node_fetch_path_as_char8_str(conduit_node* node, const char* path) { return of(node).at(path).text.data(); }
void conduit_node_set_path_char8_str(conduit_node* node, const char* path, const char* value) {
  Tree& tree = of(node).at(path);
  tree = {};
  tree.type = Type::text;
  tree.text = value;
}
void conduit_node_set_path_int64(conduit_node* node, const char* path, conduit_int64 value) {
  own(of(node).at(path), Type::int64, value);
}
void conduit_node_set_path_float64(conduit_node* node, const char* path, conduit_float64 value) {
  own(of(node).at(path), Type::float64, value);
}
// The other's children are these, too, as long as the other lives.
void conduit_node_set_path_external_node(conduit_node* node, const char* path, conduit_node* other) {
  of(node).at(path).children = of(other).children;
}
void conduit_node_set_path_external_int32_ptr(conduit_node* node, const char* path, conduit_int32* data,
                                              conduit_index_t count) {
  lend(of(node).at(path), Type::int32, data, count, 0, sizeof *data);
}
void conduit_node_set_path_external_int64_ptr(conduit_node* node, const char* path, conduit_int64* data,
                                              conduit_index_t count) {
  lend(of(node).at(path), Type::int64, data, count, 0, sizeof *data);
}
void conduit_node_set_path_external_float64_ptr_detailed(conduit_node* node, const char* path, conduit_float64* data,
                                                         conduit_index_t count, conduit_index_t offset,
                                                         conduit_index_t stride, conduit_index_t, conduit_index_t) {
  lend(of(node).at(path), Type::float64, data, count, offset, stride);
}
void conduit_node_set_path_external_int32_ptr_detailed(conduit_node* node, const char* path, conduit_int32* data,
                                                       conduit_index_t count, conduit_index_t offset,
                                                       conduit_index_t stride, conduit_index_t, conduit_index_t) {
  lend(of(node).at(path), Type::int32, data, count, offset, stride);
}
void conduit_node_set_path_external_uint64_ptr_detailed(conduit_node* node, const char* path, conduit_uint64* data,
                                                        conduit_index_t count, conduit_index_t offset,
                                                        conduit_index_t stride, conduit_index_t, conduit_index_t) {
  lend(of(node).at(path), Type::uint64, data, count, offset, stride);
}
}
