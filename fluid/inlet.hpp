#pragma once

#include <corral/grid.hpp>

#include <array>
#include <functional>
#include <vector>

namespace corral::fluid {

/// Velocity through an inlet between the corners `low` and `high` [m], given at a face's centre: the product of a parabola
/// for each axis but `normal` and thin ones, of the mean `velocity` [m/s]. Each face has the mean over its part of the
/// inlet, so that the flux is exact on any grid.
std::function<double(const std::array<double, 3>& centre)>
parabolic_profile(const Grid& grid, int normal, const std::array<double, 3>& low, const std::array<double, 3>& high,
                  double velocity);

/// A factor over time: linear between the given points, constant before the first and after the last. A time that
/// stands twice is a jump, and the later factor holds there.
class Schedule {
public:
  Schedule() = default; ///< 1 at all times
  /// `times` [s] in ascending order, each at most twice, and as many `factors`. Throws Error otherwise.
  Schedule(std::vector<double> times, std::vector<double> factors);

  double at(double time) const;
  double largest() const; ///< factor at any time
  bool varies() const { return !times_.empty(); }

private:
  std::vector<double> times_, factors_;
};

} // namespace corral::fluid
