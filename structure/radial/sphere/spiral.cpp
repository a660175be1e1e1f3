#include "structure/radial/sphere/spiral.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace corral::structure::radial {

namespace {

/// Perpendicular to x, from the axis that is farthest from it, so that no site is special.
Frame frame_at(const Direction& x) {
  std::size_t axis = 0;
  for (std::size_t d = 1; d < 3; ++d)
    if (std::abs(x[d]) < std::abs(x[axis])) axis = d;
  Direction first{-x[axis] * x[0], -x[axis] * x[1], -x[axis] * x[2]};
  first[axis] += 1;
  const double length = std::hypot(first[0], first[1], first[2]);
  for (double& component : first) component /= length;
  return {first,
          {x[1] * first[2] - x[2] * first[1], x[2] * first[0] - x[0] * first[2], x[0] * first[1] - x[1] * first[0]}};
}

} // namespace

Spiral::Spiral(std::int64_t count) {
  if (count < 2) throw Error("a spiral of " + std::to_string(count) + " sites (at least 2 are needed)");
  points_.resize(static_cast<std::size_t>(count));
  const double n = static_cast<double>(count);
  for (std::int64_t i = 0; i < representatives(); ++i) {
    const double z = (2 * static_cast<double>(i) + 1 - n) / n;
    const double across = std::sqrt((1 - z) * (1 + z)), longitude = std::sqrt(std::numbers::pi * n) * std::asin(z);
    const Direction x{across * std::cos(longitude), across * std::sin(longitude), z};
    points_[static_cast<std::size_t>(partner(i))] = half_turn(x);
    points_[i] = x;
  }
}

Frame Spiral::frame(std::int64_t site) const {
  if (site < representatives()) return frame_at(point(site));
  const Frame frame = frame_at(point(partner(site)));
  return {half_turn(frame.first), half_turn(frame.second)};
}

} // namespace corral::structure::radial
