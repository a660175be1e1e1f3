#pragma once

#include "run/clock.hpp"
#include "run/state/registry.hpp"

#include <cmath>
#include <string>

namespace corral::app {

/// When something is due: at the first step at or after each multiple of an interval, the start included. Due times
/// are multiples, not sums, and never drift.
class DueTimes {
public:
  /// `interval` in s; 0: never.
  explicit DueTimes(double interval) : interval_(interval) {}

  /// `what` is due.
  void bind_state(run::Registry& registry, const std::string& what) {
    registry.bind(what + "_due", "", "multiple of the interval at which it is due next", next_);
  }

  /// True once for each due time, or for several of them that one step passed.
  bool due(const run::Clock& clock) {
    if (!(interval_ > 0)) return false;
    // A time that rounding left a hair before the due time is that time.
    const double reached = std::floor((clock.time() + 1e-6 * clock.dt()) / interval_);
    if (reached < next_) return false;
    next_ = reached + 1;
    return true;
  }

private:
  double interval_;
  double next_ = 0; // multiple of the interval
};

} // namespace corral::app
