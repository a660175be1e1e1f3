#include "fluid/inlet_profile.hpp"

#include <algorithm>

namespace corral::fluid {

std::function<double(const std::array<double, 3>& centre)>
parabolic_profile(const Grid& grid, int normal, const std::array<double, 3>& low, const std::array<double, 3>& high,
                  double velocity) {
  return [=](const std::array<double, 3>& centre) {
    double v = velocity;
    for (int axis = 0; axis < 3; ++axis) {
      const auto d = static_cast<std::size_t>(axis);
      if (axis == normal || grid.axis(axis).thin()) continue;
      const double half = 0.5 * grid.axis(axis).spacing, length = high[d] - low[d];
      const double from = std::clamp((centre[d] - half - low[d]) / length, 0.0, 1.0);
      const double to = std::clamp((centre[d] + half - low[d]) / length, 0.0, 1.0);
      const auto integral = [](double s) { return s * s * (3 - 2 * s); }; // of 6 s (1 - s)
      v *= to > from ? (integral(to) - integral(from)) / (to - from) : 0;
    }
    return v;
  };
}

} // namespace corral::fluid
