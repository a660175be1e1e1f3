#pragma once

/// Walls of repulsion.hpp, for either processor.

#include "structure/markers/repulsion.hpp"

#include <corral/for_each.hpp>

#include <algorithm>

namespace corral::structure {

template <Execution E> double Repulsion::add_walls(E execution, const OrderedPoints& on, const Points& force) const {
  const Axis& axis = grid_.axis(1);
  if (axis.periodic()) return 0;
  const double low = axis.origin, high = axis.origin + axis.length(), range = range_, stiffness = stiffness_;
  const double* const y = on.x[1];
  double* const along_y = force[1];
  return sum(execution, on.size, [=] CORRAL_BODY(std::int64_t i) {
    const double below = std::max(range - (y[i] - low), 0.0), above = std::max(range - (high - y[i]), 0.0);
    along_y[i] += stiffness * (below - above);
    return 0.5 * stiffness * (below * below + above * above);
  });
}

} // namespace corral::structure
