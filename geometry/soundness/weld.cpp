#include "geometry/soundness/weld.hpp"

#include "geometry/mesh.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace corral::geometry {

namespace {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t hash_of(const Vector& x) {
  std::uint64_t h = 0;
  for (const double v : x) h = mixed(h + 0x9e3779b97f4a7c15u + std::bit_cast<std::uint64_t>(v == 0 ? 0.0 : v));
  return h;
}

} // namespace

// Where a point equal to x stands in the table, or would.
std::int64_t PointIndex::slot_of(std::span<const Vector> points, const Vector& x) const {
  const std::int64_t mask = places_.size() - 1;
  std::int64_t slot = static_cast<std::int64_t>(hash_of(x)) & mask;
  while (places_[slot] != none && points[places_[slot]] != x) slot = (slot + 1) & mask;
  return slot;
}

std::int32_t PointIndex::first(std::span<const Vector> points, std::int32_t place) {
  if (2 * (used_ + 1) > places_.size()) {
    Array<std::int32_t> old(2 * places_.size(), none);
    old.swap(places_);
    for (const std::int32_t p : old)
      if (p != none) places_[slot_of(points, points[p])] = p;
  }
  const std::int64_t slot = slot_of(points, points[place]);
  if (places_[slot] != none) return places_[slot];
  places_[slot] = place;
  ++used_;
  return place;
}

namespace {

/// Points that others may be joined to, by cubes of a space that is cut into them. They lie more than the cubes' size
/// apart, so that a cube holds a few at most.
class WeldAnchors {
public:
  WeldAnchors(const Surface& surface, double tolerance)
      : points_(surface.points.span()), tolerance_(tolerance), next_(surface.points.size(), -1) {}

  /// The nearest one within the tolerance, of equally near ones the first; -1 where there is none.
  std::int32_t nearest(const Vector& x) const {
    std::int32_t best = -1;
    double best_distance = tolerance_;
    const Cube at = cube_of(x);
    for (int k = 0; k < 27; ++k) {
      const auto cube = cubes_.find({at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1});
      for (std::int32_t p = cube == cubes_.end() ? -1 : cube->second; p >= 0; p = next_[p]) {
        const double distance = length(points_[p] - x);
        if (distance < best_distance || (distance == best_distance && (best < 0 || p < best))) {
          best = p;
          best_distance = distance;
        }
      }
    }
    return best;
  }
  void add(std::int32_t p) {
    const auto [cube, is_new] = cubes_.emplace(cube_of(points_[p]), p);
    if (!is_new) next_[p] = std::exchange(cube->second, p);
  }

private:
  // In doubles: whole numbers up to 2^53, and no cast that could overflow.
  using Cube = std::array<double, 3>;
  Cube cube_of(const Vector& x) const {
    return {std::floor(x[0] / tolerance_), std::floor(x[1] / tolerance_), std::floor(x[2] / tolerance_)};
  }

  std::span<const Vector> points_;
  double tolerance_;
  std::map<Cube, std::int32_t> cubes_; // the last anchor of each
  Array<std::int32_t> next_;           // the one before in the same cube
};

// 1 for points of edges that one triangle has alone.
Array<std::uint8_t> points_of_open_edges(const Surface& surface) {
  Array<std::uint8_t> open(surface.points.size(), 0);
  Array<std::uint8_t> marks(surface.triangles.size(), 0);
  for (std::int64_t i = 0; i < marks.size(); ++i) {
    const Triangle& t = surface.triangles[i];
    marks[i] = t[0] == t[1] || t[1] == t[2] || t[2] == t[0] ? 1 : 0;
  }
  EdgeSides(open.size(), surface.triangles.span(), marks.span())
      .for_each_edge([&](std::int32_t low, std::span<const EdgeSides::Side> sides) {
        if (sides.size() == 1) open[low] = open[sides[0].far] = 1;
      });
  return open;
}

} // namespace

Welded weld_open_edges(const Surface& surface, double tolerance) {
  const Array<std::uint8_t> open = points_of_open_edges(surface);
  Welded w;
  Array<std::int32_t> becomes(surface.points.size());
  WeldAnchors anchors(surface, tolerance);
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(becomes.size()); ++p) {
    const std::int32_t anchor = open[p] != 0 ? anchors.nearest(surface.points[p]) : -1;
    if (anchor >= 0) {
      becomes[p] = becomes[anchor];
      ++w.joined_points;
      continue;
    }
    if (open[p] != 0) anchors.add(p);
    becomes[p] = static_cast<std::int32_t>(w.points.size());
    w.points.resize(w.points.size() + 1, p);
  }
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(surface.triangles.size()); ++i) {
    const Triangle& t = surface.triangles[i];
    const Triangle joined{becomes[t[0]], becomes[t[1]], becomes[t[2]]};
    if (joined[0] == joined[1] || joined[1] == joined[2] || joined[2] == joined[0]) continue;
    w.surface.triangles.resize(w.surface.triangles.size() + 1, joined);
    w.triangles.resize(w.triangles.size() + 1, i);
  }
  w.surface.points.resize(w.points.size());
  for (std::int64_t p = 0; p < w.points.size(); ++p) w.surface.points[p] = surface.points[w.points[p]];
  return w;
}

double box_size(const Surface& surface) {
  double size = 0;
  for (std::size_t d = 0; d < 3 && !surface.points.empty(); ++d) {
    const auto by_coordinate = [=](const Vector& a, const Vector& b) { return a[d] < b[d]; };
    const auto [low, high] = std::minmax_element(surface.points.begin(), surface.points.end(), by_coordinate);
    size = std::max(size, (*high)[d] - (*low)[d]);
  }
  return size;
}

} // namespace corral::geometry
