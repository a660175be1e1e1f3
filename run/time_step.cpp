#include "run/time_step.hpp"

#include "run/case/values.hpp"
#include "run/notices.hpp"
#include "run/state/registry.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::run {

double step_to_multiple(double time, double interval, double allowed) {
  const double multiples = time / interval;
  // A time that rounding left a hair before a multiple is that multiple.
  const double hair = std::max(1e-9, 8 * std::numeric_limits<double>::epsilon() * multiples);
  const double left = interval * (std::floor(multiples + hair) + 1) - time;
  const double parts = std::ceil(left / allowed * (1 - 1e-6));
  return parts == 1 && std::abs(left - interval) <= 2 * hair * interval ? interval : left / parts;
}

void ShortSteps::bind_state(Registry& registry) {
  registry.bind("pace_steps", "steps over which the mean step is taken, -1 once it was told of", steps_);
  registry.bind("pace_time", "s", "time that these steps took", taken_);
}

void ShortSteps::look(double time, double dt, double longest, const std::string& cause, Notices& notices) {
  if (steps_ < 0) return;
  taken_ += dt;
  if (++steps_ < for_long) return;
  const double mean = taken_ / static_cast<double>(steps_);
  steps_ = 0;
  taken_ = 0;
  if (mean >= far_below * longest) return;
  steps_ = -1;
  notices.add("at " + brief(time) + " s the last " + std::to_string(for_long) + " steps were " + brief(mean) +
              " s in the mean, " + brief(mean / longest) + " of time.dt, because " + cause + ": at that pace a second takes " +
              brief(1 / mean) + " steps (is it meant to be so fast? coarser cells allow longer steps)");
}

AdaptiveStep::AdaptiveStep(const StepLengths& lengths, StepGrowth growth, Registry& registry)
    : lengths_(lengths), growth_(growth), next_(lengths.dt), allowed_(lengths.dt), longest_(lengths.dt) {
  registry.bind("next_dt", "s", "length of the next time step", next_);
  if (growth.of_allowed) registry.bind("allowed_dt", "s", "step that all its bounds allow", allowed_);
  short_steps_.bind_state(registry);
}

void AdaptiveStep::begin(double longest, double grown) {
  longest_ = needed_ = longest;
  allowed_ = std::min(longest, grown);
  bound_ = grown < longest ? growth : nothing;
}

void AdaptiveStep::bound_by(int bound, double allowed) {
  needed_ = std::min(needed_, allowed);
  if (allowed < allowed_) allowed_ = allowed, bound_ = bound;
}

void AdaptiveStep::end(double time) { next_ = step_to_multiple(time, lengths_.dt, allowed_); }

void AdaptiveStep::refuse(const std::string& culprit) const {
  throw Error("the adaptive step has fallen to " + brief(needed_) + " s, below " + brief(lengths_.floor(longest_)) + " s (" +
              culprit + ") look for what is so fast; where it should be, set time.dt_least lower");
}

} // namespace corral::run
