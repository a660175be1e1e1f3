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
  static constexpr std::int64_t for_long = 1000; ///< steps in a row
  static constexpr double far_below = 0.25;      ///< of the longest step

  void lend_state(Registry& registry) {
    registry.lend("short_steps", "steps in a row that were held far below the longest one, -1 once that was said", steps_);
  }

  /// After a step of dt that ended at `time`, where `longest` was asked for [s]. `cause` says what holds steps down.
  std::optional<std::string> look(double time, double dt, double longest, const std::string& cause) {
    if (steps_ < 0) return std::nullopt;
    steps_ = dt < far_below * longest ? steps_ + 1 : 0;
    if (steps_ < for_long) return std::nullopt;
    steps_ = -1;
    return "at " + brief(time) + " s the last " + std::to_string(for_long) + " steps were shorter than " + brief(far_below) +
           " of time.dt, now " + brief(dt) + " s, because " + cause + ": at that pace a second takes " + brief(1 / dt) +
           " steps (is it meant to be so fast? coarser cells allow longer steps)";
  }

private:
  std::int64_t steps_ = 0;
};

} // namespace corral::run
