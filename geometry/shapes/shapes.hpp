#pragma once

#include "geometry/surface.hpp"
#include "geometry/vector.hpp"

#include <corral/array.hpp>

#include <cstdint>
#include <span>

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

// Maps of the unit sphere. Points stay in their order and triangles keep their outside.

/// x, y, z times half an axis each [m], all of them above 0 and finite; others throw Error.
void map_to_ellipsoid(std::span<Vector> points, const Vector& half_axes);

/// Where a point of the unit sphere at latitude f comes to lie on a red cell of radius R0 [m] at rest:
/// x, y as on the sphere times R0, z = R0 p(cos f) sin f, p(r) = .105 + r^2 - .56 r^4.
Vector red_cell_point(const Vector& on_sphere, double radius);

/// What latitudes on the sphere become on the red cell.
enum class RedCellLatitude : std::uint8_t {
  even,   ///< meridians are cut evenly: of an icosphere, the longest edge is less than 1.5 times the shortest one
  formula ///< as `red_cell_point` has it: edges at the rim are squeezed, and the ratio is 2.3
};
/// Maps to the red cell with the axis z. The radius [m] is above 0 and finite; others throw Error.
void map_to_red_cell(std::span<Vector> points, double radius, RedCellLatitude latitude = RedCellLatitude::even);

/// Of the shape that the formula gives. With the radius 3.91e-6 m: 94.397e-18 m3 and 134.187e-12 m2.
double red_cell_volume(double radius); ///< [m3]
double red_cell_area(double radius);   ///< [m2]

/// The triangles of the convex hull of points on the unit sphere, 2 n - 4 of n points, which are also those that the
/// points' Voronoi cells on the sphere give (Delaunay's). Each begins with its lowest point; they are ordered by their
/// points. Of four or more points on one circle, some triangulation is taken.
///
/// Points are rounded to multiples of 2^-40, and what lies on which side is then decided exactly. Throws Error where a
/// point is no finite one within 1e-6 of the sphere, where there are less than four or more than most_triangles / 2,
/// where all lie in one plane, and where two lie so close together (some 1e-6) that rounding takes one into the hull of
/// the others.
Array<Triangle> sphere_hull(std::span<const Vector> points);

/// Nodes on the unit sphere along a spiral from pole to pole (Bauer 2000, Distribution of points on a sphere):
/// z = -1 + (2 i + 1)/n, longitude sqrt(pi n) asin z. From 4 to most_triangles / 2 nodes; others throw Error.
Array<Vector> spiral_nodes(std::int64_t count);

/// These nodes with the triangles of their convex hull.
Surface spiral_sphere(std::int64_t count);

} // namespace corral::geometry
