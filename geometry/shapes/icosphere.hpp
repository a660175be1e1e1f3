#pragma once

#include "geometry/surface.hpp"

#include <cstdint>

namespace corral::geometry {

/// The unit sphere about the origin as an icosahedron whose faces are cut into `frequency`^2 triangles each (a geodesic
/// sphere of class I): 20 frequency^2 triangles, 10 frequency^2 + 2 points. Edges of the icosahedron are cut into equal
/// arcs, and the longest edge of all is less than 1.18 times the shortest one. Frequencies go from 1 to 1581, the last
/// one that has no more than most_triangles; others throw Error.
Surface icosphere(int frequency);
inline constexpr int highest_frequency = 1581;

/// The least frequency with at least as many points. Throws Error where it would be higher than highest_frequency.
int frequency_for_points(std::int64_t points);
/// The least frequency whose triangles, if all were equal and equilateral on a surface of `area` [m2], would have edges
/// of at most this length [m]; both are above 0. Throws Error where it would be higher than highest_frequency.
int frequency_for_edge(double edge, double area);

} // namespace corral::geometry
