#include "mppic/case/setup.hpp"

#include "mppic/case/estimates.hpp"
#include "mppic/case/heat.hpp"
#include "mppic/seeds/earlier_bed.hpp"
#include "run/case/values.hpp"

#include <algorithm>
#include <cmath>

namespace corral::mppic {
namespace {

using run::brief;
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
  double most = fluid::MomentumForces::most_substeps;
  if (setup.gas.carries_conservatively()) most /= 2; // the other half is advection's
  if (setup.gas.viscous_force == fluid::Viscosity::stress) rate *= 4.0 / 3;
  const double longest = most / rate; // [s]
  if (!setup.gas.solved || !(setup.time.dt > longest)) return;
  warnings.push_back("time.dt is " + brief(setup.time.dt) + " s, and in steps beyond " + run::brief_below(longest) +
                     " s the gas's viscosity acts too weakly");
}

/// Central advection takes nothing out of waves from cell to cell, and viscosity too little beyond a cell Peclet number
/// of 2.
void warn_of_waves(const Setup& setup, const Grid& grid, Warnings& warnings) {
  if (!setup.gas.solved || setup.gas.advection != fluid::Advection::central) return;
  for (const fluid::Inlet& inlet : setup.inlets) {
    const double h = grid.axis(inlet.side / 2).spacing;
    const double peclet = setup.gas.rho * fastest_gas(inlet) * h / setup.gas.mu;
    if (peclet <= 2) continue;
    warnings.push_back("gas.advection is central, and density speed cell/viscosity " + brief(peclet) +
                       " for the gas of [inlet." + inlet.name +
                       "]: beyond 2 velocities may alternate from cell to cell (van_leer has no such waves)");
    return;
  }
}

/// Advection by rho (u . grad) u made of the gas's momentum about twice as much as entered in cases/sscp1: little beside
/// a dense bed's weight, until gas enters fast.
void warn_of_lost_momentum(const Setup& setup, const Grid& grid, Warnings& warnings) {
  constexpr double much = 0.005; // of the weight
  if (!setup.gas.solved || setup.gas.carries_conservatively()) return;
  double mass = 0, brought = 0; // [kg], [N]
  for (const Seed& seed : setup.seeds)
    mass += setup.solids.density(seed.solid) * static_cast<double>(seed_count(grid, seed.seeding)) *
            parcel_volume(grid, seed.seeding, seed.sizes);
  for (const EarlierSolids& taken : setup.taken()) mass += setup.solids.density(taken.solid) * taken.volume;
  for (const fluid::Inlet& inlet : setup.inlets)
    brought += setup.gas.rho * std::pow(fastest_gas(inlet), 2) * fluid::area(inlet);
  const auto& g = setup.gravity;
  const double weight = mass * std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  if (weight == 0 || brought <= much * weight) return;
  warnings.push_back("the gas brings in momentum at " + brief(100 * brought / weight) +
                     " % of the weight at the start, of which gas.momentum = advective keeps no books: forces on the bed may be "
                     "wrong by twice as much (conservative keeps them)");
}

/// What a run's solids are made of: one for each seed and each inlet that lets solids in, and for each solid that is taken
/// from another run.
struct Source {
  std::string block;
  double parcel;   ///< mean volume of the solids in a parcel [m3]; 0: no parcels
  double largest;  ///< of the largest parcel, over the mean [-]
  double particle; ///< mean volume of a particle [m3]
  double diameter; ///< of the largest particle [m]
};

std::vector<Source> sources(const Setup& setup, const Grid& grid) {
  std::vector<Source> all;
  const auto add = [&](const std::string& block, double parcel, const SizeDistribution& sizes) {
    all.push_back({block, parcel, sizes.largest_parcel(), sizes.mean_particle_volume(), sizes.maximum()});
  };
  for (const Seed& seed : setup.seeds) add("[seed." + seed.name + "]", parcel_volume(grid, seed.seeding, seed.sizes), seed.sizes);
  for (const EarlierSolids& taken : setup.taken()) {
    const double mean = taken.volume / static_cast<double>(taken.parcels);
    all.push_back({"[start]", mean, taken.largest_parcel / mean, taken.volume / taken.particles, taken.largest_diameter});
  }
  for (const SolidsInlet& inlet : setup.solids_inlets)
    add("[inlet." + inlet.inlet.name + "]", inlet.parcel_volume(), inlet.sizes);
  return all;
}

void warn_of_idle_solids(const Setup& setup, Warnings& warnings) {
  if (setup.start && !setup.start->bed) return; // whose parcels are not known any more
  const std::vector<EarlierSolids> taken = setup.taken();
  for (std::size_t s = 0; s < setup.solids.several.size(); ++s) {
    const auto of_it = [&](const auto& source) { return source.solid == static_cast<int>(s); };
    if (std::none_of(setup.seeds.begin(), setup.seeds.end(), of_it) &&
        std::none_of(setup.solids_inlets.begin(), setup.solids_inlets.end(), of_it) &&
        std::none_of(taken.begin(), taken.end(), of_it))
      warnings.push_back("no seed and no inlet is of [solid." + setup.solids.several[s].name + "]");
  }
}

void warn_of_parcels(const Setup& setup, const Grid& grid, Warnings& warnings) {
  for (const Seed& seed : setup.seeds)
    if (seed.granular_temperature != std::array<double, 3>{} && seed_count(grid, seed.seeding) == 1)
      warnings.push_back("[seed." + seed.name + "] has one parcel, which has no granular_temperature (it is of velocities about "
                         "their mean)");
  for (const Source& source : sources(setup, grid)) {
    if (source.parcel == 0) {
      warnings.push_back(source.block + " has no parcels");
      continue;
    }
    const double in_packed_cell = setup.solids.stress.theta_cp * grid.cell_volume() / source.parcel;
    if (const double largest = source.largest; largest > 1.5 && largest > in_packed_cell / 3)
      warnings.push_back("the largest parcels of " + source.block + " hold " + brief(largest) +
                         " times the mean parcel's solids, " + brief(largest / in_packed_cell) +
                         " of a packed cell (weighting = mass makes all parcels as heavy)");
    if (in_packed_cell < 12)
      warnings.push_back(source.block + " puts " + brief(in_packed_cell) +
                         " parcels into a packed cell (12 or more keep its solids fraction smooth)");
    const double particles = source.parcel / source.particle;
    if (particles < 0.1)
      warnings.push_back("a parcel of " + source.block + " stands for " + brief(particles) + " particles");
    for (int d = 0; d < 3; ++d) {
      const double h = grid.axis(d).spacing, largest = source.diameter;
      if (largest <= h) continue;
      warnings.push_back("particles of " + source.block + " are up to " + brief(largest) + " m large, cells " +
                         brief(h) + " m along " + "xyz"[d] + ": parcels count as points in a cell");
      break;
    }
  }
}

/// Laws of one size take each particle's own diameter, where engineers mean the Sauter mean of all: slow gas then meets
/// the mean of d^-2 by volume in place of the square of the mean of d^-1.
void warn_of_sizes_under_one_size_drag(const Setup& setup, const Grid& grid, Warnings& warnings) {
  constexpr double much = 1.1;
  double volume = 0, inverse = 0, inverse_square = 0;
  const auto add = [&](double solids, const SizeDistribution& sizes) {
    volume += solids;
    inverse += solids * sizes.number_moment(2) / sizes.number_moment(3);
    inverse_square += solids * sizes.number_moment(1) / sizes.number_moment(3);
  };
  for (const Seed& seed : setup.seeds)
    add(static_cast<double>(seed_count(grid, seed.seeding)) * parcel_volume(grid, seed.seeding, seed.sizes), seed.sizes);
  for (const EarlierSolids& taken : setup.taken()) {
    volume += taken.volume;
    inverse += taken.by_diameter;
    inverse_square += taken.by_diameter_squared;
  }
  if (volume == 0) // what feeds bring into an empty box
    for (const SolidsInlet& inlet : setup.solids_inlets) add(inlet.rate / setup.solids.density(inlet.solid), inlet.sizes);
  const bool felt = setup.solids.several.empty()
                        ? !knows_mixture(setup.solids.drag.law)
                        : std::any_of(setup.solids.several.begin(), setup.solids.several.end(),
                                      [](const SolidMaterial& s) { return !knows_mixture(s.drag.law); });
  const double ratio = volume > 0 ? inverse_square * volume / (inverse * inverse) : 1;
  if (!felt || ratio <= much) return;
  warnings.push_back("the drag law is one of a single size, taken of each particle's own diameter: for these sizes slow gas "
                     "is held back up to " + brief(100 * (ratio - 1)) + " % more than by particles of their Sauter mean "
                     "diameter, " + brief(volume / inverse) +
                     " m, all alike (beetstra_polydisperse and tang_polydisperse know a mixture)");
}

void warn_of_steep_friction(const Setup& setup, Warnings& warnings) {
  if (setup.solids.packing && setup.solids.friction > 1)
    warnings.push_back("contact.friction is " + brief(setup.solids.friction) +
                       ", and was tried up to 1: beyond it a bed hangs on to its walls and the pressure drop may exceed its "
                       "weight");
}

/// Contact pressure packs solids to what its law asks for under their own weight. A constant that is not small beside that
/// weight keeps a bed loose that beads would pack, and gas or liquid blows it higher.
void warn_of_stiff_contact(const Setup& setup, const Grid& grid, Warnings& warnings) {
  constexpr double much = 0.1, little = 0.005; // of the weight; what dense beds in gas are run with
  if (!setup.solids.packing || setup.solids.frozen) return;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (setup.gravity[i] == 0 || grid.axis(d).periodic() || grid.axis(d).thin()) continue;
    double load = 0; // [Pa]
    for (const Seed& seed : setup.seeds)
      load += std::abs(setup.gravity[i] * (setup.solids.density(seed.solid) - setup.gas.rho)) *
              static_cast<double>(seed_count(grid, seed.seeding)) * parcel_volume(grid, seed.seeding, seed.sizes) *
              setup.size[i] / (setup.size[0] * setup.size[1] * setup.size[2]);
    if (load == 0 || setup.solids.stress.ps <= much * load) continue;
    warnings.push_back("contact.pressure, " + brief(setup.solids.stress.ps) + " Pa, is " +
                       brief(setup.solids.stress.ps / load) + " of what the seeds weigh in the gas, " + brief(load) +
                       " Pa on their floor: by its law they pack to a solids fraction of " +
                       brief(setup.solids.stress.inverse(load).theta) + " there, not to close packing (" +
                       brief(little * load) + " Pa packs them)");
    return;
  }
}

