#include "mppic/case/memory.hpp"

#include <array>
#include <cmath>

namespace corral::mppic {

namespace {

using Extents = std::array<double, 3>;

// What a run holds at its peak, fitted to the peak resident memory of some twenty runs of 90,000 to a million cells in
// one, two and three dimensions, which it meets within 10 % (tests/cases/memory.py looks at some).
constexpr double program = 21e6;
constexpr double per_cell = 464, per_face = 310; // fields of the state, the step and its solvers
constexpr double per_conservative_face = 64;         // momentum in conservation form, its sub-steps and books
constexpr double per_parcel = 380, per_frozen_parcel = 190, audited = 64;
constexpr double per_taken_parcel = 96; // columns of another run's parcels, until they are copied
constexpr double per_mixed_face = 72, per_mixed_parcel = 80; // of several densities
constexpr double per_joint_face = 32, per_joint_parcel = 56; // packed solids answer jointly
constexpr double per_joint_mixed_face = 40, per_joint_mixed_parcel = 24; // the same, of several densities
constexpr double per_padded_point = 120, dense = 0.9; // maps of `dense` parcels a cell and more pad their fields
constexpr double per_foreseen_face = 20; // two columns and a padded component
constexpr double per_warm_cell = 60, per_warm_face = 32, per_warm_parcel = 56; // where there is heat
constexpr double per_varying_cell = 32, per_varying_face = 40, per_weighed_face = 16; // whose gas varies, with momentum by mass
constexpr double per_turned_cell = 440;               // solvers turn boxes of one cell along x

/// Columns and fields that collisions' models add, where a case has them.
struct OfCollisions {
  double cell, parcel;
};
OfCollisions of_collisions(const Setup& setup) {
  if (setup.solids.frozen) return {0, 0};
  const CollisionModel& model = setup.collisions;
  const double several = setup.solids.restitutions_differ() * 8.0;
  return {model.far * 16.0 + model.isotropy * 16.0 + several, model.far * 48.0 + several};
}

/// What a joint answer takes on a face and of a parcel.
struct OfJoint {
  double face, parcel;
};
OfJoint of_joint(const Setup& setup) {
  if (!setup.answers_jointly()) return {0, 0};
  const bool mixed = setup.solids.densities_differ();
  return {per_joint_face + mixed * per_joint_mixed_face, per_joint_parcel + mixed * per_joint_mixed_parcel};
}

double product(const Extents& n) { return n[0] * n[1] * n[2]; }

/// The grids of one multigrid solver: ten floats a point, ghosts included, and what coarse sums take.
double solver_bytes(Extents n) {
  constexpr double coarsest = 64;
  double bytes = 0;
  for (bool finest = true;; finest = false) {
    const double row = 2 * std::ceil(std::ceil(n[0] / 2) / 8 + 0.25) * 8, points = (n[1] + 2) * (n[2] + 2);
    bytes += 40 * row * points + (finest ? 0 : 12 * (n[0] + 2) * points);
    if (product(n) <= coarsest) return bytes;
    for (double& extent : n) extent = std::ceil(extent / 2);
  }
}

/// True where a step of time.dt conducts more of a cell's heat than it may explicitly.
bool conducts_implicitly(const Setup& setup) {
  double rate = 0; // [1/s]
  for (std::size_t d = 0; d < 3; ++d) {
    const double h = setup.size[d] / static_cast<double>(setup.cells[d]);
    if (setup.cells[d] > 1) rate += 2 * setup.heat.gas_conductivity / (setup.gas.rho * setup.heat.gas_capacity * h * h);
  }
  constexpr double explicitly = 0.5;
  return setup.heat.on() && setup.time.dt * rate > explicitly;
}

double cell_bytes(const Setup& setup, double parcels) {
  Extents n{};
  for (std::size_t d = 0; d < 3; ++d) n[d] = static_cast<double>(setup.cells[d]);
  const double cells = product(n);
  double faces = 0;
  for (const double extent : n) faces += cells / extent * (extent + 1);
  double bytes = cells * per_cell + faces * (per_face + (setup.solids.densities_differ() ? per_mixed_face : 0) +
                                             of_joint(setup).face);
  if (setup.heat.on()) bytes += cells * per_warm_cell + faces * per_warm_face;
  if (setup.gas.laws.vary())
    bytes += cells * per_varying_cell +
             faces * (per_varying_face + (setup.gas.carries_conservatively() ? per_weighed_face : 0));
  if (setup.gas.carries_conservatively()) bytes += faces * per_conservative_face;
  if (setup.foresees_gas()) bytes += faces * per_foreseen_face;
  if (parcels >= dense * cells) bytes += (n[0] + 11) * (n[1] + 2) * (n[2] + 2) * per_padded_point;
  for (int turns = 0; turns < 2 && n[0] == 1; ++turns) {
    bytes += cells * per_turned_cell;
    n = {n[1], n[2], n[0]};
  }
  constexpr int moving_solvers = 3; // of pressure, contact and displacement
  if (conducts_implicitly(setup)) bytes += cells * 24 + faces * 8 + solver_bytes(n);
  return bytes + (setup.solids.frozen ? 1 : moving_solvers) * solver_bytes(n) + cells * of_collisions(setup).cell;
}

} // namespace

double MemoryNeed::total() const { return program + cells + parcels; }

double parcels_at_start(const Setup& setup) {
  const Grid grid = setup.make_grid();
  double parcels = 0;
  for (const Seed& seed : setup.seeds) parcels += static_cast<double>(seed_count(grid, seed.seeding));
  return parcels + (setup.start ? static_cast<double>(setup.start->parcels()) : 0);
}

MemoryNeed memory_needed(const Setup& setup) {
  const double parcels = parcels_at_start(setup);
  const double each = (setup.solids.frozen ? per_frozen_parcel : per_parcel) + (setup.solids.densities_differ() ? per_mixed_parcel : 0) +
                      of_joint(setup).parcel +
                      (setup.audit ? audited : 0) + (setup.heat.on() ? per_warm_parcel : 0) +
                      of_collisions(setup).parcel;
  const double taken = setup.start && setup.start->bed ? static_cast<double>(setup.start->parcels()) : 0;
  return {cell_bytes(setup, parcels), parcels * each + taken * per_taken_parcel};
}

} // namespace corral::mppic
