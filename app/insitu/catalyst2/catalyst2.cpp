#include "app/insitu/corral_insitu.h"
#include "app/insitu/shared/plugin.hpp"

#include <catalyst.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

// The plug-in on Catalyst 2. Whatever implementation libcatalyst loads (ParaView's, Ascent's, one's own) is handed the
// state as a tree of Conduit, in the words of the Mesh Blueprint and of ParaView's protocols `initialize` and `execute`.
// Results of the implementation are not asked for: they would steer the run, which nobody who watches it may do.
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

// A state in the words of Conduit's Mesh Blueprint. Nodes point to the run's own memory, and to values of cells and
// places of points that are kept here: good until the next call, or until the run goes on.
class Blueprint {
public:
  // A uniform grid of this process's cells, its fields as element fields: those at the centres as they are, others as means over the cells.
  void describe(const corral_insitu_mesh& mesh, conduit_node* node);
  // Points with a place for each, columns as vertex fields; triangles where the set has any, with what stands on them as
  // element fields, otherwise an element for each point: ParaView before 6.0 does not know the topology `points`.
  void describe(const corral_insitu_set& set, conduit_node* node);

private:
  void describe_field(const corral_insitu_mesh& mesh, const corral_insitu_field& field, conduit_node* node);
  conduit_int64* first_places(std::int64_t count);

  std::map<std::string, std::vector<double>> made_; // values of each field that has none in place, components side by side
  std::vector<conduit_int64> places_;                // 0, 1, 2, ...: the same in every call
};

void Blueprint::describe(const corral_insitu_mesh& m, conduit_node* node) {
  begin_topology(node, "uniform", "uniform");
  const std::string coords = "coordsets/coords/";
  const insitu::Cells own = insitu::own_cells(m);
  for (int d = 0; d < 3; ++d) {
    const std::int64_t first = m.first[d] + own.begin[d];
    conduit_node_set_path_int64(node, (coords + "dims/" + "ijk"[d]).c_str(), own.along(d) + 1);
    conduit_node_set_path_float64(node, component(coords + "origin", d).c_str(), m.origin[d] + static_cast<double>(first) * m.spacing[d]);
    conduit_node_set_path_float64(node, (coords + "spacing/d" + "xyz"[d]).c_str(), m.spacing[d]);
  }
  for (std::int64_t i = 0; i < m.field_count; ++i) describe_field(m, m.fields[i], node);
}

void Blueprint::describe_field(const corral_insitu_mesh& m, const corral_insitu_field& f, conduit_node* node) {
  const insitu::Cells own = insitu::own_cells(m);
  const double* data[3] = {};
  std::int64_t stride = 1;
  if (insitu::at_centres(f))
    for (int c = 0; c < f.components; ++c) data[c] = insitu::in_place(f, c, own);
  if (!data[0]) {
    std::vector<double>& made = made_[f.name];
    made.resize(static_cast<std::size_t>(own.count() * f.components));
    insitu::cell_values(f, own, made.data());
    for (int c = 0; c < f.components; ++c) data[c] = made.data() + c;
    stride = f.components;
  }
  const std::string values = begin_field(node, f.name, "element");
  for (int c = 0; c < f.components; ++c)
    lend_reals(node, f.components == 1 ? values : component(values, c), data[c], own.count(), stride);
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

class Node {
public:
  Node() : node_(conduit_node_create()) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node() { conduit_node_destroy(node_); }
  conduit_node* get() const { return node_; }

private:
  conduit_node* node_;
};

void demand(catalyst_status status, const std::string& call) {
  if (status == catalyst_status_error_not_found)
    throw std::runtime_error("libcatalyst finds no implementation of the name that CATALYST_IMPLEMENTATION_NAME gives "
                             "(CATALYST_IMPLEMENTATION_PATHS says where to look)");
  if (status != catalyst_status_ok)
    throw std::runtime_error(call + " answers with status " + std::to_string(static_cast<int>(status)) +
                             " (standard error may say why)");
}

// The implementation that comes with libcatalyst does nothing but write its trees to files, where it is told to.
void refuse_stub() {
  const Node about;
  demand(catalyst_about(about.get()), "catalyst_about");
  const char* path = "catalyst/implementation";
  if (!conduit_node_has_path(about.get(), path) || std::getenv("CATALYST_DATA_DUMP_DIRECTORY")) return;
  if (conduit_node_fetch_path_as_char8_str(about.get(), path) == std::string("stub"))
    throw std::runtime_error("libcatalyst has loaded no implementation, so that nothing would be seen "
                             "(CATALYST_IMPLEMENTATION_NAME names one, such as paraview)");
}

// Catalyst in this process; there is one, which cannot be started again, and whose scripts are all run in each call.
class Catalyst {
public:
  Catalyst(const char* script, const corral_insitu_processes& processes) {
    static bool had = false;
    if (had) throw std::runtime_error("Catalyst 2 takes one script a run, and has had it (one script can import others)");
    had = true;
    const Node parameters;
    conduit_node_set_path_char8_str(parameters.get(), "catalyst/scripts/script", script);
    if (processes.count > 1) conduit_node_set_path_int64(parameters.get(), "catalyst/mpi_comm", processes.communicator);
    demand(catalyst_initialize(parameters.get()), "catalyst_initialize");
  }
  Catalyst(const Catalyst&) = delete;
  Catalyst& operator=(const Catalyst&) = delete;
  ~Catalyst() {
    try {
      const Node parameters;
      catalyst_finalize(parameters.get());
    } catch (...) { // nobody is left who could be told
    }
  }
};

class OnlyScript {
public:
  explicit OnlyScript(const corral_insitu_request& request) : catalyst_(request.script, request.processes) { refuse_stub(); }

  // Catalyst 2 has no such question: triggers of the script decide when it is shown something.
  bool wants(double, std::int64_t) { return true; }

  void show(const corral_insitu_state& state) {
    const Node parameters;
    conduit_node_set_path_int64(parameters.get(), "catalyst/state/timestep", state.step);
    conduit_node_set_path_float64(parameters.get(), "catalyst/state/time", state.time);
    std::vector<std::unique_ptr<Node>> data; // until the call returns
    const auto give = [&](const auto& described) {
      data.push_back(std::make_unique<Node>());
      blueprint_.describe(described, data.back()->get());
      for (const std::string& name : insitu::channels_of(described.name)) {
        const std::string channel = "catalyst/channels/" + name;
        conduit_node_set_path_char8_str(parameters.get(), (channel + "/type").c_str(), "mesh");
        conduit_node_set_path_external_node(parameters.get(), (channel + "/data").c_str(), data.back()->get());
      }
    };
    give(state.mesh);
    for (std::int64_t i = 0; i < state.set_count; ++i) give(state.sets[i]);
    demand(catalyst_execute(parameters.get()), "catalyst_execute");
  }

private:
  Catalyst catalyst_;
  Blueprint blueprint_;
};

OnlyScript* new_script(const corral_insitu_request& request) {
  insitu::tell_script(request);
  return new OnlyScript(request);
}

constexpr corral_insitu_plugin plugin = insitu::plugin_of<OnlyScript, new_script>("Catalyst 2", [] {}); // it ends with its script

} // namespace
} // namespace corral::catalyst2

extern "C" __attribute__((visibility("default"))) const corral_insitu_plugin* corral_insitu_entry() {
  return &corral::catalyst2::plugin;
}
