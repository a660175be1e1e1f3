#include "geometry/soundness/faults.hpp"

#include "geometry/measures.hpp"
#include "geometry/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace corral::geometry {

namespace {

/// How the triangles of one surface meet, looked at step by step.
class Joints {
public:
  Joints(const Surface& surface, const SurfaceNames& names, Array<std::uint8_t>& marks, Faults& faults)
      : surface_(surface), names_(names), marks_(marks), faults_(faults), triangles_(surface.triangles.span()),
        twin_(3 * surface.triangles.size()) {}

  void look_at_edges();
  void look_for_touching_points();
  void look_for_components();
  void look_at_volume();

private:
  using Side = EdgeSides::Side;

  void mark_repeated(std::int32_t low, std::span<const Side> sides);
  void look_at_edge(std::int32_t low, std::span<const Side> sides);
  std::string edge(std::int32_t low, std::int32_t far) const {
    return "edge " + names_.short_name(low) + "-" + names_.short_name(far);
  }

  const Surface& surface_;
  const SurfaceNames& names_;
  Array<std::uint8_t>& marks_;
  Faults& faults_;
  std::span<const Triangle> triangles_;
  Array<std::int32_t> twin_; // of each half edge, where all edges are sound
  std::vector<Side> kept_;
};

// Triangles of the same points stand beside each other at each of their edges, and are told at the first.
void Joints::mark_repeated(std::int32_t low, std::span<const Side> sides) {
  std::int32_t first = 0;
  for (std::size_t i = 1; i < sides.size(); ++i) {
    if (sides[i].opposite != sides[i - 1].opposite) {
      first = static_cast<std::int32_t>(i);
      continue;
    }
    const std::int32_t t = sides[i].half_edge / 3;
    if (sides[i].opposite < sides[i].far) continue;
    marks_[t] = 1;
    faults_.add(FaultKind::repeated_triangle, names_.place_of_triangle(t), [&] {
      return "triangle " + std::to_string(t) + " joins the same vertices as triangle " +
             std::to_string(sides[first].half_edge / 3) + " (" + names_.short_name(low) +
             ", " + names_.short_name(sides[i].far) + ", " + names_.short_name(sides[i].opposite) + ") leave it out";
    });
  }
}

void Joints::look_at_edge(std::int32_t low, std::span<const Side> sides) {
  kept_.clear();
  for (const Side& side : sides)
    if (marks_[side.half_edge / 3] == 0) kept_.push_back(side);
  if (kept_.empty()) return;
  std::sort(kept_.begin(), kept_.end(), [](const Side& a, const Side& b) { return a.half_edge < b.half_edge; });
  const std::int32_t far = kept_[0].far, h0 = kept_[0].half_edge, t0 = h0 / 3;
  const auto tell = [&](FaultKind kind, auto&& text) { faults_.add(kind, names_.place_of_triangle(t0), text); };
  if (kept_.size() == 1)
    return tell(FaultKind::open_edge, [&] {
      return edge(low, far) + " belongs to triangle " + std::to_string(t0) +
             " alone (the surface is open there) close the hole";
    });
  const std::int32_t h1 = kept_[1].half_edge;
  if (kept_.size() > 2)
    return tell(FaultKind::crowded_edge, [&] {
      return edge(low, far) + " belongs to " + std::to_string(kept_.size()) + " triangles, first " +
             std::to_string(t0) + ", " + std::to_string(h1 / 3) + " and " + std::to_string(kept_[2].half_edge / 3) +
             " (two meet at an edge) take the surfaces apart that meet there";
    });
  if (half_edge(triangles_, h0).from == half_edge(triangles_, h1).from)
    return tell(FaultKind::orientation, [&] {
      return "triangles " + std::to_string(t0) + " and " + std::to_string(h1 / 3) + " run along " + edge(low, far) +
             " the same way (neighbours run opposite ways) turn one of them round";
    });
  twin_[h0] = h1;
  twin_[h1] = h0;
}

void Joints::look_at_edges() {
  EdgeSides(surface_.points.size(), triangles_, marks_.span())
      .for_each_edge([&](std::int32_t low, std::span<const Side> sides) {
        mark_repeated(low, sides);
        look_at_edge(low, sides);
      });
}

// A walk around a point from triangle to triangle comes back to where it began. Where there are as many walks as
// points, each point has one.
void Joints::look_for_touching_points() {
  Array<std::uint8_t> seen(twin_.size(), 0), walks(surface_.points.size(), 0);
  for (std::int32_t h = 0; h < static_cast<std::int32_t>(seen.size()); ++h) {
    if (marks_[h / 3] != 0 || seen[h] != 0) continue;
    for (std::int32_t now = h; seen[now] == 0; now = twin_[now - now % 3 + (now + 2) % 3]) seen[now] = 1;
    const std::int32_t p = half_edge(triangles_, h).from;
    if (walks[p] < 2 && ++walks[p] == 2)
      faults_.add(FaultKind::touching_point, names_.place_of_triangle(h / 3), [&] {
        return "at " + names_.point(p) + " triangle " + std::to_string(h / 3) +
               " belongs to a part of the surface that touches another one in that vertex alone (one ring of triangles "
               "goes around a vertex) take them apart";
      });
  }
}

void Joints::look_for_components() {
  Array<std::int32_t> parent(surface_.points.size());
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(parent.size()); ++p) parent[p] = p;
  const auto root = [&](std::int32_t p) {
    while (parent[p] != p) p = parent[p] = parent[parent[p]];
    return p;
  };
  for (std::int64_t i = 0; i < surface_.triangles.size(); ++i)
    if (marks_[i] == 0)
      for (std::size_t c = 0; c < 2; ++c) {
        // The lower one becomes the root, whatever the order.
        const std::int32_t a = root(surface_.triangles[i][c]), b = root(surface_.triangles[i][c + 1]);
        parent[std::max(a, b)] = std::min(a, b);
      }
  Array<std::uint8_t> reported(parent.size(), 0);
  std::int32_t first = -1; // root of the first triangle
  for (std::int64_t i = 0; i < surface_.triangles.size(); ++i) {
    if (marks_[i] != 0) continue;
    const std::int32_t r = root(surface_.triangles[i][0]);
    if (first < 0) first = r;
    if (r == first || reported[r] != 0) continue;
    reported[r] = 1;
    faults_.add(FaultKind::several_components, names_.place_of_triangle(i), [&] {
      return "triangle " + std::to_string(i) +
             " belongs to a separate surface (one closed surface is asked for) keep one of them";
    });
  }
}

