#include "structure/bodies/retraction.hpp"

#include "geometry/distances/surface_tree.hpp"

#include <corral/array.hpp>
#include <corral/for_each.hpp>

#include <array>
#include <limits>
#include <utility>

namespace corral::structure {

namespace {

using namespace geometry; // the vectors' operators

/// Of the triangle that is nearest to a point of the surface.
Vector normal_of_nearest(const Vector& x, const BodyShape& shape) {
  double nearest = std::numeric_limits<double>::infinity();
  Vector normal{};
  for (const Triangle& t : shape.triangles) {
    const TriangleCorners c{shape.outline[static_cast<std::size_t>(t[0])], shape.outline[static_cast<std::size_t>(t[1])],
                            shape.outline[static_cast<std::size_t>(t[2])]};
    const double distance = distance2_to_triangle(x, c);
    if (distance < nearest) nearest = distance, normal = cross(c[1] - c[0], c[2] - c[0]);
  }
  return direction(normal);
}

Vector normal_at(const Vector& x, const BodyModel& kind, const BodyShape& shape) {
  if (shape.round) return direction(x);
  if (kind.kind != BodyKind::ellipsoid) return normal_of_nearest(x, shape);
  Vector normal{};
  for (std::size_t d = 0; d < 3; ++d) normal[d] = x[d] / (kind.semi_axes[d] * kind.semi_axes[d]);
  return direction(normal);
}

} // namespace

double hydrodynamic_excess(std::string_view kernel, double radius) {
  const double curved = (.36 + .5 / radius) / (.36 + .5 / 8);
  // Composite kernels are on the axes along which most points lie midway what their second name is.
  static constexpr std::array<std::pair<std::string_view, double>, 18> measured{
      {{"nearest", .27},   {"linear", .33},         {"roma3", .42},            {"peskin4", .57},          {"cosine4", .57},
       {"ib5", .55},       {"ib6", .68},            {"bspline3", .38},         {"bspline4", .44},         {"bspline5", .50},
       {"bspline6", .55},  {"smoothed_roma3", .48}, {"smoothed_peskin4", .62}, {"smoothed_cosine4", .62}, {"composite32", .33},
       {"composite43", .38}, {"composite54", .44},  {"composite65", .50}}};
  for (const auto& [name, excess] : measured)
    if (name == kernel) return curved * excess;
  return curved * .5;
}

std::vector<Vector> retracted_points(Cpu cpu, const BodyModel& kind, const BodyShape& shape, double by) {
  std::vector<Vector> points = shape.points;
  if (by == 0) return points;
  for_each(cpu, static_cast<std::int64_t>(points.size()), [&](std::int64_t i) {
    Vector& x = points[static_cast<std::size_t>(i)];
    x = x - by * normal_at(x, kind, shape);
  });
  return points;
}

} // namespace corral::structure
