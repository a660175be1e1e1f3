#pragma once

#include "geometry/vector.hpp"

#include <cstdint>
#include <span>

namespace corral::geometry {

/// Maps of the unit sphere. Points stay in their order and triangles keep their outside.

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

} // namespace corral::geometry