/// Gas and solids together fall along a direction that comes back to itself: nothing bears them.
void warn_of_falling_boxes(const Setup& setup, Warnings& warnings) {
  for (int d = 0; d < 3 && setup.gas.solved && !setup.drive.bears_weight; ++d)
    if (setup.gravity[d] != 0 && setup.sides[2 * d] == fluid::SideKind::periodic)
      warnings.push_back(std::string("the box is periodic along ") + "xyz"[d] +
                         ", where gravity acts: gas and solids fall through it together, faster and faster (a wall below "
                         "would bear them, or forces.weight = borne)");
}

/// Regions that a unit too many or too few has shrunk.
void warn_of_slivers(const Setup& setup, const Grid& grid, Warnings& warnings) {
  const auto warn = [&](const std::string& block, const auto& region, int normal) {
    for (int d = 0; d < 3; ++d) {
      const double cells = (region.high[d] - region.low[d]) / grid.axis(d).spacing;
      if (d == normal || cells >= 0.1) continue;
      warnings.push_back(block + " is " + brief(cells) + " of a cell wide along " + "xyz"[d]);
      return;
    }
  };
  for (const Seed& seed : setup.seeds) warn("[seed." + seed.name + "]", seed.seeding.region, -1);
  for (const fluid::Inlet& inlet : setup.inlets) warn("[inlet." + inlet.name + "]", inlet.region, inlet.side / 2);
}

