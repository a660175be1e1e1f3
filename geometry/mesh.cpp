#include "geometry/mesh.hpp"

#include "geometry/soundness/faults.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace corral::geometry {

Mesh::Mesh(Surface surface, Components components) : surface_(std::move(surface)) {
  if (const Faults faults = find_faults(surface_, components); !faults.none()) throw Error(faults.text());
  find_neighbours();
}

Mesh Mesh::of_sound(Surface surface) {
  Mesh mesh;
  mesh.surface_ = std::move(surface);
  mesh.find_neighbours();
  return mesh;
}

void Mesh::find_neighbours() {
  find_edges();
  find_rings();
}

void Mesh::find_edges() {
  const EdgeSides sides(point_count(), triangles());
  edges_.resize(triangle_count() * 3 / 2);
  edges_of_.resize(triangle_count());
  std::int32_t e = 0;
  sides.for_each_edge([&](std::int32_t low, std::span<const EdgeSides::Side> two) {
    MeshEdge& edge = edges_[e];
    edge.points = {low, two[0].far};
    for (const EdgeSides::Side& side : two) {
      const std::size_t back = half_edge(triangles(), side.half_edge).from == low ? 0 : 1;
      edge.triangles[back] = side.half_edge / 3;
      edge.opposite[back] = side.opposite;
      edges_of_[side.half_edge / 3][side.half_edge % 3] = e;
    }
    ++e;
  });
}

// The half edge that runs along the same edge the other way.
std::int32_t Mesh::twin(std::int32_t half) const {
  const std::int32_t e = edges_of_[half / 3][half % 3];
  const MeshEdge& edge = edges_[e];
  const std::int32_t other = edge.triangles[edge.triangles[0] == half / 3 ? 1 : 0];
  std::int32_t c = 0;
  while (edges_of_[other][c] != e) ++c;
  return 3 * other + c;
}

void Mesh::find_rings() {
  ring_begin_.resize(point_count() + 1, 0);
  ring_.resize(3 * triangle_count());
  triangles_around_.resize(3 * triangle_count());
  Array<std::int32_t> first(point_count()); // the lowest half edge that leaves each point
  for (std::int32_t h = static_cast<std::int32_t>(3 * triangle_count()); h-- > 0;) {
    const std::int32_t from = half_edge(triangles(), h).from;
    ++ring_begin_[from + 1];
    first[from] = h;
  }
  for (std::int64_t p = 0; p < point_count(); ++p) {
    ring_begin_[p + 1] += ring_begin_[p];
    std::int32_t h = first[p];
    for (std::int32_t i = ring_begin_[p]; i < ring_begin_[p + 1]; ++i) {
      ring_[i] = half_edge(triangles(), h).to;
      triangles_around_[i] = h / 3;
      h = twin(h - h % 3 + (h + 2) % 3); // of the half edge that comes back to the point
    }
  }
}

EdgeSides::EdgeSides(std::int64_t points, std::span<const Triangle> triangles, std::span<const std::uint8_t> marks)
    : begin_(points + 1, 0) {
  const auto count = static_cast<std::int32_t>(triangles.size());
  const auto for_each_half_edge = [&](auto&& f) {
    for (std::int32_t t = 0; t < count; ++t)
      if (marks.empty() || marks[t] == 0)
        for (std::int32_t h = 3 * t; h < 3 * t + 3; ++h) f(h, half_edge(triangles, h));
  };
  for_each_half_edge([&](std::int32_t, const HalfEdge& e) { ++begin_[std::min(e.from, e.to) + 1]; });
  for (std::int64_t p = 0; p < points; ++p) begin_[p + 1] += begin_[p];

  sides_.resize(begin_[points]);
  for_each_half_edge([&](std::int32_t h, const HalfEdge& e) {
    sides_[begin_[std::min(e.from, e.to)]++] = {std::max(e.from, e.to), e.opposite, h};
  });
  // Each begin has moved on to the next one's place.
  for (std::int64_t p = points; p > 0; --p) begin_[p] = begin_[p - 1];
  begin_[0] = 0;

  for_each(Cpu{}, points, [this](std::int64_t p) {
    std::sort(sides_.data() + begin_[p], sides_.data() + begin_[p + 1], [](const Side& a, const Side& b) {
      return std::tie(a.far, a.opposite, a.half_edge) < std::tie(b.far, b.opposite, b.half_edge);
    });
  });
}

} // namespace corral::geometry
