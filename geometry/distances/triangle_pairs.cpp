#include "geometry/distances/surface_tree.hpp"

#include <algorithm>
#include <cstddef>

namespace corral::geometry {

namespace {

/// Where the nearest point of a segment lies, from 0 at `a` to 1 at `b`.
double nearest_share(const Vector& x, const Vector& a, const Vector& b) {
  const Vector along = b - a, to = x - a;
  const double size = dot(along, along);
  return size > 0 ? std::clamp(dot(to, along) / size, 0.0, 1.0) : 0.0;
}

double distance2_to_segment(const Vector& x, const Vector& a, const Vector& b) {
  const Vector along = b - a, to = x - a;
  const Vector off = to - nearest_share(x, a, b) * along;
  return dot(off, off);
}

/// Whether x lies above the inside of a triangle of this normal, or below it.
bool is_above_inside(const Vector& x, const TriangleCorners& t, const Vector& n) {
  bool above_inner = dot(n, n) > 0;
  for (std::size_t c = 0; c < 3 && above_inner; ++c) above_inner = dot(cross(t[(c + 1) % 3] - t[c], x - t[c]), n) >= 0;
  return above_inner;
}

} // namespace

Vector nearest_on_triangle(const Vector& x, const TriangleCorners& t) {
  const Vector n = cross(t[1] - t[0], t[2] - t[0]);
  if (is_above_inside(x, t, n)) return x - (dot(x - t[0], n) / dot(n, n)) * n;
  Vector nearest = t[0];
  for (std::size_t c = 0; c < 3; ++c) {
    const Vector &a = t[c], &b = t[(c + 1) % 3], on = a + nearest_share(x, a, b) * (b - a);
    if (dot(x - on, x - on) < dot(x - nearest, x - nearest)) nearest = on;
  }
  return nearest;
}

double distance2_to_triangle(const Vector& x, const TriangleCorners& t) {
  const Vector n = cross(t[1] - t[0], t[2] - t[0]);
  if (is_above_inside(x, t, n)) {
    const double height = dot(x - t[0], n);
    return height * height / dot(n, n);
  }
  return std::min(
      {distance2_to_segment(x, t[0], t[1]), distance2_to_segment(x, t[1], t[2]), distance2_to_segment(x, t[2], t[0])});
}

// The nearest points are the feet of the common normal where these lie within both segments; otherwise one of the four
// ends is one of them.
double distance2_of_segments(const Vector& a0, const Vector& a1, const Vector& b0, const Vector& b1) {
  const Vector u = a1 - a0, v = b1 - b0, w = a0 - b0;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv, s = uv * vw - vv * uw, r = uu * vw - uv * uw;
  if (det > 0 && s >= 0 && s <= det && r >= 0 && r <= det) {
    const Vector off = w + (s / det) * u - (r / det) * v;
    return dot(off, off);
  }
  return std::min({distance2_to_segment(a0, b0, b1), distance2_to_segment(a1, b0, b1), distance2_to_segment(b0, a0, a1),
                   distance2_to_segment(b1, a0, a1)});
}

bool goes_through(const Vector& from, const Vector& to, const TriangleCorners& t) {
  const Vector n = cross(t[1] - t[0], t[2] - t[0]);
  const double before = dot(from - t[0], n), behind = dot(to - t[0], n);
  if ((before > 0) == (behind > 0)) return false;
  // On one side of the three planes that the segment makes with the edges.
  const Vector along = to - from;
  int left = 0;
  for (std::size_t c = 0; c < 3; ++c) left += dot(cross(t[c] - from, t[(c + 1) % 3] - from), along) > 0 ? 1 : 0;
  return left == 0 || left == 3;
}

bool come_nearer(const TriangleCorners& s, const TriangleCorners& t, double gap) {
  const double gap2 = gap * gap;
  for (std::size_t c = 0; c < 3 && gap > 0; ++c) {
    if (distance2_to_triangle(s[c], t) < gap2 || distance2_to_triangle(t[c], s) < gap2) return true;
    for (std::size_t d = 0; d < 3; ++d)
      if (distance2_of_segments(s[c], s[(c + 1) % 3], t[d], t[(d + 1) % 3]) < gap2) return true;
  }
  for (std::size_t c = 0; c < 3; ++c)
    if (goes_through(s[c], s[(c + 1) % 3], t) || goes_through(t[c], t[(c + 1) % 3], s)) return true;
  return false;
}

} // namespace corral::geometry
