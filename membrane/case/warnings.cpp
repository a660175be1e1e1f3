#include "membrane/case/case_reader.hpp"
#include "membrane/case/setup_checks.hpp"
#include "run/case/values.hpp"
#include "structure/fluids/flow_case.hpp"
#include "structure/surfaces/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace corral::membrane {

using namespace structure;

namespace {

using run::brief;
using Warnings = std::vector<std::string>;

double coarsest(const MembraneSetup& setup) {
  double h = 0;
  for (std::size_t d = 0; d < 3; ++d)
    if (setup.cells[d] > 1) h = std::max(h, setup.size[d] / static_cast<double>(setup.cells[d]));
  return h;
}

/// Forces leak through a surface whose points lie too far apart for the grid; the other way round they cost time, and
/// over many turns creases finer than a cell gather.
void warn_of_spacing(const MembraneSetup& setup, Warnings& warnings) {
  for (const SurfaceModel& kind : setup.surfaces) {
    const bool radial = kind.representation == Representation::radial;
    const auto points = static_cast<double>(radial ? kind.sites : marker_count(kind));
    const double apart = std::sqrt(2 * shape_area(kind) / std::sqrt(3.0) / points), cells = apart / coarsest(setup);
    if (cells > 1)
      warnings.push_back("points of [surface." + kind.name + "] lie " + brief(cells) +
                         " cells apart (half a cell to one keep the fluid from passing between them)");
    if (cells < 0.4)
      warnings.push_back("points of [surface." + kind.name + "] lie " + brief(cells) +
                         " cells apart (half a cell to one: closer ones cost time, and membranes that turn for long crease "
                         "below what the grid sees)");
  }
}

/// Of viscosities, that were compared with theory.
constexpr double least_ratio = 0.1, most_ratio = 20;

void warn_of_ratios(const MembraneSetup& setup, Warnings& warnings) {
  for (const SurfaceModel& kind : setup.surfaces)
    if (const double ratio = kind.viscosity_ratio.value_or(1); ratio < least_ratio || ratio > most_ratio)
      warnings.push_back("viscosity_ratio of [surface." + kind.name + "] is " + brief(ratio) + " (" + brief(least_ratio) + " to " +
                         brief(most_ratio) + " were tried: steps take more iterations beyond, and what is smeared counts for more)");
}

/// Of the membrane's viscosity over that of the fluid times the radius, that was compared with theory.
constexpr double most_boussinesq = 100;

void warn_of_membrane_viscosities(const MembraneSetup& setup, Warnings& warnings) {
  for (const SurfaceModel& kind : setup.surfaces) {
    const double most = std::max(kind.material.shear_viscosity, kind.material.dilatation_viscosity);
    if (const double number = most / (setup.fluid.mu * effective_radius(kind)); number > most_boussinesq)
      warnings.push_back("[surface." + kind.name + "] is " + brief(number) + " times as viscous as the fluid times its radius (0 to " +
                         brief(most_boussinesq) + " were tried: steps take more iterations beyond)");
  }
}

/// Collocated forces need the surface between its data sites; where that is hardly sampled, shapes change unfelt.
void warn_of_sites(const MembraneSetup& setup, Warnings& warnings) {
  constexpr double enough = 8;
  for (const SurfaceModel& kind : setup.surfaces) {
    if (kind.representation != Representation::radial || kind.forces != RadialForces::collocated) continue;
    const double share = static_cast<double>(kind.sites) / static_cast<double>(marker_count(kind));
    if (share < enough)
      warnings.push_back("[surface." + kind.name + "] has " + brief(share) +
                         " sites to a vertex (collocated forces are steady from eight on, better ten; variational ones from "
                         "four)");
  }
}

void warn_of_resolution(const MembraneSetup& setup, Warnings& warnings) {
  for (const SurfaceModel& kind : setup.surfaces) {
    const double radius = effective_radius(kind);
    if (radius < 3.999 * coarsest(setup))
      warnings.push_back("[surface." + kind.name + "] is " + brief(2 * radius / coarsest(setup)) +
                         " cells across (8 and more resolve its flow)");
  }
}

void warn_of_drift(const MembraneSetup& setup, Warnings& warnings) {
  if (!setup.surfaces.empty() && !setup.coupling.kernel.starts_with("composite"))
    warnings.push_back("coupling.kernel = " + setup.coupling.kernel +
                       ": membranes lose or gain volume with kernels that are not composite");
  if (!setup.surfaces.empty() && setup.coupling.kernel == "nearest")
    warnings.push_back("coupling.kernel = nearest: it jumps from point to point, and gives membranes energy");
}

void warn_of_pressure(const MembraneSetup& setup, Warnings& warnings) {
  constexpr double much = 2e-3;
  for (const SurfaceModel& kind : setup.surfaces)
    if (const double yields = yields_to_tension(setup, kind); setup.lattice() && yields > much)
      warnings.push_back("the tension of [surface." + kind.name + "] presses the fluid inside together by " + brief(100 * yields) +
                         " % (a shorter time.dt makes it less)");
}

/// Keys that the equations of this box have no place for.
void warn_of_drives_without_effect(const MembraneSetup& setup, Warnings& warnings) {
  const auto any = [](const std::array<double, 3>& v) { return v != std::array<double, 3>{}; };
  if (any(setup.drive.body_force) && !setup.walls() && !setup.fluid.inertia)
    warnings.push_back("drive.body_force has no effect in Stokes flow in a periodic box, which balances it");
  if (any(setup.drive.velocity) && setup.walls() && !setup.fluid.inertia)
    warnings.push_back("drive.velocity has no effect in Stokes flow between walls: flow there follows the forces at once");
}

void warn_of_a_box_that_runs_away(const MembraneSetup& setup, Warnings& warnings) {
  if (setup.walls() || setup.drive.keeps_mean) return;
  const bool pushed = std::any_of(setup.drive.body_force.begin(), setup.drive.body_force.end(),
                                  [](double f) { return f != 0; });
  const bool held = std::any_of(setup.surfaces.begin(), setup.surfaces.end(),
                                [](const SurfaceModel& s) { return s.material.tether_stiffness > 0; });
  if (pushed && !held && setup.fluid.inertia)
    warnings.push_back("drive.body_force in a periodic box, and nothing holds the fluid: it accelerates for ever");
}

} // namespace

double yields_to_tension(const MembraneSetup& setup, const SurfaceModel& kind) {
  const double h = setup.size[0] / static_cast<double>(setup.cells[0]), steps = setup.time.dt / h;
  return 2 * kind.material.tension / effective_radius(kind) * 3 * steps * steps / setup.fluid.rho;
}

std::vector<std::string> warnings(const MembraneSetup& setup) {
  Warnings warnings = flow_warnings(setup, setup.time.dt);
  warn_of_spacing(setup, warnings);
  warn_of_resolution(setup, warnings);
  warn_of_sites(setup, warnings);
  warn_of_ratios(setup, warnings);
  warn_of_membrane_viscosities(setup, warnings);
  warn_of_drift(setup, warnings);
  warn_of_pressure(setup, warnings);
  warn_of_drives_without_effect(setup, warnings);
  warn_of_a_box_that_runs_away(setup, warnings);
  if (setup.groups.empty()) warnings.push_back("there are no membranes (a [membranes.NAME] block puts some)");
  return warnings;
}

} // namespace corral::membrane
