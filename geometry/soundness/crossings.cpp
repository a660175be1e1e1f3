#include "geometry/soundness/faults.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace corral::geometry {

namespace {

constexpr double blur = 1e-7; // of the largest coordinate: what single precision leaves of it
constexpr std::size_t leaf_size = 8;
// Pairs whose boxes are compared: some 40 to a triangle are usual. Far more are those of a fan around one point.
constexpr std::int64_t pairs_to_a_triangle = 400, pairs_at_least = 100'000'000;

struct Bounds {
  Vector low, high;

  bool meets(const Bounds& other) const {
    for (std::size_t d = 0; d < 3; ++d)
      if (low[d] > other.high[d] || other.low[d] > high[d]) return false;
    return true;
  }
  void take(const Bounds& other) {
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], other.low[d]);
      high[d] = std::max(high[d], other.high[d]);
    }
  }
};

/// A binary tree of boxes over the triangles, a few to a leaf.
class Crossings {
public:
  Crossings(const Surface& surface, const SurfaceNames& names, Faults& faults, std::int64_t enough)
      : points_(surface.points.span()), triangles_(surface.triangles.span()), names_(names), faults_(faults),
        enough_(enough), pairs_left_(std::max(pairs_at_least, pairs_to_a_triangle * surface.triangles.size())),
        order_(surface.triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    for (const Vector& x : points_)
      for (const double v : x) apart_ = std::max(apart_, blur * std::abs(v));
  }

  void look() {
    build(order_.span());
    within(0, order_.span());
    judge_borders();
  }

private:
  // Node i's first child is node i + 1.
  struct Node {
    Bounds box;
    std::int32_t second = 0; // child; 0 in a leaf
  };
  using Part = std::span<std::int32_t>;
  /// An edge from one point to another meets a face in its border; it is one of the triangle `edges`.
  struct AtBorder {
    std::int32_t from, to, face, edges;
    bool outward;
  };

  Bounds box_of(std::int32_t t) const {
    const auto [a, b, c] = corners(points_, triangles_[t]);
    Bounds box{a, a};
    box.take({b, b}), box.take({c, c});
    return box;
  }

