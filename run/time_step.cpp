#include "run/time_step.hpp"

#include "run/case/settings.hpp"
#include "run/case/values.hpp"
#include "run/driver.hpp"
#include "run/notices.hpp"
#include "run/state/registry.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::run {

void declare_step_lengths(KeyTable& table, const StepWords& words) {
  table.add(choice("time", "step", {"fixed", "adaptive"}, words.fallback, words.step));
  table.add(within(positive("time", "dt", "s", std::nullopt, "the time step; where adaptive the largest one"), 1e-15, 1e6));
  table.add(where("step", {"adaptive"},
                  optional_positive("time", "dt_least", "s",
                                    "adaptive: a shorter step ends the run with the reason (1e-4 " + words.longest + ")")));
}

StepLengths read_step_lengths(const Settings& settings, Problems& problems) {
  StepLengths lengths{.adaptive = settings.choice("time", "step") == "adaptive", .dt = settings.real("time", "dt")};
  if (settings.given("time", "end")) lengths.end = settings.real("time", "end");
  if (!settings.given("time", "dt_least")) return lengths;
  lengths.least = settings.real("time", "dt_least");
  if (lengths.least >= lengths.dt)
    problems.add(settings.where("time", "dt_least"),
                 "time.dt_least is not below time.dt (steps are as long as time.dt at most) give a shorter one");
  return lengths;
}

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

void ShortSteps::look(double time, double dt, double longest, const std::string& cause, const std::string& cure, Notices& notices) {
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
              brief(1 / mean) + " steps (is it meant to be so fast? " + cure + ")");
}

AdaptiveStep::AdaptiveStep(const StepLengths& lengths, StepGrowth pace, std::vector<StepBound> bounds,
                           Registry& registry)
    : lengths_(lengths), growth_(pace), bounds_(std::move(bounds)), next_(lengths.dt), allowed_(lengths.dt),
      longest_(lengths.dt) {
  bounds_.insert(bounds_.begin(), {"growth", "growth"});
  if (lengths.adaptive) {
    of_row_.resize(std::ssize(bounds_) + 1, 0);
    of_run_.resize(std::ssize(bounds_) + 1, 0);
    registry.bind("row_step_bounds", "for the next row of log.csv, steps chosen since the last one by what bounds them",
                  of_row_);
    registry.bind("step_bounds", "steps chosen since the start by what bounds them", of_run_);
  }
  registry.bind("next_dt", "s", "length of the next time step", next_);
  if (pace.of_allowed) registry.bind("allowed_dt", "s", "step that all its bounds allow", allowed_);
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

void AdaptiveStep::end(double time) {
  next_ = step_to_multiple(time, lengths_.dt, allowed_);
  if (!lengths_.adaptive) return;
  if (time <= 0) of_row_.fill(0), of_run_.fill(0); // the first step is chosen, maybe anew
  ++of_row_[bound_];
  ++of_run_[bound_];
}

std::vector<LogColumn> AdaptiveStep::columns() const {
  std::vector<LogColumn> columns;
  for (const StepBound& bound : bounds_)
    if (lengths_.adaptive)
      columns.push_back({"limited_by_" + bound.name, "",
                         "share of the steps chosen since the last row that " + bound.what + " kept below time.dt"});
  return columns;
}

std::vector<double> AdaptiveStep::row() {
  double steps = 0;
  for (const std::uint64_t n : of_row_) steps += static_cast<double>(n);
  std::vector<double> row;
  for (std::int64_t i = growth; i < of_row_.size(); ++i) row.push_back(static_cast<double>(of_row_[i]) / std::max(steps, 1.0));
  of_row_.fill(0);
  return row;
}

std::string AdaptiveStep::summary() const {
  double steps = 0;
  for (const std::uint64_t n : of_run_) steps += static_cast<double>(n);
  std::vector<std::int64_t> order;
  for (std::int64_t i = growth; i < of_run_.size(); ++i)
    if (of_run_[i] > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return of_run_[a] > of_run_[b]; });
  std::string text;
  for (const std::int64_t i : order)
    text += (text.empty() ? "" : ", ") +
            formatted("%.2g %% ", 100 * static_cast<double>(of_run_[i]) / steps) + (text.empty() ? "of steps " : "") + "by " +
            bounds_[static_cast<std::size_t>(i - growth)].what;
  return text;
}

void AdaptiveStep::refuse(const std::string& culprit) const {
  throw Error("the adaptive step has fallen to " + brief(needed_) + " s, below " + brief(lengths_.floor(longest_)) + " s (" +
              culprit + ") look for what is so fast; where it should be, set time.dt_least lower");
}

} // namespace corral::run
