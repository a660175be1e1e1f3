#include "mppic/setup.hpp"

#include <cstdio>

namespace corral::mppic {
namespace {

using Warnings = std::vector<std::string>;

void warn_of_gaps(const Setup& setup, Warnings& warnings) {
  for (std::size_t d = 0; d < 3; ++d)
    if (setup.cells[d] == 2)
      warnings.push_back(std::string("2 cells along ") + "xyz"[d] +
                         ": a gap needs 3 cells at least to show a profile across it");
}

void warn_of_directions(const Setup& setup, Warnings& warnings) {
  const auto& g = setup.gravity;
  if (g[0] != 0 || g[1] != 0)
    warnings.push_back("gravity has a part across z: pressure_drop, floor_contact, wall_impulse, weight, centre_z and "
                       "height_99 of log.csv are along z all the same");
  for (std::size_t side = 0; side < 6 && setup.gas.solved; ++side)
    for (std::size_t d = 0; d < 3; ++d)
      if (setup.sides[side] == fluid::SideKind::outlet && d != side / 2 && g[d] != 0)
        warnings.push_back("the outlet " + std::string(fluid::side_names[side]) +
                           " runs along gravity, and its pressure is 0 at every height: gas will fall along it");
}

/// Viscous forces are explicit, in sub-steps; what goes beyond the most sub-steps is cut short.
void warn_of_viscosity(const Setup& setup, Warnings& warnings) {
  double rate = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double h = setup.size[d] / static_cast<double>(setup.cells[d]);
    if (setup.cells[d] > 1) rate += 2 * setup.gas.mu / (setup.gas.rho * h * h);
  }
  const double longest = fluid::MomentumForces::most_substeps / rate; // [s]
  if (!setup.gas.solved || !(setup.time.dt > longest)) return;
  char text[160];
  std::snprintf(text, sizeof text, "time.dt is %.3g s, and in steps beyond %.3g s the gas's viscosity acts too weakly",
                setup.time.dt, longest);
  warnings.push_back(text);
}

void warn_of_few_parcels(const Setup& setup, Warnings& warnings) {
  const Grid grid = setup.make_domain().grid();
  for (const Seed& seed : setup.seeds) {
    const std::int64_t parcels = seed_count(grid, seed.seeding);
    if (!seed.seeding.solids_fraction || parcels == 0) continue;
    const double cells = seed.seeding.region.volume() / grid.cell_volume();
    const double in_packed_cell =
        static_cast<double>(parcels) / cells * setup.solids.stress.theta_cp / *seed.seeding.solids_fraction;
    if (in_packed_cell >= 12) continue;
    char number[32];
    std::snprintf(number, sizeof number, "%.3g", in_packed_cell);
    warnings.push_back("[seed." + seed.name + "] puts " + number +
                       " parcels into a packed cell (12 or more keep its solids fraction smooth)");
  }
}

} // namespace

std::vector<std::string> warnings(const Setup& setup) {
  Warnings warnings;
  warn_of_gaps(setup, warnings);
  warn_of_directions(setup, warnings);
  warn_of_viscosity(setup, warnings);
  warn_of_few_parcels(setup, warnings);
  return warnings;
}

} // namespace corral::mppic
