#include "mppic/case/falls.hpp"

#include "mppic/seeds/seeding.hpp"

#include <algorithm>
#include <cmath>

namespace corral::mppic {

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

} // namespace corral::mppic
