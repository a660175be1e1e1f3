#include "app/insitu/catalyst2/blueprint.hpp"

#include "app/insitu/shared/plugin.hpp"

#include <numeric>

namespace corral::catalyst2 {

namespace {

// Conduit takes no pointers to const, and changes nothing that they point to.
template <class T> T* writable(const void* data) { return const_cast<T*>(static_cast<const T*>(data)); }

void set(conduit_node* node, const std::string& path, const char* text) {
  conduit_node_set_path_char8_str(node, path.c_str(), text);
}

// Number i of `count` stands at data[i * stride]. None is copied.
void lend_reals(conduit_node* node, const std::string& path, const void* data, std::int64_t count,
                std::int64_t stride) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(conduit_float64));
  conduit_node_set_path_external_float64_ptr_detailed(node, path.c_str(), writable<conduit_float64>(data), count, 0,
                                                      stride * size, size, CONDUIT_ENDIANNESS_DEFAULT_ID);
}

void lend_ids(conduit_node* node, const std::string& path, const void* data, std::int64_t count, std::int64_t stride) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(conduit_uint64));
  conduit_node_set_path_external_uint64_ptr_detailed(node, path.c_str(), writable<conduit_uint64>(data), count, 0,
                                                     stride * size, size, CONDUIT_ENDIANNESS_DEFAULT_ID);
}

void lend_integers(conduit_node* node, const std::string& path, const void* data, std::int64_t count, std::int64_t stride) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(conduit_int32));
  conduit_node_set_path_external_int32_ptr_detailed(node, path.c_str(), writable<conduit_int32>(data), count, 0,
                                                    stride * size, size, CONDUIT_ENDIANNESS_DEFAULT_ID);
}

std::string component(const std::string& path, int c) { return path + "/" + "xyz"[c]; }

// A vector's components become children of `path`.
void lend(conduit_node* node, const std::string& path, const corral_insitu_column& column) {
  const auto lend_one = column.type == CORRAL_INSITU_ID        ? lend_ids
                        : column.type == CORRAL_INSITU_INTEGER ? lend_integers
                                                               : lend_reals;
  for (int c = 0; c < column.components; ++c)
    lend_one(node, column.components == 1 ? path : component(path, c), column.data[c], column.count, column.stride);
}

// The path of the field's values.
std::string begin_field(conduit_node* node, const char* name, const char* association) {
  const std::string field = std::string("fields/") + name;
  set(node, field + "/association", association);
  set(node, field + "/topology", "mesh");
  set(node, field + "/volume_dependent", "false");
  return field + "/values";
}

void begin_topology(conduit_node* node, const char* coordset, const char* topology) {
  set(node, "coordsets/coords/type", coordset);
  set(node, "topologies/mesh/type", topology);
  set(node, "topologies/mesh/coordset", "coords");
}

} // namespace

void Blueprint::describe(const corral_insitu_mesh& m, conduit_node* node) {
  begin_topology(node, "uniform", "uniform");
  const std::string coords = "coordsets/coords/";
  for (int d = 0; d < 3; ++d) {
    conduit_node_set_path_int64(node, (coords + "dims/" + "ijk"[d]).c_str(), m.cells[d] + 1);
    conduit_node_set_path_float64(node, component(coords + "origin", d).c_str(), m.origin[d]);
    conduit_node_set_path_float64(node, (coords + "spacing/d" + "xyz"[d]).c_str(), m.spacing[d]);
  }
  for (std::int64_t i = 0; i < m.field_count; ++i) describe_field(m, m.fields[i], node);
}

void Blueprint::describe_field(const corral_insitu_mesh& m, const corral_insitu_field& f, conduit_node* node) {
  const std::int64_t cells = m.cells[0] * m.cells[1] * m.cells[2];
  const double* data[] = {f.data[0], f.data[1], f.data[2]};
  std::int64_t stride = 1;
  if (!insitu::at_centres(f)) {
    std::vector<double>& means = means_[f.name];
    means.resize(static_cast<std::size_t>(cells * f.components));
    insitu::cell_means(f, m.cells, means.data());
    for (int c = 0; c < f.components; ++c) data[c] = means.data() + c;
    stride = f.components;
  }
  const std::string values = begin_field(node, f.name, "element");
  for (int c = 0; c < f.components; ++c)
    lend_reals(node, f.components == 1 ? values : component(values, c), data[c], cells, stride);
}

void Blueprint::describe(const corral_insitu_set& s, conduit_node* node) {
  begin_topology(node, "explicit", "unstructured");
  lend(node, "coordsets/coords/values", s.position);
  const char* corners = "topologies/mesh/elements/connectivity";
  set(node, "topologies/mesh/elements/shape", s.triangles ? "tri" : "point");
  if (s.triangles)
    conduit_node_set_path_external_int32_ptr(node, corners, writable<conduit_int32>(s.triangles), 3 * s.triangle_count);
  else
    conduit_node_set_path_external_int64_ptr(node, corners, first_places(s.count), s.count);
  for (std::int64_t i = 0; i < s.column_count; ++i)
    lend(node, begin_field(node, s.columns[i].name, "vertex"), s.columns[i]);
  for (std::int64_t i = 0; i < s.on_triangles_count; ++i)
    lend(node, begin_field(node, s.on_triangles[i].name, "element"), s.on_triangles[i]);
}

conduit_int64* Blueprint::first_places(std::int64_t count) {
  const auto wanted = static_cast<std::size_t>(count);
  if (places_.size() < wanted) {
    places_.resize(wanted + wanted / 4);
    std::iota(places_.begin(), places_.end(), conduit_int64{0});
  }
  return places_.data();
}

} // namespace corral::catalyst2
