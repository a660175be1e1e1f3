#include "geometry/edge_sides.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <tuple>

namespace corral::geometry {

EdgeSides::EdgeSides(std::int64_t points, std::span<const Triangle> triangles, std::span<const std::uint8_t> marks)
    : begin_(points + 1, 0) {
  const auto count = static_cast<std::int32_t>(triangles.size());
  const auto for_each_half_edge = [&](auto&& f) {
    for (std::int32_t t = 0; t < count; ++t)
      if (marks.empty() || marks[static_cast<std::size_t>(t)] == 0)
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
