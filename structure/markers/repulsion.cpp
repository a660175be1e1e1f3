#include "structure/markers/repulsion.hpp"

#include <corral/for_each.hpp>
#include <corral/pairs.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace corral::structure {

Repulsion::Repulsion(const Grid& grid, double range, double stiffness)
    : grid_(grid), range_(range), stiffness_(stiffness) {}

double Repulsion::add(Cpu cpu, const OrderedPoints& on, const OrderedPoints& from, const Points& force) const {
  if (!(range_ * range_ > 0)) return 0; // nothing is as near as that
  const auto push = [&](std::int64_t i, std::int64_t, const std::array<double, 3>& apart, double square) {
    const double r = std::sqrt(square), lacking = range_ - r;
    if (r > 0) // else, which way is away?
      for (std::size_t d = 0; d < 3; ++d) force[d][i] += stiffness_ * lacking / r * apart[d];
    return 0.25 * stiffness_ * lacking * lacking;
  };
  return sum_over_pairs(cpu, grid_, on.order, from.order, range_, push,
                        [&](std::int64_t i, std::int64_t j) { return from.membrane[j] != on.membrane[i]; });
}

double Repulsion::add_walls(Cpu cpu, const OrderedPoints& on, const Points& force) const {
  const Axis& axis = grid_.axis(1);
  if (axis.periodic()) return 0;
  const double low = axis.origin, high = axis.origin + axis.length();
  return sum(cpu, on.size, [&, low, high](std::int64_t i) {
    const double y = on.x[1][i];
    const double below = std::max(range_ - (y - low), 0.0), above = std::max(range_ - (high - y), 0.0);
    force[1][i] += stiffness_ * (below - above);
    return 0.5 * stiffness_ * (below * below + above * above);
  });
}

} // namespace corral::structure
