#include "geometry/distances/surface_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

namespace corral::geometry {

namespace {

// Along no symmetry of what is likely to be asked.
constexpr std::array<Vector, 4> ray_directions{
    {{.3819, .7236, .5748}, {-.6180, .2764, .7361}, {.8507, -.4472, .2764}, {-.1459, -.8944, .4226}}};

// Nodes that wait on a way down: one at each level, of which there are 27, the triangles being halved at each.
constexpr std::size_t most_waiting = 64;

/// About the centre of the box around the points that `for_all` calls a function with.
template <class ForAll> Ball ball_of(const Vector& one, const ForAll& for_all) {
  Vector low = one, high = one;
  for_all([&](const Vector& x) {
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], x[d]);
      high[d] = std::max(high[d], x[d]);
    }
  });
  Ball ball{.5 * (low + high), 0};
  for_all([&](const Vector& x) { ball.radius = std::max(ball.radius, length(x - ball.centre)); });
  return ball;
}

/// What a ray from the origin makes of a triangle: 1 where it goes out there, -1 where it comes in, 0 where it misses;
/// nothing where it comes too near to an edge, or begins too near to the triangle, to tell.
std::optional<int> crossing(const TriangleCorners& t, const Vector& along) {
  constexpr double unclear = 1e-12;
  const std::array<double, 3> sizes{length(t[0]), length(t[1]), length(t[2])};
  int left = 0, right = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const double side = dot(cross(t[c], t[(c + 1) % 3]), along), limit = unclear * sizes[c] * sizes[(c + 1) % 3];
    left += side > limit ? 1 : 0;
    right += side < -limit ? 1 : 0;
  }
  if (left > 0 && right > 0) return 0;
  const double ahead = dot(t[0], cross(t[1], t[2])), limit = unclear * sizes[0] * sizes[1] * sizes[2];
  if ((left > 0 && ahead < -limit) || (right > 0 && ahead > limit)) return 0; // behind
  if (left + right < 3 || std::abs(ahead) <= limit) return std::nullopt;
  return left == 3 ? 1 : -1;
}

} // namespace

Ball bounding_ball(std::span<const Vector> points) {
  return ball_of(points[0], [=](auto&& f) {
    for (const Vector& x : points) f(x);
  });
}

SurfaceTree::SurfaceTree(const Mesh& mesh) {
  Array<TriangleCorners> corners(mesh.triangle_count());
  for (std::int64_t t = 0; t < corners.size(); ++t)
    corners[t] = geometry::corners(mesh.points(), mesh.triangles()[t]);
  std::vector<std::int32_t> triangles(static_cast<std::size_t>(corners.size()));
  std::iota(triangles.begin(), triangles.end(), 0);
  build(triangles, corners.span());
}

// Triangles are parted at the median of their centres, along the longest side of the box around these.
void SurfaceTree::build(std::span<std::int32_t> triangles, std::span<const TriangleCorners> corners) {
  const std::int64_t here = nodes_.size();
  nodes_.resize(here + 1, Node{});
  nodes_[here].ball = ball_of(corners[triangles[0]][0], [&](auto&& f) {
    for (const std::int32_t t : triangles)
      for (const Vector& x : corners[t]) f(x);
  });
  if (triangles.size() == 1) {
    nodes_[here].triangle = static_cast<std::int32_t>(corners_.size());
    corners_.resize(corners_.size() + 1, corners[triangles[0]]);
    return;
  }
  const auto centre = [&](std::int32_t t, std::size_t d) {
    const TriangleCorners& c = corners[t];
    return c[0][d] + c[1][d] + c[2][d];
  };
  std::size_t axis = 0;
  double longest = -1;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto by_centre = [&](std::int32_t s, std::int32_t t) { return centre(s, d) < centre(t, d); };
    const auto [low, high] = std::minmax_element(triangles.begin(), triangles.end(), by_centre);
    const double side = centre(*high, d) - centre(*low, d);
    if (side > longest) {
      longest = side;
      axis = d;
    }
  }
  const auto half = triangles.begin() + static_cast<std::ptrdiff_t>(triangles.size() / 2);
  std::nth_element(triangles.begin(), half, triangles.end(), [&](std::int32_t s, std::int32_t t) {
    return std::pair(centre(s, axis), s) < std::pair(centre(t, axis), t);
  });
  build(triangles.first(triangles.size() / 2), corners);
  nodes_[here].second = static_cast<std::int32_t>(nodes_.size());
  build(triangles.subspan(triangles.size() / 2), corners);
}

