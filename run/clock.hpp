#pragma once

#include "run/case/values.hpp"
#include "run/state/registry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

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

/// Tells once of adaptive steps that have been held far below the longest one for long: a run then takes many times as
/// long as its user counts on, mostly because of something small and fast that nobody wanted.
class ShortSteps {
public:
  static constexpr std::int64_t for_long = 1000; ///< steps, over which the mean is taken
  static constexpr double far_below = 0.25;      ///< of the longest step

  void bind_state(Registry& registry) {
    registry.bind("pace_steps", "steps over which the mean step is taken, -1 once it was told of", steps_);
    registry.bind("pace_time", "s", "time that these steps took", taken_);
  }

  /// After a step of dt that ended at `time`, where `longest` was asked for [s]. `cause` says what holds steps down.
  std::optional<std::string> look(double time, double dt, double longest, const std::string& cause) {
    if (steps_ < 0) return std::nullopt;
    taken_ += dt;
    if (++steps_ < for_long) return std::nullopt;
    const double mean = taken_ / static_cast<double>(steps_);
    steps_ = 0;
    taken_ = 0;
    if (mean >= far_below * longest) return std::nullopt;
    steps_ = -1;
    return "at " + brief(time) + " s the last " + std::to_string(for_long) + " steps were " + brief(mean) + " s in the mean, " +
           brief(mean / longest) + " of time.dt, because " + cause + ": at that pace a second takes " + brief(1 / mean) +
           " steps (is it meant to be so fast? coarser cells allow longer steps)";
  }

private:
  std::int64_t steps_ = 0;
  double taken_ = 0; // [s]
};

} // namespace corral::run
