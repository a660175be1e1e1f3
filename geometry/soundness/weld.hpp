#pragma once

#include "geometry/surface.hpp"

#include <corral/array.hpp>

#include <cstdint>

namespace corral::geometry {

/// A surface some of whose points were joined.
struct Welded {
  Surface surface;
  Array<std::int32_t> points, triangles; ///< places in the surface that it was made from
  std::int64_t joined_points = 0;        ///< that it has less
};

/// Joins points of open edges that lie within `tolerance` [m] of each other, in their order: each one to the nearest of
/// those before it that were not joined themselves. Triangles that lose a corner thereby are left out. The corners of
/// all triangles are points, coordinates are finite.
Welded weld_open_edges(const Surface& surface, double tolerance);

/// The longest side of the box around the points [m]; 0 where there are none.
double box_size(const Surface& surface);

} // namespace corral::geometry
