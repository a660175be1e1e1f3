#pragma once

#include "geometry/vector.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace corral::structure {

/// Which points of a body stand near each other, itself included: those of point p are others[begin[p]] to
/// others[begin[p + 1] - 1], in ascending order.
struct PointPairs {
  std::vector<std::int64_t> begin; ///< of each point, and of all at the end
  std::vector<std::int32_t> others;
};

/// Nearer than `reach` [m].
PointPairs pairs_within(std::span<const geometry::Vector> points, double reach);

} // namespace corral::structure
