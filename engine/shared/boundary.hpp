#pragma once

#include <corral/grid.hpp>
#include <corral/host_device.hpp>

#include <cstdint>

namespace corral::shared {

/// What a point index, possibly beyond the grid, stands for.
struct FoldedPoint {
  std::int64_t index; ///< a point of the field, or of the caller's ghosts
  int sign;           ///< +1, or the product of the wall signs; 0: dropped
};

/// Applies the boundary rules of one axis to point `i` of a field with `points_on_faces`, until it lies on the grid.
CORRAL_HOST_DEVICE inline FoldedPoint fold(const Axis& axis, bool points_on_faces, int wall_sign, std::int64_t i) {
  const std::int64_t points = axis.points(points_on_faces);
  int sign = 1;
  while (i < 0 || i >= points) {
    switch (i < 0 ? axis.low : axis.high) {
    case Boundary::periodic: {
      const std::int64_t m = i % points;
      return {m < 0 ? m + points : m, sign};
    }
    case Boundary::open: return {0, 0};
    case Boundary::halo: return {i, sign};
    case Boundary::wall: {
      const std::int64_t mirror = points_on_faces ? 0 : 1; // twice the distance from the wall to the first point
      i = i < 0 ? -i - mirror : 2 * (points - 1) - i + mirror;
      sign *= wall_sign;
      break;
    }
    }
  }
  return {i, sign};
}

} // namespace corral::shared
