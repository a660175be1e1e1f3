#include "membrane/case/membrane_case.hpp"

#include "membrane/case/memory.hpp"
#include "membrane/step/stable_step.hpp"
#include "run/case/values.hpp"
#include "structure/fluids/flow_case.hpp"
#include "structure/surfaces/shapes.hpp"

#include <cmath>

namespace corral::membrane {

using namespace structure;
using run::formatted;

namespace {

long long whole(std::int64_t n) { return n; }

} // namespace

std::vector<std::string> describe(const MembraneSetup& setup) {
  std::vector<std::string> lines;
  const Grid g = setup.make_grid();
  lines.push_back(formatted("box       %g x %g x %g m, %lld x %lld x %lld cells of %g x %g x %g m, %s", setup.size[0],
                            setup.size[1], setup.size[2], whole(setup.cells[0]), whole(setup.cells[1]),
                            whole(setup.cells[2]), g.axis(0).spacing, g.axis(1).spacing, g.axis(2).spacing,
                            setup.walls() ? "walls along y" : "periodic"));
  for (std::string& line : describe_flow(setup, setup.time.dt)) lines.push_back(std::move(line));
  for (const SurfaceModel& kind : setup.surfaces) {
    const auto markers = static_cast<double>(marker_count(kind));
    const double apart = std::sqrt(2 * shape_area(kind) / std::sqrt(3.0) / markers);
    lines.push_back(formatted("surface   %.100s: %lld %s, %g m apart, volume %g m3, area %g m2", kind.name.c_str(),
                              whole(marker_count(kind)),
                              kind.representation == Representation::radial ? "data sites" : "vertices", apart,
                              shape_volume(kind), shape_area(kind)));
    if (const Material& m = kind.material; m.viscous()) {
      const double mu_a = setup.fluid.mu * effective_radius(kind);
      lines.push_back(formatted("          viscous itself, %.4g and %.4g (growth of area) times viscosity times radius of the fluid: "
                                "found together with the flow, at any step",
                                m.shear_viscosity / mu_a, m.dilatation_viscosity / mu_a));
    }
  }
  lines.push_back(formatted("membranes %.0f with %.0f markers", membranes_needed(setup), markers_needed(setup)));
  lines.push_back(formatted("memory    about %.0f MB", memory_needed(setup).total() / 1e6));
  const StableStep stable = StepBounds(setup).at_start();
  lines.push_back(formatted("time step %g s%s; %s", setup.time.dt, setup.time.adaptive ? " at most, adaptive" : "",
                            std::isfinite(stable.dt)
                                ? formatted("%g s would be stable, because of %.150s", stable.dt, stable.cause.c_str()).c_str()
                                : "nothing is stiff"));
  for (const std::string& warning : setup.warnings) lines.push_back("warning   " + warning);
  return lines;
}

} // namespace corral::membrane
