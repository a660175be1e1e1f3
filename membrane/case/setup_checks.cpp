#include "membrane/case/setup_checks.hpp"

#include "membrane/case/memory.hpp"
#include "membrane/step/stable_step.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"
#include "run/limits.hpp"
#include "structure/fluids/flow_case.hpp"
#include "structure/placing/placing.hpp"
#include "structure/surfaces/shapes.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace corral::membrane {

using namespace structure;

namespace {

using run::brief, run::brief_below;

constexpr std::int64_t fewest_cells = 4;

class Numerics : run::Reader {
public:
  Numerics(const MembraneSetup& setup, const run::Settings& settings, run::Problems& problems)
      : Reader(settings, problems), setup_(setup) {}

  bool check() { return check_flow(setup_, setup_.time, s_, problems_) && (!setup_.lattice() || of_lattice()) && projection() && widths() && memory() && step() && speed(); }

private:
  bool of_lattice() {
    if (!setup_.groups.empty() && !check_transforms(setup_, s_, problems_)) return false; // of the share that they enclose
    for (const SurfaceModel& kind : setup_.surfaces)
      if (kind.viscosity_ratio)
        return refuse("surface." + kind.name, "viscosity_ratio", "viscosity_ratio of [surface." + kind.name +
                                                                     "] with fluid.method = lattice (which has one viscosity) leave "
                                                                     "it out, or choose spectral");
    if (setup_.coupling.scheme != Coupling::midpoint)
      return refuse("coupling", "scheme", "coupling.scheme = predictor with fluid.method = lattice (whose forces meet velocities in the "
                                          "middle of its steps) choose midpoint, or spectral");
    for (const SurfaceModel& kind : setup_.surfaces) {
      const double yields = yields_to_tension(setup_, kind);
      if (yields <= 0.1) continue;
      return refuse("surface." + kind.name, "tension", "the tension of [surface." + kind.name + "] presses the fluid inside together by " +
                                                           brief(100 * yields) + " % (a lattice fluid yields, with the speed of sound of "
                                                           "its cells and steps) set time.dt to " +
                                                           brief_below(std::sqrt(1e-3 / yields) * setup_.time.dt) + " s");
    }
    return true;
  }

  /// Where viscosity varies, or forces are found together with the velocity, pressure is found so, too.
  bool projection() {
    if (!setup_.walls() || setup_.fluid.projection == "exact") return true;
    const std::string with = "fluid.projection = " + setup_.fluid.projection + " with a surface.*.";
    if (setup_.viscosity_varies())
      return refuse("fluid", "projection", with + "viscosity_ratio (it is for one viscosity) choose exact, or leave the ratio out");
    if (setup_.membrane_viscosity() > 0)
      return refuse("fluid", "projection", with + "membrane_viscosity (what that resists with is found together with velocity and "
                                                  "pressure, which it parts) choose exact, or leave that viscosity out");
    return true;
  }

  /// Closed surfaces have three dimensions, and need cells along each.
  bool widths() {
    for (std::size_t d = 0; d < 3 && !setup_.groups.empty(); ++d)
      if (setup_.cells[d] < fewest_cells)
        return refuse("grid", "cells", std::to_string(setup_.cells[d]) + (setup_.cells[d] == 1 ? " cell" : " cells") +
                                           " along " + "xyz"[d] + " (membranes are closed surfaces, and kernels reach " +
                                           std::to_string(fewest_cells) + " cells far: there is no flow in a plane) take " +
                                           std::to_string(fewest_cells) + " at least, and 8 and more across a membrane");
    return true;
  }

  bool memory() {
    const MemoryNeeded needed = memory_needed(setup_);
    const std::string beyond = run::beyond_memory(needed.total());
    if (beyond.empty()) return true;
    double cells = 1;
    for (const std::int64_t n : setup_.cells) cells *= static_cast<double>(n);
    const std::string all = brief(cells) + " cells and " + brief(membranes_needed(setup_)) + " membranes of " +
                            brief(markers_needed(setup_)) + " markers " + beyond;
    // What takes most of it is blamed.
    const auto group = std::max_element(needed.groups.begin(), needed.groups.end());
    const auto surface = std::max_element(needed.surfaces.begin(), needed.surfaces.end());
    const double of_group = group == needed.groups.end() ? 0 : *group, of_surface = surface == needed.surfaces.end() ? 0 : *surface;
    if (needed.fluid >= std::max(of_group, of_surface)) return refuse("grid", "cells", all + "take fewer cells");
    if (of_surface >= of_group) {
      const SurfaceModel& kind = setup_.surfaces[static_cast<std::size_t>(surface - needed.surfaces.begin())];
      return refuse("surface." + kind.name, "sites", all + "take fewer sites in [surface." + kind.name + "]");
    }
    const ImmersedGroup& most = setup_.groups[static_cast<std::size_t>(group - needed.groups.begin())];
    const SurfaceModel& kind = setup_.surfaces[most.surface];
    const std::string block = "membranes." + most.name;
    if (most.arrangement == GroupArrangement::one || count_wanted(setup_, most) < 2)
      return refuse("surface." + kind.name, kind.shape == ShapeKind::file ? "file" : "vertices",
                    all + "take fewer vertices in [surface." + kind.name + "]");
    return refuse(block, most.arrangement == GroupArrangement::lattice ? "lattice"
                         : most.arrangement == GroupArrangement::table    ? "table"
                         : most.volume_fraction > 0                       ? "volume_fraction"
                                                                          : "count",
                  all + "take fewer in [" + block + "]");
  }

  bool step() {
    if (setup_.time.adaptive) return true;
    const StableStep stable = StepBounds(setup_).at_start();
    if (setup_.time.dt <= stable.dt) return true;
    return refuse("time", "dt", "time.dt is " + brief(setup_.time.dt) + " s, and a step is stable up to " +
                                    brief_below(stable.dt) + " s (" + stable.cause +
                                    ") take that, a coarser grid" + setup_.or_adaptive());
  }

  /// What drives the fluid says how fast it starts.
  bool speed() {
    const double crossed = setup_.time.dt * starting_rate(setup_);
    if (setup_.time.adaptive || crossed <= 2 * setup_.time.courant) return true;
    return refuse("time", "dt", "the fluid crosses " + brief(crossed) + " cells in time.dt = " + brief(setup_.time.dt) +
                                    " s as it starts (time.courant is " + brief(setup_.time.courant) + ") set time.dt to " +
                                    brief_below(setup_.time.courant / starting_rate(setup_)) +
                                    " s, look at [drive]" + setup_.or_adaptive(", or choose "));
  }

  const MembraneSetup& setup_;
};

} // namespace

void check_setup(MembraneSetup& setup, const run::Settings& settings, run::Problems& problems) {
  if (Numerics(setup, settings, problems).check()) check_membranes(setup, settings, problems);
}

} // namespace corral::membrane
