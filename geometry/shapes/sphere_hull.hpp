#pragma once

#include "geometry/surface.hpp"

#include <corral/array.hpp>

#include <span>

namespace corral::geometry {

/// The triangles of the convex hull of points on the unit sphere, 2 n - 4 of n points, which are also those that the
/// points' Voronoi cells on the sphere give (Delaunay's). Each begins with its lowest point; they are ordered by their
/// points. Of four or more points on one circle, some triangulation is taken.
///
/// Points are rounded to multiples of 2^-40, and what lies on which side is then decided exactly. Throws Error where a
/// point is no finite one within 1e-6 of the sphere, where there are less than four or more than most_triangles / 2,
/// where all lie in one plane, and where two lie so close together (some 1e-6) that rounding takes one into the hull of
/// the others.
Array<Triangle> sphere_hull(std::span<const Vector> points);

} // namespace corral::geometry
