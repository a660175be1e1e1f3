#pragma once

#include "geometry/surface.hpp"
#include "geometry/vector.hpp"
#include "structure/bodies/small_matrices.hpp"
#include "structure/setup/rigid_body.hpp"

#include <corral/execution.hpp>

#include <cstdint>
#include <vector>

namespace corral::structure {

/// A rigid body in its own frame: about its centre of mass, with the axes of its formula or its file.
struct BodyShape {
  std::vector<geometry::Vector> points; ///< on its surface [m]
  std::vector<double> areas;  ///< that each stands for, of a cylinder length times thickness [m2]; their sum is `area`
  double area = 0;            ///< of the surface, of a cylinder without its ends [m2]
  double volume = 0;          ///< [m3]
  SymmetricMatrix inertia{};  ///< moments per density: integral of |x|^2 - x x [m5]
  PrincipalAxes principal;    ///< of these, turned from x, y, z into the body's frame [m5]
  double radius = 0;          ///< of the ball about the centre, or the cylinder, that holds it [m]
  double equivalent_radius = 0; ///< of the ball of its volume, or the cylinder itself [m]
  bool planar = false;        ///< a cylinder, which is as thick as its box
  bool round = false;         ///< a cylinder or a sphere: all its surface is `radius` from the centre
  std::vector<geometry::Vector> outline; ///< corners of what is drawn; of a cylinder its points, in order around it [m]
  std::vector<geometry::Triangle> triangles; ///< between these; none of a cylinder

  /// Root of what a point stands for in the mean; of a cylinder the length of that [m].
  double spacing(double thickness) const {
    const double each = area / static_cast<double>(points.size());
    return planar ? each / thickness : std::sqrt(each);
  }
};

/// The body with its points. `thickness` [m]: the length of the box along z, for a cylinder; others don't look at it.
/// Point m of M on a cylinder stands at the angle 2 pi (m + 1/2)/M. Spheres have Bauer's spiral or an icosphere, see
/// structure/README.md; ellipsoids and files `even_points`. Volume and moments are those of the formula, or of the file's
/// polyhedron, to round-off. Throws Error where a size is not above 0, and where there are less than least_points or more
/// than most_body_points.
BodyShape make_body(Cpu, const BodyModel& kind, double thickness);
inline constexpr std::int64_t least_points_around = 8, least_points_over = 24, most_body_points = 10'000'000;

/// How many points that is, without making them; no less than 1, and unchecked.
std::int64_t point_count(Cpu, const BodyModel& kind);
double body_area(Cpu, const BodyModel& kind, double thickness);   ///< [m2]; of a cylinder without its ends
double body_volume(Cpu, const BodyModel& kind, double thickness); ///< [m3]
double equivalent_radius(Cpu, const BodyModel& kind); ///< of the ball of its volume, or the cylinder itself [m]

} // namespace corral::structure