void warn_of_long_steps(const Setup& setup, const Grid& grid, Warnings& warnings) {
  constexpr double many = 5; // cells in a step; a few are what adaptive steps are for
  const auto warn = [&](const std::string& what, double speed, int d, double allowed) {
    const double cells = speed * setup.time.dt / grid.axis(d).spacing;
    if (grid.axis(d).thin() || cells <= many) return;
    warnings.push_back(what + " crosses " + brief(cells) + " cells in time.dt" +
                       (setup.time.adaptive ? ": steps will be about " + brief(allowed / cells * setup.time.dt) + " s"
                                            : " (time.step = adaptive would shorten the steps)"));
  };
  for (const fluid::Inlet& inlet : setup.inlets)
    if (setup.gas.solved)
      warn("the gas of [inlet." + inlet.name + "]", fastest_gas(inlet),
           inlet.side / 2, setup.time.gas_courant);
  for (const SolidsInlet& inlet : setup.solids_inlets)
    for (int d = 0; d < 3; ++d)
      warn("what [inlet." + inlet.inlet.name + "] lets in",
           d == inlet.inlet.side / 2 ? inlet.velocity : std::abs(inlet.tangential[d]), d,
           setup.time.parcel_courant);
}

void warn_of_empty_inlets(const Setup& setup, Warnings& warnings) {
  for (const SolidsInlet& inlet : setup.solids_inlets) {
    const double parcels = inlet.rate / setup.solids.density(inlet.solid) * setup.time.end / inlet.parcel_volume();
    if (parcels < 1)
      warnings.push_back("[inlet." + inlet.inlet.name + "] lets in " + brief(parcels) +
                         " parcels until time.end: lower its particles_per_parcel");
  }
}

