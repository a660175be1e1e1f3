#include "mppic/case/estimates.hpp"

#include "mppic/case/heat.hpp"
#include "mppic/seeds/seeding.hpp"
#include "run/case/values.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace corral::mppic {
namespace {

using run::formatted;

// What a run holds at its peak, fitted to the peak resident memory of some twenty runs of 90,000 to a million cells in
// one, two and three dimensions, which it meets within 10 % (tests/cases/memory.py looks at some).
constexpr double program = 21e6;
constexpr double per_cell = 115, per_face = 138; // fields of the state, the step and its solvers
constexpr double per_parcel = 286, per_frozen_parcel = 212;
constexpr double per_taken_parcel = 96; // columns of another run's parcels, until they are copied
constexpr double per_mixed_parcel = 21, per_joint_parcel = 48; // of several densities; packed solids answer jointly
constexpr double per_padded_point = 120, dense = 0.9; // maps of `dense` parcels a cell and more pad their fields
constexpr double per_foreseen_face = 20; // two columns and a padded component
constexpr double per_warm_cell = 60, per_warm_face = 32, per_warm_parcel = 40; // where there is heat
constexpr double per_varying_cell = 32, per_varying_face = 40, per_weighed_face = 16; // whose gas varies, with momentum by mass
constexpr double per_turned_cell = 440;               // solvers turn boxes of one cell along x

/// What parts of a step take beside the plain one's, on the host, and on a device, which has other maps.
struct OfParts {
  double conservative_face; ///< momentum in conservation form, its sub-steps and books
  double mixed_face, joint_face;
  double audited_cell, audited_parcel;
};
constexpr OfParts on_host{102, 130, 62, 160, 102}, on_device{67, 72, 14, 31, 58};

/// Columns and fields that collisions' models add, where a case has them.
ModelBytes of_collisions(const Setup& setup) {
  if (setup.solids.frozen) return {};
  const double several = setup.solids.restitutions_differ() * 8.0;
  return {several, 0, several};
}

/// What a joint answer takes on a face and of a parcel.
ModelBytes of_joint(const Setup& setup, const OfParts& parts) {
  if (!setup.answers_jointly()) return {};
  return {0, parts.joint_face, per_joint_parcel};
}

ModelBytes of_gas(const Setup& setup, const OfParts& parts) {
  ModelBytes bytes;
  const bool conservative = setup.gas.carries_conservatively();
  if (setup.heat.on()) bytes += {per_warm_cell, per_warm_face, per_warm_parcel};
  if (setup.gas.laws.vary()) bytes += {per_varying_cell, per_varying_face + conservative * per_weighed_face, 0};
  if (conservative) bytes += {0, parts.conservative_face, 0};
  if (setup.foresees_gas()) bytes += {0, per_foreseen_face, 0};
  return bytes;
}

/// The grids of one multigrid solver: ten floats a point, ghosts included, and what coarse sums take.
double solver_bytes(const Extents& n) {
  const SolverPoints points = solver_points(n);
  return 40 * points.stored + 12 * points.of_sums;
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
  Extents n = extents(setup);
  const double cells = product(n), faces = face_count(n);
  const ModelBytes models = bytes_of_models(setup);
  double bytes = cells * (per_cell + models.cell) + faces * (per_face + models.face);
  if (parcels >= dense * cells) bytes += (n[0] + 11) * (n[1] + 2) * (n[2] + 2) * per_padded_point;
  for (int turns = 0; turns < 2 && n[0] == 1; ++turns) {
    bytes += cells * per_turned_cell;
    n = {n[1], n[2], n[0]};
  }
  if (conducts_implicitly(setup)) bytes += cells * 24 + faces * 8 + solver_bytes(n);
  return bytes + solver_bytes(n); // all systems share it
}

} // namespace

Extents extents(const Setup& setup) {
  Extents n{};
  for (std::size_t d = 0; d < 3; ++d) n[d] = static_cast<double>(setup.cells[d]);
  return n;
}

double face_count(const Extents& n) {
  double faces = 0;
  for (const double extent : n) faces += product(n) / extent * (extent + 1);
  return faces;
}

