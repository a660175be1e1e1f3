#pragma once

#include "app/insitu/corral_insitu.h"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace corral::insitu {

/// The names under which a script finds what is called `name`. What corral writes as fields.pvd is opened under that
/// name in ParaView: so a script that the client exports finds it.
inline std::vector<std::string> channels_of(const std::string& name) { return {name, name + ".pvd"}; }

/// Variables of the environment for a script, before Python is started: where its results belong (CORRAL_INSITU_DIR), the
/// title of the case (CORRAL_INSITU_TITLE), and the folder of the plug-in, where corral_view.py lies, for what it imports.
void tell_script(const corral_insitu_request& request);

/// Does `work`. No exception leaves a plug-in: what it says becomes the sentence `why`, and the answer is `failed`.
template <class Work> auto attempt(char* why, decltype(std::declval<Work>()()) failed, const Work& work) {
  try {
    return work();
  } catch (const std::exception& e) {
    std::snprintf(why, CORRAL_INSITU_SENTENCE, "%s", e.what());
  } catch (...) {
    std::snprintf(why, CORRAL_INSITU_SENTENCE, "an exception of unknown kind");
  }
  return failed;
}

/// A plug-in whose scripts are objects with `bool wants(double time, std::int64_t step)` and
/// `void show(const corral_insitu_state&)`, made by `new_script`; what these throw is said. `finish` throws nothing.
template <class Script, Script* (*new_script)(const corral_insitu_request&)>
constexpr corral_insitu_plugin plugin_of(const char* name, void (*finish)()) {
  corral_insitu_plugin plugin{CORRAL_INSITU_VERSION, sizeof(corral_insitu_plugin), name, {}, {}, {}, {}, finish};
  plugin.open = [](const corral_insitu_request* request, char* why) {
    return attempt(why, static_cast<void*>(nullptr), [&]() -> void* {
      if (request->size != sizeof *request) throw std::runtime_error("the request is of another version");
      return new_script(*request);
    });
  };
  plugin.wants = [](void* script, double time, std::int64_t step, char* why) {
    return attempt(why, -1, [&] { return static_cast<Script*>(script)->wants(time, step) ? 1 : 0; });
  };
  plugin.show = [](void* script, const corral_insitu_state* state, char* why) {
    return attempt(why, -1, [&] {
      if (state->size != sizeof *state) throw std::runtime_error("the state is of another version");
      static_cast<Script*>(script)->show(*state);
      return 0;
    });
  };
  plugin.close = [](void* script) { delete static_cast<Script*>(script); };
  return plugin;
}

/// Whether all components lie at the cells' centres: then the field is cell data as it is.
bool at_centres(const corral_insitu_field& field);

/// How many values component c has.
std::int64_t points_of(const corral_insitu_field& field, int c);

/// Cells [begin, end) along each axis, of those that the process has.
struct Cells {
  std::int64_t begin[3], end[3];

  std::int64_t along(int d) const { return end[d] - begin[d]; }
  std::int64_t count() const { return along(0) * along(1) * along(2); }
  bool operator==(const Cells&) const = default;
};
/// That are the process's own.
Cells own_cells(const corral_insitu_mesh& mesh);
/// With one layer of others' around them, as far as the whole goes: what lies between cells, such as a contour, then has no seam where
/// processes meet. None where the process has no own cells.
Cells cells_with_neighbours(const corral_insitu_mesh& mesh);

/// Where values of component c, which lie at the centres, of these cells begin, if they stand in the run's memory one behind the other;
/// a null pointer if not.
const double* in_place(const corral_insitu_field& field, int c, const Cells& cells);

/// Values of these cells, of a field on faces or nodes the means of its points over the cell, into out[cells * components]: x fastest,
/// the components of a cell side by side. The upper face of a periodic axis' last cell is the first cell's lower one.
void cell_values(const corral_insitu_field& field, const Cells& cells, double* out);

} // namespace corral::insitu