void warn_of_uneven_lattices(const Setup& setup, Warnings& warnings) {
  const Fullest fullest = fullest_start(setup, Placing::as_placed);
  if (fullest.total <= 1.001 * setup.most_solids()) return;
  warnings.push_back("[seed." + setup.seeds[fullest.layouts.front()].name + "] fills a cell to a solids fraction of " +
                     brief(fullest.total) + ", beyond " + brief(setup.most_solids()) +
                     ": the pitch of its lattice does not fit the cells");
}

} // namespace

namespace {

/// What lay on other cells is uneven on these.
void warn_of_uneven_start(const Setup& setup, std::vector<std::string>& warnings) {
  if (!setup.start || !setup.start->bed || setup.start->same_cells || !setup.solids.packing || setup.solids.frozen) return;
  const Array<double>& fraction = setup.start->bed->fraction;
  const double most = *std::max_element(fraction.begin(), fraction.end()), much = 1.1 * setup.solids.stress.theta_cp;
  if (most > much)
    warnings.push_back("start.from: on these cells the parcels that are taken fill up to " + brief(most / setup.solids.stress.theta_cp) +
                       " of close packing, for few of them lie in a cell: they part in the first steps (displacement_given in "
                       "log.csv says by what energy)");
}

} // namespace

std::vector<std::string> warnings(const Setup& setup) {
  Warnings warnings;
  warn_of_idle_solids(setup, warnings);
  warn_of_gaps(setup, warnings);
  warn_of_directions(setup, warnings);
  warn_of_viscosity(setup, warnings);
  const Grid grid = setup.make_grid();
  warn_of_waves(setup, grid, warnings);
  warn_of_lost_momentum(setup, grid, warnings);
  warn_of_parcels(setup, grid, warnings);
  warn_of_sizes_under_one_size_drag(setup, grid, warnings);
  warn_of_steep_friction(setup, warnings);
  warn_of_stiff_contact(setup, grid, warnings);
  warn_of_falling_boxes(setup, warnings);
  warn_of_slivers(setup, grid, warnings);
  warn_of_long_steps(setup, grid, warnings);
  warn_of_empty_inlets(setup, warnings);
  warn_of_uneven_lattices(setup, warnings);
  warn_of_heat(setup, warnings);
  warn_of_uneven_start(setup, warnings);
  return warnings;
}

} // namespace corral::mppic