void Joints::look_at_volume() {
  const auto points = surface_.points.span();
  Vector low = points[triangles_[0][0]], high = low;
  for (const Triangle& t : triangles_)
    for (const Vector& x : corners(points, t))
      for (std::size_t d = 0; d < 3; ++d) {
        low[d] = std::min(low[d], x[d]);
        high[d] = std::max(high[d], x[d]);
      }
  const double v = volume(Cpu{}, points, triangles_), size = length(high - low);
  constexpr double round_off = 1e-12;
  if (!(std::abs(v) > round_off * size * area(Cpu{}, points, triangles_)))
    return faults_.add(FaultKind::no_volume, names_.place_of_whole(), [&] {
      return "the surface encloses no volume (" + std::to_string(triangles_.size()) + " triangles that lie flat)";
    });
  if (v < 0)
    faults_.add(FaultKind::inside_out, names_.place_of_whole(), [] {
      return std::string("the surface is inside out (its triangles run clockwise as seen from outside) turn it round");
    });
}

} // namespace

void look_at_joints(const Surface& surface, Components components, const SurfaceNames& names,
                    Array<std::uint8_t>& marks, Faults& faults) {
  Joints joints(surface, names, marks, faults);
  joints.look_at_edges();
  for (const FaultKind kind : {FaultKind::open_edge, FaultKind::crowded_edge, FaultKind::orientation})
    if (faults.count(kind) > 0) return;
  joints.look_for_touching_points();
  if (components == Components::one) joints.look_for_components();
  if (faults.none()) joints.look_at_volume();
}

} // namespace corral::geometry