double SurfaceTree::distance(const Vector& x, double limit) const {
  const auto to_ball = [&](std::int32_t n) { return length(x - nodes_[n].ball.centre) - nodes_[n].ball.radius; };
  double nearest = limit;
  std::array<std::int32_t, most_waiting> waiting{0};
  for (std::size_t count = 1; count > 0;) {
    const std::int32_t n = waiting[--count];
    if (to_ball(n) >= nearest) continue;
    if (const Node& node = nodes_[n]; node.second == 0) {
      nearest = std::min(nearest, std::sqrt(distance2_to_triangle(x, corners_[node.triangle])));
    } else {
      const bool first_is_nearer = to_ball(n + 1) < to_ball(node.second);
      waiting[count++] = first_is_nearer ? node.second : n + 1;
      waiting[count++] = first_is_nearer ? n + 1 : node.second;
    }
  }
  return nearest;
}

// A surface that is closed is left once more often than entered from inside.
std::optional<int> SurfaceTree::crossings(const Vector& x, const Vector& along) const {
  int all = 0;
  std::array<std::int32_t, most_waiting> waiting{0};
  for (std::size_t count = 1; count > 0;) {
    const std::int32_t n = waiting[--count];
    const Node& node = nodes_[n];
    const Vector to = node.ball.centre - x, off = to - std::max(0.0, dot(to, along)) * along;
    if (length(off) > node.ball.radius * (1 + 1e-9)) continue;
    if (node.second == 0) {
      const TriangleCorners& t = corners_[node.triangle];
      const std::optional<int> found = crossing({t[0] - x, t[1] - x, t[2] - x}, along);
      if (!found) return std::nullopt;
      all += *found;
    } else {
      waiting[count++] = node.second;
      waiting[count++] = n + 1;
    }
  }
  return all;
}

int SurfaceTree::windings(const Vector& x) const {
  if (length(x - bound().centre) > bound().radius) return 0;
  for (const Vector& along : ray_directions)
    if (const std::optional<int> found = crossings(x, direction(along))) return *found;
  return static_cast<int>(std::lround(solid_angle_windings(corners_.span(), x)));
}

// Whether the other surface, seen from this one's frame, comes nearer to this surface than the gap or crosses it.
bool SurfaceTree::touches(double gap, const SurfaceTree& other, const Placement& at) const {
  struct Pair {
    std::int32_t mine, others;
  };
  std::array<Pair, 2 * most_waiting> waiting{Pair{0, 0}};
  for (std::size_t count = 1; count > 0;) {
    const Pair pair = waiting[--count];
    const Node &a = nodes_[pair.mine], &b = other.nodes_[pair.others];
    if (length(at(b.ball.centre) - a.ball.centre) > a.ball.radius + b.ball.radius + gap) continue;
    if (a.second == 0 && b.second == 0) {
      const TriangleCorners& t = other.corners_[b.triangle];
      if (come_nearer(corners_[a.triangle], {at(t[0]), at(t[1]), at(t[2])}, gap)) return true;
    } else if (b.second == 0 || (a.second != 0 && a.ball.radius > b.ball.radius)) {
      waiting[count++] = {a.second, pair.others};
      waiting[count++] = {pair.mine + 1, pair.others};
    } else {
      waiting[count++] = {pair.mine, b.second};
      waiting[count++] = {pair.mine, pair.others + 1};
    }
  }
  return false;
}

bool nearer_than(double gap, const SurfaceTree& a, const Placement& at_a, const SurfaceTree& b, const Placement& at_b) {
  const Rotation into_a = at_a.rotation.inverse();
  const Placement b_in_a{into_a * at_b.rotation, into_a(at_b.position - at_a.position)};
  if (a.touches(gap, b, b_in_a)) return true;
  // Surfaces that don't touch are apart, or one lies within the other with all its points.
  const Rotation into_b = b_in_a.rotation.inverse();
  return a.inside(b_in_a(b.corners_[0][0])) || b.inside(into_b(a.corners_[0][0] - b_in_a.position));
}

// Van Oosterom and Strackee 1983, The solid angle of a plane triangle.
double solid_angle_windings(std::span<const TriangleCorners> triangles, const Vector& x) {
  double halves = 0;
  for (const TriangleCorners& t : triangles) {
    const Vector a = t[0] - x, b = t[1] - x, c = t[2] - x;
    const double la = length(a), lb = length(b), lc = length(c);
    halves += std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return halves / (2 * std::numbers::pi);
}

} // namespace corral::geometry
