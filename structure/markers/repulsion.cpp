#include "structure/markers/repulsion.t.hpp"

#include <corral/pairs.hpp>

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

template double Repulsion::add_walls(Cpu, const OrderedPoints&, const Points&) const;

} // namespace corral::structure