SolverPoints solver_points(Extents n) {
  constexpr double coarsest = 64;
  SolverPoints points;
  for (bool finest = true;; finest = false) {
    const double row = 2 * std::ceil(std::ceil(n[0] / 2) / 8 + 0.25) * 8, rows = (n[1] + 2) * (n[2] + 2);
    points.stored += row * rows;
    points.of_sums += finest ? 0 : (n[0] + 2) * rows;
    if (product(n) <= coarsest) return points;
    for (double& extent : n) extent = std::ceil(extent / 2);
  }
}

ModelBytes bytes_of_models(const Setup& setup, Memory memory) {
  const OfParts& parts = memory == Memory::device ? on_device : on_host;
  ModelBytes bytes = of_collisions(setup);
  bytes += of_joint(setup, parts);
  bytes += of_gas(setup, parts);
  if (setup.solids.densities_differ()) bytes += {0, parts.mixed_face, per_mixed_parcel};
  if (setup.audit) bytes += {parts.audited_cell, 0, parts.audited_parcel};
  return bytes;
}

double MemoryNeed::total() const { return program + cells + parcels; }

double parcels_at_start(const Setup& setup) {
  const Grid grid = setup.make_grid();
  double parcels = 0;
  for (const Seed& seed : setup.seeds) parcels += static_cast<double>(seed_count(grid, seed.seeding));
  return parcels + (setup.start ? static_cast<double>(setup.start->parcels()) : 0);
}

MemoryNeed memory_needed(const Setup& setup) {
  const double parcels = parcels_at_start(setup);
  const double each = (setup.solids.frozen ? per_frozen_parcel : per_parcel) + bytes_of_models(setup).parcel;
  const double taken = setup.start && setup.start->bed ? static_cast<double>(setup.start->parcels()) : 0;
  return {cell_bytes(setup, parcels), parcels * each / setup.ranks + taken * per_taken_parcel};
}

Fullest fullest_start(const Setup& setup, Placing placing) {
  const Grid grid = setup.make_grid();
  std::vector<ProductLayout> layouts;
  for (const Seed& seed : setup.seeds) layouts.push_back(layout(grid, seed.seeding, seed.sizes, placing));
  return fullest_cell(layouts);
}

