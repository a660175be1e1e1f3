#pragma once

#include "run/case/values.hpp"
#include "run/state/registry.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace corral::run {

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
