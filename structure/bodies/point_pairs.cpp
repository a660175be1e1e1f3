#include "structure/bodies/point_pairs.hpp"

#include "structure/placing/neighbours.hpp"

#include <algorithm>
#include <cstddef>

namespace corral::structure {

using namespace geometry; // the vectors' operators

PointPairs pairs_within(std::span<const Vector> points, double reach) {
  PointPairs pairs{.begin = {0}, .others = {}};
  if (points.empty()) return pairs;
  Vector low = points[0], high = points[0];
  for (const Vector& x : points)
    for (std::size_t d = 0; d < 3; ++d) low[d] = std::min(low[d], x[d]), high[d] = std::max(high[d], x[d]);
  Vector size{};
  for (std::size_t d = 0; d < 3; ++d) size[d] = std::max(high[d] - low[d], reach); // of a circle, too
  Neighbours near(low, size, {}, reach);
  for (std::size_t p = 0; p < points.size(); ++p) near.add(p, points[p]);
  for (const Vector& x : points) {
    const auto begin = static_cast<std::ptrdiff_t>(pairs.others.size());
    near.for_each_near(x, [&](std::size_t other) {
      const Vector apart = points[other] - x;
      if (dot(apart, apart) < reach * reach) pairs.others.push_back(static_cast<std::int32_t>(other));
      return true;
    });
    std::sort(pairs.others.begin() + begin, pairs.others.end());
    pairs.begin.push_back(static_cast<std::int64_t>(pairs.others.size()));
  }
  return pairs;
}

} // namespace corral::structure