namespace {

/// Of the largest grain, alone in the gas [m/s]; above 1e4 where nothing holds it.
double terminal_velocity(const DragModel& drag, double pull, double rho_p, double d) {
  const auto too_slow = [&](double u) { return drag_per_volume(drag, 1, u, d) * u < rho_p * pull; };
  double low = 0, high = 1e-6;
  for (; too_slow(high); high *= 2)
    if (high > 1e4) return high;
  for (int halvings = 0; halvings < 50; ++halvings) (too_slow(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
  return high;
}

bool beside(const Box& a, const Box& b, std::size_t along) {
  for (std::size_t d = 0; d < 3; ++d)
    if (d != along && (a.high[d] <= b.low[d] || b.high[d] <= a.low[d])) return true;
  return false;
}

/// From a seed down to what lies below it [m]; `down` is -1 where gravity points to low places.
double drop(const Setup& setup, const Seed& seed, const Box& region, const Grid& grid, std::size_t d, double down) {
  const Axis& axis = grid.axis(static_cast<int>(d));
  const double floor = down < 0 ? axis.origin : axis.origin + axis.length();
  const double bottom = down < 0 ? region.low[d] : region.high[d];
  double height = down * (floor - bottom);
  for (const Seed& other : setup.seeds) {
    if (&other == &seed) continue;
    const Box below = clipped(other.seeding.region, grid);
    const double gap = down * ((down < 0 ? below.high[d] : below.low[d]) - bottom);
    if (gap >= 0 && !beside(region, below, d)) height = std::min(height, gap);
  }
  return std::max(height, 0.0);
}

} // namespace

Fall fall_of(const Setup& setup, const Seed& seed) {
  const Grid grid = setup.make_grid();
  const Box region = clipped(seed.seeding.region, grid);
  const double rho_p = setup.solids.density(seed.solid), buoyant = 1 - setup.gas.rho / rho_p;
  const double fraction = region.volume() > 0 ? static_cast<double>(seed_count(grid, seed.seeding)) *
                                                    parcel_volume(grid, seed.seeding, seed.sizes) / region.volume()
                                              : 0;
  Fall worst;
  for (int axis = 0; axis < 3; ++axis) {
    const auto d = static_cast<std::size_t>(axis);
    const double pull = setup.gravity[d] * buoyant;
    if (pull == 0 || grid.axis(axis).periodic() || grid.axis(axis).thin()) continue;
    const double loose = std::max(0.0, 1 - fraction / setup.solids.stress.theta_cp);
    const double height = drop(setup, seed, region, grid, d, pull < 0 ? -1 : 1) + loose * (region.high[d] - region.low[d]);
    const double fallen = std::min(std::sqrt(2 * std::abs(pull) * height),
                                   terminal_velocity(setup.solids.drag_of(seed.solid), std::abs(pull), rho_p, seed.sizes.maximum()));
    const double speed = std::max(fallen, std::abs(seed.velocity[d]));
    if (speed / grid.axis(axis).spacing > worst.speed / grid.axis(worst.axis).spacing) worst = {axis, height, speed};
  }
  return worst;
}

namespace {

long long whole(std::int64_t n) { return n; }

std::string describe_start(const Start& start) {
  if (start.place.empty()) return "start     was read when the run began";
  return formatted("start     %lld parcels from ", whole(start.parcels())) + start.place + " (step " + std::to_string(start.step) +
         ", " + start.time + " s); gas begins as " +
         (!start.takes_gas ? "the case says" : start.same_cells ? "it was there" : "it was there, on other cells");
}

} // namespace

std::vector<std::string> describe(const Setup& setup) {
  std::vector<std::string> lines;
  const Grid g = setup.make_grid();
  lines.push_back(formatted("box       %g x %g x %g m, %lld x %lld x %lld cells of %g x %g x %g m", setup.size[0],
                            setup.size[1], setup.size[2], whole(setup.cells[0]), whole(setup.cells[1]),
                            whole(setup.cells[2]), g.axis(0).spacing, g.axis(1).spacing, g.axis(2).spacing));
  for (const SolidMaterial& solid : setup.solids.several)
    lines.push_back(formatted("solid     %.100s: %g kg/m3, drag %s", solid.name.c_str(), solid.rho,
                              std::string(name(solid.drag.law)).c_str()));
  if (setup.solids.packing && !setup.solids.frozen && setup.solids.stress.ps != HarrisCrighton{}.ps)
    lines.push_back(formatted("contact   pressure %g Pa", setup.solids.stress.ps));
  for (const Seed& seed : setup.seeds)
    lines.push_back(formatted("seed      %.100s: %lld parcels of particles of %g m (Sauter mean)", seed.name.c_str(),
                              whole(seed_count(g, seed.seeding)), seed.sizes.sauter_mean()));
  if (setup.start) lines.push_back(describe_start(*setup.start));
  for (const SolidsInlet& inlet : setup.solids_inlets)
    lines.push_back(formatted("inlet     %.100s: %.3g parcels a second of particles of %g m (Sauter mean)",
                              inlet.inlet.name.c_str(), inlet.rate / setup.solids.density(inlet.solid) / inlet.parcel_volume(),
                              inlet.sizes.sauter_mean()));
  if (!setup.start || setup.start->bed) { // else they are not known
    const double parcels = parcels_at_start(setup);
    const auto cells = static_cast<double>(g.cells());
    lines.push_back(formatted("parcels   %.0f at the start, %.1f per cell", parcels, parcels / cells));
    lines.push_back(formatted("memory    about %.0f MB", memory_needed(setup).total() / 1e6));
  }
  lines.push_back(formatted("time step %g s%s", setup.time.dt, setup.time.adaptive ? " at most, adaptive" : ""));
  if (setup.heat.on()) lines.push_back(describe_heat(setup));
  for (const std::string& warning : setup.warnings) lines.push_back("warning   " + warning);
  return lines;
}

} // namespace corral::mppic
