#pragma once

#include "run/state/registry.hpp"

#include <cstdint>

namespace corral::run {

/// Simulated time. A driver's step goes from time() to time() + dt(); the run loop then calls `advance`.
class Clock {
public:
  Clock() = default;
  Clock(double time, std::int64_t step) : time_(time), step_(step) {}

  double time() const { return time_; }       ///< [s]
  double dt() const { return dt_; }           ///< [s] of the step under way or of the last one
  std::int64_t step() const { return step_; } ///< steps done

  void set_dt(double dt) { dt_ = dt; }
  void advance() {
    // Compensated: millions of steps must not shift the times at which output is due.
    const double increment = dt_ - lost_;
    const double time = time_ + increment;
    lost_ = (time - time_) - increment;
    time_ = time;
    ++step_;
  }
  void bind_state(Registry& registry) {
    registry.bind("time", "s", "simulated", time_);
    registry.bind("dt", "s", "length of the last step", dt_);
    registry.bind("time_lost", "s", "what rounding added to the time", lost_);
    registry.bind("step", "steps done", step_);
  }

private:
  double time_ = 0;
  double dt_ = 0;
  double lost_ = 0; // what rounding added to time_ [s]
  std::int64_t step_ = 0;
};

} // namespace corral::run
