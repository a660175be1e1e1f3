#pragma once

#include "geometry/surface.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace corral::geometry {

/// An edge of a mesh and what lies at its two sides.
struct MeshEdge {
  std::array<std::int32_t, 2> points;    ///< the first is the lower number
  std::array<std::int32_t, 2> triangles; ///< the first one runs from points[0] to points[1], the second one back
  std::array<std::int32_t, 2> opposite;  ///< third corner of each of them
};

/// A closed surface, oriented outward, whose points each have one ring of triangles around them, and who is whose
/// neighbour. Which points the triangles join stays; where the points are is the caller's to change.
class Mesh {
public:
  Mesh() = default;
  /// Takes a surface over. Throws Error with all its faults where it has any (`find_faults`).
  explicit Mesh(Surface surface, Components components = Components::one);
  /// The same of a surface of which `find_faults` found none.
  static Mesh of_sound(Surface surface);

  std::int64_t point_count() const { return surface_.points.size(); }
  std::int64_t triangle_count() const { return surface_.triangles.size(); }
  std::int64_t edge_count() const { return edges_.size(); }

  std::span<const Vector> points() const { return surface_.points.span(); } ///< [m]
  std::span<Vector> points() { return surface_.points.span(); }             ///< [m]
  std::span<const Triangle> triangles() const { return surface_.triangles.span(); }
  /// In order of their points: the lower ones first.
  std::span<const MeshEdge> edges() const { return edges_.span(); }
  /// Places in `edges()`: number c joins corner c of the triangle and the next one.
  const std::array<std::int32_t, 3>& edges_of(std::int64_t triangle) const { return edges_of_[triangle]; }

  /// The points that edges join to this one, counterclockwise as seen from outside.
  std::span<const std::int32_t> ring(std::int64_t point) const { return around(ring_, point); }
  /// The triangles around a point: number k has point k of the ring and the next one as corners.
  std::span<const std::int32_t> triangles_around(std::int64_t point) const { return around(triangles_around_, point); }

  const Surface& surface() const { return surface_; }

private:
  std::span<const std::int32_t> around(const Array<std::int32_t>& of, std::int64_t point) const {
    return of.span().subspan(static_cast<std::size_t>(ring_begin_[point]),
                             static_cast<std::size_t>(ring_begin_[point + 1] - ring_begin_[point]));
  }
  void find_neighbours();
  void find_edges();
  void find_rings();
  std::int32_t twin(std::int32_t half_edge) const;

  Surface surface_;
  Array<MeshEdge> edges_;
  Array<std::array<std::int32_t, 3>> edges_of_;
  Array<std::int32_t> ring_begin_, ring_, triangles_around_;
};

/// Half edge 3 t + c runs along triangle t from its corner c to the next one.
struct HalfEdge {
  std::int32_t from, to, opposite; ///< points; the last one is the triangle's third
};
inline HalfEdge half_edge(std::span<const Triangle> triangles, std::int32_t h) {
  const Triangle& t = triangles[h / 3];
  const auto c = static_cast<std::size_t>(h % 3);
  return {t[c], t[(c + 1) % 3], t[(c + 2) % 3]};
}

/// All half edges by the edge that they run along, in whichever direction. Edges are ordered by their lower point, then
/// by the higher one; sides of an edge by the opposite point, then by number.
class EdgeSides {
public:
  struct Side {
    std::int32_t far;      ///< higher point of the edge
    std::int32_t opposite; ///< point
    std::int32_t half_edge;
  };

  /// Takes the triangles t that have no mark, all where there are no marks. Their points lie in [0, points), and
  /// differ.
  EdgeSides(std::int64_t points, std::span<const Triangle> triangles, std::span<const std::uint8_t> marks = {});

  /// Calls f(lower point, sides) for every edge, in order; `sides` is never empty.
  template <class F> void for_each_edge(F&& f) const {
    for (std::int64_t low = 0; low + 1 < begin_.size(); ++low)
      for (std::int64_t i = begin_[low]; i < begin_[low + 1];) {
        std::int64_t end = i + 1;
        while (end < begin_[low + 1] && sides_[end].far == sides_[i].far) ++end;
        f(static_cast<std::int32_t>(low),
          sides_.span().subspan(static_cast<std::size_t>(i), static_cast<std::size_t>(end - i)));
        i = end;
      }
  }

private:
  Array<std::int64_t> begin_; // of the sides of each lower point
  Array<Side> sides_;
};

} // namespace corral::geometry
