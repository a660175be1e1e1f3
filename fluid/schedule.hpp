#pragma once

#include <vector>

namespace corral::fluid {

/// A factor over time: linear between the given points, constant before the first and after the last. A time that
/// stands twice is a jump, and the later factor holds there.
class Schedule {
public:
  Schedule() = default; ///< 1 at all times
  /// `times` [s] in ascending order, each at most twice, and as many `factors`. Throws Error otherwise.
  Schedule(std::vector<double> times, std::vector<double> factors);

  double at(double time) const;
  double largest() const; ///< factor at any time

private:
  std::vector<double> times_, factors_;
};

} // namespace corral::fluid
