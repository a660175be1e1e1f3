#include "geometry/distances/distance_table.hpp"

#include <corral/for_each.hpp>

#include <cmath>

namespace corral::geometry {

DistanceTable::DistanceTable(Cpu cpu, const SurfaceTree& tree, const Vector& low, const Vector& high, double beyond,
                             std::int64_t points) {
  double longest = 0;
  for (std::size_t d = 0; d < 3; ++d) longest = std::max(longest, high[d] - low[d] + 2 * beyond);
  const double h = longest / static_cast<double>(points - 2);
  per_spacing_ = 1 / h;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    last_[d] = static_cast<std::int64_t>(std::ceil((high[d] - low[d] + 2 * beyond) * per_spacing_)) + 1;
    low_[d] = 0.5 * (low[d] + high[d] - static_cast<double>(last_[d]) * h);
    stride_[d] = count;
    count *= last_[d] + 1;
  }
  distance_.resize(count);
  const double limit = beyond + 2 * h;
  // Along a row a point farther from the surface than a spacing has the next one on its own side.
  for_each_chunk(cpu, count / stride_[1], 1, [&](std::int64_t row, std::int64_t) {
    Vector x{0, low_[1] + static_cast<double>(row % (last_[1] + 1)) * h, low_[2] + static_cast<double>(row / (last_[1] + 1)) * h};
    bool inside = false, known = false;
    for (std::int64_t i = 0; i <= last_[0]; ++i) {
      x[0] = low_[0] + static_cast<double>(i) * h;
      const double distance = tree.distance(x, known && inside ? std::numeric_limits<double>::infinity() : limit);
      if (!known) inside = tree.inside(x);
      known = distance > h;
      distance_[row * stride_[1] + i] = static_cast<float>(inside ? -distance : distance);
    }
  });
}

} // namespace corral::geometry
