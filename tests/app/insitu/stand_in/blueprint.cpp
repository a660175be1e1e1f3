#include "tests/app/insitu/stand_in/tree.hpp"

#include <stdexcept>
#include <vector>

namespace stand_in {

namespace {

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void demand(bool kept, const std::string& rule) {
  if (!kept) throw Broken(rule);
}

const Tree& need(const Tree& tree, const std::string& path, const std::string& where) {
  const Tree* found = tree.find(path);
  demand(found != nullptr, where + " has no " + path);
  return *found;
}

std::string text(const Tree& tree, const std::string& path, const std::string& where) {
  const Tree& found = need(tree, path, where);
  demand(found.type == Type::text, where + ": " + path + " is no text");
  return found.text;
}

bool is_number(const Tree& tree) { return tree.type != Type::none && tree.type != Type::text; }

// How many tuples there are: of one array of numbers, or of children of one type and length.
std::int64_t tuples(const Tree& values, const std::string& where) {
  if (values.children.empty()) {
    demand(is_number(values), where + " holds no numbers");
    return values.count;
  }
  const Tree& one = *values.children.begin()->second;
  for (const auto& [name, child] : values.children) {
    demand(is_number(*child) && child->type == one.type, where + ": components differ in type, or hold no numbers");
    demand(child->count == one.count, where + ": components differ in length");
  }
  return one.count;
}

struct Size {
  std::int64_t vertices, elements;
};

Size size_of_uniform(const Tree& coords) {
  Size size{1, 1};
  for (const char* axis : {"i", "j", "k"}) {
    const std::int64_t n = need(coords, std::string("dims/") + axis, "a uniform coordset").integer();
    demand(n > 1, "a uniform coordset: no cell along an axis");
    size.vertices *= n;
    size.elements *= n - 1;
  }
  for (const char* axis : {"x", "y", "z"}) {
    need(coords, std::string("origin/") + axis, "a uniform coordset").real();
    demand(need(coords, std::string("spacing/d") + axis, "a uniform coordset").real() > 0, "a spacing is not positive");
  }
  return size;
}

Size size_of_unstructured(const Tree& coords, const Tree& topology) {
  const Tree& places = need(coords, "values", "an explicit coordset");
  for (const char* axis : {"x", "y", "z"}) need(places, axis, "an explicit coordset");
  const std::int64_t vertices = tuples(places, "an explicit coordset");
  const std::string shape = text(topology, "elements/shape", "a topology");
  demand(shape == "tri" || shape == "point", "a topology: no shape is called " + shape);
  const Tree& corners = need(topology, "elements/connectivity", "a topology");
  const std::int64_t per_element = shape == "tri" ? 3 : 1;
  demand(corners.count % per_element == 0, "connectivity ends within an element");
  for (std::int64_t i = 0; i < corners.count; ++i)
    demand(corners.integer(i) >= 0 && corners.integer(i) < vertices, "connectivity leads to no vertex");
  return {vertices, corners.count / per_element};
}

void check_mesh(const Tree& mesh) {
  const Tree& topology = need(mesh, "topologies/mesh", "a mesh");
  const std::string type = text(topology, "type", "a topology");
  const Tree& coords = need(mesh, "coordsets/" + text(topology, "coordset", "a topology"), "a mesh");
  const std::string coords_type = text(coords, "type", "a coordset");
  const bool uniform = type == "uniform" && coords_type == "uniform";
  demand(uniform || (type == "unstructured" && coords_type == "explicit"), "no topology " + type + " on " + coords_type);
  const Size size = uniform ? size_of_uniform(coords) : size_of_unstructured(coords, topology);
  const Tree* fields = mesh.find("fields");
  if (!fields) return;
  for (const auto& [name, field] : fields->children) {
    const std::string where = "field " + name, association = text(*field, "association", where);
    demand(text(*field, "topology", where) == "mesh", where + " is of no topology");
    demand(association == "vertex" || association == "element", where + " stands neither on vertices nor on elements");
    const std::int64_t expected = association == "vertex" ? size.vertices : size.elements;
    demand(tuples(need(*field, "values", where), where) == expected, where + " has not one value for each");
  }
}

void check_call(const Tree& parameters) {
  need(parameters, "catalyst/state/timestep", "the call").integer();
  need(parameters, "catalyst/state/time", "the call").real();
  for (const auto& [name, channel] : need(parameters, "catalyst/channels", "the call").children) {
    demand(text(*channel, "type", "channel " + name) == "mesh", "channel " + name + " is no mesh");
    check_mesh(need(*channel, "data", "channel " + name));
  }
}

template <class Check> std::string complaint(const Check& check) {
  try {
    check();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

} // namespace

std::string complaint_about_mesh(const Tree& mesh) {
  return complaint([&] { check_mesh(mesh); });
}

std::string complaint_about_call(const Tree& parameters) {
  return complaint([&] { check_call(parameters); });
}

} // namespace stand_in
