#pragma once

#include "geometry/mesh.hpp"
#include "geometry/vector.hpp"
#include "structure/surfaces/shapes.hpp"

#include <functional>
#include <span>
#include <vector>

namespace corral::structure {

/// Where the points of a body of revolution lie on a spheroid of the same area: at the same longitude, behind the same
/// share of the area from the pole on. So no part of the surface is larger or smaller than on the body, which is sheared
/// alone. `meridian` takes a point of the unit sphere to the body, about z; `on_sphere` are those that points come from.
/// `reduced_volume`, in (0, 1]: the spheroid's volume over that of the sphere of its area; it is oblate. [m]
std::vector<geometry::Vector> on_spheroid(std::span<const geometry::Vector> on_sphere, double reduced_volume,
                                          const std::function<geometry::Vector(const geometry::Vector&)>& meridian);

/// Places of a mesh's points in the order of those of `shape`, whose triangles it has: in any order, where their corners have
/// the same numbers, or else, as in STL files, which number no points, in the same order with the same first corner. Throws
/// Error, whose subject is the mesh, where it has others.
std::vector<geometry::Vector> points_in_order(const geometry::Mesh& mesh, const SurfaceShape& shape);

/// Half axes of the oblate spheroid of this area [m2] and reduced volume: across and along its axis [m].
struct Spheroid {
  double across, along;
};
Spheroid spheroid_of(double area, double reduced_volume);

} // namespace corral::structure
