#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace corral::run {

/// The longest step up to `allowed` of which a whole number leads from `time` to the next multiple of `interval`
/// (all [s]): `interval` itself where that is allowed from one multiple to the next.
inline double step_to_multiple(double time, double interval, double allowed) {
  const double multiples = time / interval;
  // A time that rounding left a hair before a multiple is that multiple.
  const double hair = std::max(1e-9, 8 * std::numeric_limits<double>::epsilon() * multiples);
  const double left = interval * (std::floor(multiples + hair) + 1) - time;
  const double parts = std::ceil(left / allowed * (1 - 1e-6));
  return parts == 1 && std::abs(left - interval) <= 2 * hair * interval ? interval : left / parts;
}

} // namespace corral::run
