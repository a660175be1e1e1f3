#include "fluid/inlet.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace corral::fluid {

std::function<double(const std::array<double, 3>& centre)>
parabolic_profile(const Grid& grid, int normal, const std::array<double, 3>& low, const std::array<double, 3>& high,
                  double velocity) {
  return [=](const std::array<double, 3>& centre) {
    double v = velocity;
    for (int axis = 0; axis < 3; ++axis) {
      if (axis == normal || grid.axis(axis).thin()) continue;
      const double half = 0.5 * grid.axis(axis).spacing, length = high[axis] - low[axis];
      const double from = std::clamp((centre[axis] - half - low[axis]) / length, 0.0, 1.0);
      const double to = std::clamp((centre[axis] + half - low[axis]) / length, 0.0, 1.0);
      const auto integral = [](double s) { return s * s * (3 - 2 * s); }; // of 6 s (1 - s)
      v *= to > from ? (integral(to) - integral(from)) / (to - from) : 0;
    }
    return v;
  };
}

Schedule::Schedule(std::vector<double> times, std::vector<double> factors)
    : times_(std::move(times)), factors_(std::move(factors)) {
  if (times_.size() != factors_.size())
    throw Error(std::to_string(times_.size()) + " times and " + std::to_string(factors_.size()) +
                " factors (each time has a factor)");
  if (!std::is_sorted(times_.begin(), times_.end())) throw Error("times that don't ascend (a schedule goes forward)");
  for (std::size_t i = 2; i < times_.size(); ++i)
    if (times_[i] == times_[i - 2])
      throw Error("one time three times (two say from where to where the factor jumps) leave out the middle one");
}

double Schedule::at(double time) const {
  if (times_.empty()) return 1;
  const auto next = std::upper_bound(times_.begin(), times_.end(), time);
  if (next == times_.begin()) return factors_.front();
  if (next == times_.end()) return factors_.back();
  const auto i = static_cast<std::size_t>(next - times_.begin());
  const double share = (time - times_[i - 1]) / (times_[i] - times_[i - 1]);
  return factors_[i - 1] + share * (factors_[i] - factors_[i - 1]);
}

double Schedule::largest() const {
  return factors_.empty() ? 1 : *std::max_element(factors_.begin(), factors_.end());
}

} // namespace corral::fluid
