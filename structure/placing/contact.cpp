#include "structure/placing/contact.hpp"

#include "geometry/measures.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace corral::structure {

namespace {

using namespace geometry; // the vectors' operators

constexpr std::int64_t table_points = 40; // along the longest side: curvature is felt to a thousandth of the radius
constexpr double patches_of_area = 320;   // a point stands for so much of a surface, or less
constexpr std::int32_t most_in_patch = 12;

DistanceTable distances_of(const SurfaceShape& shape, const SurfaceTree& tree, double beyond) {
  Vector low = shape.start[0], high = low;
  for (const Vector& x : shape.start)
    for (std::size_t d = 0; d < 3; ++d) low[d] = std::min(low[d], x[d]), high[d] = std::max(high[d], x[d]);
  return {Cpu{}, tree, low, high, beyond, table_points};
}

/// Corners, and points between them where these are far apart; where they lie closer than half of what is needed, some.
std::vector<Vector> points_over(const SurfaceShape& shape) {
  const double spacing = std::sqrt(area(Cpu{}, shape.start, shape.triangles) / patches_of_area);
  std::vector<Vector> points;
  std::set<std::array<std::int64_t, 3>> taken;
  const auto add = [&](const Vector& x) {
    std::array<std::int64_t, 3> voxel{};
    for (std::size_t d = 0; d < 3; ++d) voxel[d] = std::llround(x[d] / (0.3 * spacing));
    if (taken.insert(voxel).second) points.push_back(x);
  };
  for (const Vector& x : shape.start) add(x);
  for (const Triangle& t : shape.triangles) {
    const std::array<Vector, 3> x = geometry::corners(shape.start, t);
    const double longest = std::max({length(x[1] - x[0]), length(x[2] - x[1]), length(x[0] - x[2])});
    const auto parts = static_cast<std::int64_t>(std::ceil(std::min(longest / spacing, 100.0)));
    for (std::int64_t i = 0; i <= parts; ++i)
      for (std::int64_t j = 0; i + j <= parts; ++j) {
        const double u = static_cast<double>(i) / static_cast<double>(parts), v = static_cast<double>(j) / static_cast<double>(parts);
        add(x[0] + u * (x[1] - x[0]) + v * (x[2] - x[0]));
      }
  }
  return points;
}

/// Of points that are too near to something: they count by how much they are.
struct TooNear {
  double deepest = 0, total = 0;
  Vector away{}, at{};

  void add(double depth, const Vector& gradient, const Vector& x) {
    deepest = std::max(deepest, depth);
    total += depth;
    const double steep = length(gradient);
    if (steep > 1e-3) away = away + (depth / steep) * gradient;
    at = at + depth * x;
  }
};

/// Points of `one` in the distances of `other`, whose frame this is in; `from_other`: of their positions.
TooNear points_in(const Body& one, const Body& other, const Vector& from_other, double gap) {
  const Rotation back = other.at.rotation.inverse(), turned = back * one.at.rotation;
  const Vector shifted = back(from_other);
  const DistanceTable& distances = other.shape->distances();
  const double per_size = 1 / other.size, reach = other.radius() + gap, rough = 0.05 * distances.spacing() * other.size;
  TooNear found;
  for (const TouchedShape::Patch& patch : one.shape->patches()) {
    const Vector centre = one.size * turned(patch.ball.centre) + shifted;
    const double far = one.size * patch.ball.radius;
    if (dot(centre, centre) > (reach + far) * (reach + far)) continue;
    const double distance = other.size * distances(per_size * centre).distance;
    if (std::isfinite(distance) && distance > gap + far + rough) continue;
    for (std::int32_t i = patch.begin; i < patch.end; ++i) {
      const Vector x = one.size * turned(one.shape->points()[static_cast<std::size_t>(i)]) + shifted;
      const DistanceTable::Value value = distances(per_size * x);
      if (const double depth = gap - other.size * value.distance; depth > 0) found.add(depth, value.gradient, x);
    }
  }
  return found;
}

} // namespace

TouchedShape::TouchedShape(const SurfaceShape& shape, double beyond)
    : shape_(shape), tree_(tree_of(shape)), distances_(distances_of(shape, tree_, beyond)), points_(points_over(shape)),
      radius_(radius_of(shape)) {
  part(0, static_cast<std::int32_t>(points_.size()));
}

// At the median along the longest side of the box around them.
void TouchedShape::part(std::int32_t begin, std::int32_t end) {
  const std::span<Vector> points = std::span(points_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  if (end - begin <= most_in_patch) {
    patches_.push_back({bounding_ball(points), begin, end});
    return;
  }
  Vector low = points[0], high = low;
  for (const Vector& x : points)
    for (std::size_t d = 0; d < 3; ++d) low[d] = std::min(low[d], x[d]), high[d] = std::max(high[d], x[d]);
  std::size_t axis = 0;
  for (const std::size_t d : {1u, 2u})
    if (high[d] - low[d] > high[axis] - low[axis]) axis = d;
  std::sort(points.begin(), points.end(), [axis](const Vector& x, const Vector& y) {
    return x[axis] < y[axis] || (x[axis] == y[axis] && x < y);
  });
  part(begin, (begin + end) / 2);
  part((begin + end) / 2, end);
}

Contact contact(const Body& a, const Body& b, const Vector& b_from_a, double gap) {
  const TooNear mine = points_in(a, b, -1.0 * b_from_a, gap), others = points_in(b, a, b_from_a, gap);
  const double total = mine.total + others.total;
  if (!(total > 0)) return {};
  const Rotation &of_a = a.at.rotation, &of_b = b.at.rotation;
  Vector away = of_b(mine.away) - of_a(others.away);
  if (length(away) < 1e-6 * total) away = -1.0 * b_from_a; // pushed from all sides
  if (!(length(away) > 0)) away = {1, 0, 0};
  const Vector at = of_b(mine.at) + mine.total * b_from_a + of_a(others.at);
  return {std::max(mine.deepest, others.deepest), direction(away), (1 / total) * at};
}

Contact contact(const Body& body, std::size_t axis, double end, bool above, double gap) {
  const double sign = above ? -1 : 1, from_end = sign * (body.at.position[axis] - end) - gap;
  if (from_end > body.radius()) return {};
  Vector normal{};
  normal[axis] = sign;
  const Vector seen = body.at.rotation.inverse()(normal);
  TooNear found;
  for (const TouchedShape::Patch& patch : body.shape->patches()) {
    if (from_end + body.size * (dot(seen, patch.ball.centre) - patch.ball.radius) > 0) continue;
    for (std::int32_t i = patch.begin; i < patch.end; ++i) {
      const Vector x = body.size * body.shape->points()[static_cast<std::size_t>(i)];
      if (const double depth = -from_end - dot(seen, x); depth > 0) found.add(depth, normal, x);
    }
  }
  if (!(found.total > 0)) return {};
  return {found.deepest, normal, (1 / found.total) * body.at.rotation(found.at)};
}

} // namespace corral::structure
