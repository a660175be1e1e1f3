#include "app/insitu/catalyst2/blueprint.hpp"
#include "app/insitu/shared/plugin.hpp"

#include <catalyst.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// The plug-in on Catalyst 2. Whatever implementation libcatalyst loads (ParaView's, Ascent's, one's own) is handed the
// state as a tree of Conduit, in the words of the Mesh Blueprint and of ParaView's protocols `initialize` and `execute`.
// Results of the implementation are not asked for: they would steer the run, which nobody who watches it may do.
namespace corral::catalyst2 {

namespace {

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
  explicit Catalyst(const char* script) {
    static bool had = false;
    if (had) throw std::runtime_error("Catalyst 2 takes one script a run, and has had it (one script can import others)");
    had = true;
    const Node parameters;
    conduit_node_set_path_char8_str(parameters.get(), "catalyst/scripts/script", script);
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
  explicit OnlyScript(const corral_insitu_request& request) : catalyst_(request.script) { refuse_stub(); }

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

constexpr corral_insitu_plugin plugin = insitu::plugin_of<OnlyScript, new_script>("Catalyst 2");

} // namespace

} // namespace corral::catalyst2

extern "C" __attribute__((visibility("default"))) const corral_insitu_plugin* corral_insitu_entry() {
  return &corral::catalyst2::plugin;
}
