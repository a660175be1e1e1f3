#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "geometry/vector.hpp"

#include <corral/array.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace corral::geometry {

/// Signed distances to the surface of a shape, on a grid around it: rougher than the tree that they come from, by the
/// curvature times the square of the spacing, and a hundred times as fast.
class DistanceTable {
public:
  /// About as many points along the longest side; the grid reaches `beyond` [m] farther than the shape.
  DistanceTable(Cpu, const SurfaceTree& tree, const Vector& low, const Vector& high, double beyond, std::int64_t points);

  struct Value {
    double distance; ///< negative inside [m]
    Vector gradient; ///< of it; about 1 long
  };
  /// Between the points of the grid; outside it infinity, and no gradient.
  Value operator()(const Vector& x) const {
    std::array<double, 3> part{};
    std::int64_t at = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double index = (x[d] - low_[d]) * per_spacing_;
      if (!(index >= 0 && index < static_cast<double>(last_[d]))) return {std::numeric_limits<double>::infinity(), {}};
      const auto whole = static_cast<std::int64_t>(index);
      part[d] = index - static_cast<double>(whole);
      at += whole * stride_[d];
    }
    return between(&distance_[at], part);
  }

  double spacing() const { return 1 / per_spacing_; } ///< [m]
  std::int64_t bytes() const { return distance_.bytes(); }

private:
  /// Trilinear.
  Value between(const float* corner, const std::array<double, 3>& part) const {
    const auto mix = [](double a, double b, double t) { return a + t * (b - a); };
    std::array<std::array<double, 2>, 2> along_x{}, slope_x{}; // [z][y]
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t j = 0; j < 2; ++j) {
        const float* edge = corner + static_cast<std::int64_t>(j) * stride_[1] + static_cast<std::int64_t>(k) * stride_[2];
        slope_x[k][j] = static_cast<double>(edge[1]) - static_cast<double>(edge[0]);
        along_x[k][j] = static_cast<double>(edge[0]) + part[0] * slope_x[k][j];
      }
    const std::array<double, 2> along_y{mix(along_x[0][0], along_x[0][1], part[1]), mix(along_x[1][0], along_x[1][1], part[1])};
    const double x = mix(mix(slope_x[0][0], slope_x[0][1], part[1]), mix(slope_x[1][0], slope_x[1][1], part[1]), part[2]);
    const double y = mix(along_x[0][1] - along_x[0][0], along_x[1][1] - along_x[1][0], part[2]);
    return {mix(along_y[0], along_y[1], part[2]),
            {x * per_spacing_, y * per_spacing_, (along_y[1] - along_y[0]) * per_spacing_}};
  }

  Vector low_{};
  double per_spacing_ = 1;
  std::array<std::int64_t, 3> last_{}, stride_{};
  Array<float> distance_; ///< x fastest [m]
};

inline DistanceTable::DistanceTable(Cpu cpu, const SurfaceTree& tree, const Vector& low, const Vector& high, double beyond,
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