  // Parted at the median of the centres, along the longest side of the box around all.
  void build(Part part) {
    const std::int64_t here = nodes_.size();
    nodes_.resize(here + 1, Node{});
    Bounds box = box_of(part[0]);
    for (const std::int32_t t : part) box.take(box_of(t));
    nodes_[here].box = box;
    if (part.size() <= leaf_size) return;
    const Vector sides = box.high - box.low;
    const auto axis = static_cast<std::size_t>(std::max_element(sides.begin(), sides.end()) - sides.begin());
    const auto centre = [&](std::int32_t t) {
      const auto [a, b, c] = corners(points_, triangles_[t]);
      return std::pair(a[axis] + b[axis] + c[axis], t);
    };
    std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2), part.end(),
                     [&](std::int32_t s, std::int32_t t) { return centre(s) < centre(t); });
    build(part.first(part.size() / 2));
    nodes_[here].second = static_cast<std::int32_t>(nodes_.size());
    build(part.subspan(part.size() / 2));
  }

  bool done() const { return found_ >= enough_ || pairs_left_ < 0; }

  void within(std::int32_t node, Part part) {
    if (done()) return;
    if (nodes_[node].second == 0) {
      for (std::size_t i = 0; i < part.size(); ++i)
        for (std::size_t j = i + 1; j < part.size(); ++j) judge(part[i], part[j]);
      return;
    }
    const std::size_t half = part.size() / 2;
    within(node + 1, part.first(half));
    within(nodes_[node].second, part.subspan(half));
    between(node + 1, part.first(half), nodes_[node].second, part.subspan(half));
  }

  void between(std::int32_t a, Part of_a, std::int32_t b, Part of_b) {
    if (done() || !nodes_[a].box.meets(nodes_[b].box)) return;
    if (nodes_[a].second == 0 && nodes_[b].second == 0) {
      for (const std::int32_t s : of_a) {
        if (box_of(s).meets(nodes_[b].box))
          for (const std::int32_t t : of_b) judge(s, t);
      }
      return;
    }
    // The one with more triangles is parted.
    if (of_a.size() < of_b.size()) std::swap(a, b), std::swap(of_a, of_b);
    const std::size_t half = of_a.size() / 2;
    between(a + 1, of_a.first(half), b, of_b);
    between(nodes_[a].second, of_a.subspan(half), b, of_b);
  }

  void judge(std::int32_t s, std::int32_t t) {
    --pairs_left_;
    if (done() || !box_of(s).meets(box_of(t))) return;
    const Triangle &one = corners_of(s), &other = corners_of(t);
    // Two with a common edge touch in it alone.
    if (std::count_if(one.begin(), one.end(), [&](std::int32_t p) { return has(other, p); }) > 1) return;
    if (any_goes_through(s, t) || any_goes_through(t, s)) tell(s, t);
  }

  void tell(std::int32_t s, std::int32_t t) {
    ++found_;
    const auto [first, second] = std::minmax(s, t);
    faults_.add(FaultKind::crossing, names_.place_of_triangle(second), [first = first, second = second] {
      return "triangles " + std::to_string(first) + " and " + std::to_string(second) +
             " cross (the surface goes through itself) take apart what crosses";
    });
  }

  const Triangle& corners_of(std::int32_t t) const { return triangles_[t]; }
  static bool has(const Triangle& of, std::int32_t p) { return std::find(of.begin(), of.end(), p) != of.end(); }

  /// Whether an edge of one goes through the inside of the other. Edges at a common corner touch in it alone.
  bool any_goes_through(std::int32_t edges, std::int32_t face) {
    const Triangle &ends = corners_of(edges), &inside = corners_of(face);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto [from, to] = std::minmax(ends[c], ends[(c + 1) % 3]); // the same for both triangles of the edge
      if (has(inside, from) || has(inside, to)) continue;
      bool outward = false;
      const double deep = depth(from, to, inside, outward);
      if (deep > apart_) return true;
      if (deep >= -apart_) at_border_.push_back({from, to, face, edges, outward});
    }
    return false;
  }

  /// How far from the face's nearest side an edge goes through its plane [m], below 0 outside; and which way.
  double depth(std::int32_t from, std::int32_t to, const Triangle& face, bool& outward) const {
    constexpr double never = -std::numeric_limits<double>::infinity();
    const auto [a, b, c] = corners(points_, face);
    const Vector x = points_[from], y = points_[to];
    const Vector normal = cross(b - a, c - a);
    const double size = length(normal);
    if (!(size > 0)) return never;
    const double before = dot(x - a, normal) / size, behind = dot(y - a, normal) / size;
    if (!(std::min(before, behind) < -apart_ && std::max(before, behind) > apart_)) return never;
    outward = behind > before;
    const Vector meets = x + (before / (before - behind)) * (y - x);
    const auto beyond = [&](const Vector& p, const Vector& q) {
      return dot(cross(q - p, meets - p), normal) / (length(q - p) * size);
    };
    return std::min({beyond(a, b), beyond(b, c), beyond(c, a)});
  }

  /// An edge that meets several faces in their common border goes through the surface there where it passes them all
  /// the same way; where it goes into one and out of another it only touches. What is symmetric crosses so.
  void judge_borders() {
    const auto key = [](const AtBorder& one) { return std::tuple(one.from, one.to, one.face, one.edges); };
    std::sort(at_border_.begin(), at_border_.end(), [&](const AtBorder& a, const AtBorder& b) { return key(a) < key(b); });
    for (std::size_t begin = 0, end = 0; begin < at_border_.size(); begin = end) {
      const AtBorder& first = at_border_[begin];
      bool one_way = true, several = false;
      for (end = begin; end < at_border_.size(); ++end) {
        const AtBorder& next = at_border_[end];
        if (next.from != first.from || next.to != first.to) break;
        one_way = one_way && next.outward == first.outward;
        several = several || next.face != first.face;
      }
      if (one_way && several) tell(first.edges, first.face);
    }
  }

  std::span<const Vector> points_;
  std::span<const Triangle> triangles_;
  const SurfaceNames& names_;
  Faults& faults_;
  std::int64_t enough_, found_ = 0, pairs_left_;
  double apart_ = 0; // [m] what goes less deep only touches
  Array<std::int32_t> order_;
  Array<Node> nodes_;
  std::vector<AtBorder> at_border_;
};

} // namespace

void look_for_crossings(const Surface& surface, const SurfaceNames& names, Faults& faults, std::int64_t enough) {
  Crossings(surface, names, faults, enough).look();
}

} // namespace corral::geometry
