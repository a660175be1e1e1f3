#include "geometry/shapes/spiral.hpp"

#include "geometry/shapes/sphere_hull.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace corral::geometry {

Array<Vector> spiral_nodes(std::int64_t count) {
  if (count < 4 || count > most_triangles / 2)
    throw Error("a spiral of " + std::to_string(count) + " nodes (4 to " + std::to_string(most_triangles / 2) + ")");
  Array<Vector> nodes(count);
  const auto n = static_cast<double>(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const double z = -1 + static_cast<double>(2 * i + 1) / n, r = std::sqrt((1 - z) * (1 + z));
    const double longitude = std::sqrt(std::numbers::pi * n) * std::asin(z);
    nodes[i] = {r * std::cos(longitude), r * std::sin(longitude), z};
  }
  return nodes;
}

Surface spiral_sphere(std::int64_t count) {
  Surface sphere;
  sphere.points = spiral_nodes(count);
  sphere.triangles = sphere_hull(sphere.points.span());
  return sphere;
}

} // namespace corral::geometry
