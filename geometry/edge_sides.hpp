#pragma once

#include "geometry/surface.hpp"

#include <corral/array.hpp>

#include <cstdint>
#include <span>

namespace corral::geometry {

/// Half edge 3 t + c runs along triangle t from its corner c to the next one.
struct HalfEdge {
  std::int32_t from, to, opposite; ///< points; the last one is the triangle's third
};
inline HalfEdge half_edge(std::span<const Triangle> triangles, std::int32_t h) {
  const Triangle& t = triangles[static_cast<std::size_t>(h / 3)];
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
