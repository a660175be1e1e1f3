#pragma once

#include "geometry/surface.hpp"

#include <corral/array.hpp>

#include <cstdint>

namespace corral::geometry {

/// Nodes on the unit sphere along a spiral from pole to pole (Bauer 2000, Distribution of points on a sphere):
/// z = -1 + (2 i + 1)/n, longitude sqrt(pi n) asin z. From 4 to most_triangles / 2 nodes; others throw Error.
Array<Vector> spiral_nodes(std::int64_t count);

/// These nodes with the triangles of their convex hull.
Surface spiral_sphere(std::int64_t count);

} // namespace corral::geometry
