#pragma once

#include "geometry/vector.hpp"

#include <array>

namespace corral::geometry {

using TriangleCorners = std::array<Vector, 3>; ///< [m]

/// Squared distances [m2]. Triangles and segments may have shrunk to a segment or a point.
double distance2_to_triangle(const Vector& x, const TriangleCorners& t);
double distance2_of_segments(const Vector& a0, const Vector& a1, const Vector& b0, const Vector& b1);

/// Whether a segment goes through a triangle, other than in its plane.
bool goes_through(const Vector& from, const Vector& to, const TriangleCorners& t);

/// Whether two triangles come nearer than `gap` [m] or cross; with a gap of 0, whether they cross.
bool come_nearer(const TriangleCorners& s, const TriangleCorners& t, double gap);

} // namespace corral::geometry
