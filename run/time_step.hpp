#pragma once

#include <corral/array.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace corral::run {

class KeyTable; // run/case/keys.hpp
class Notices;  // run/notices.hpp
class Problems; // run/case/problems.hpp
class Registry; // run/state/registry.hpp
class Settings; // run/case/settings.hpp
struct LogColumn; // run/driver.hpp

/// How long a case lets the steps of its driver be: time.step, time.dt, time.dt_least and time.end.
struct StepLengths {
  bool adaptive = false;
  double dt = 0;    ///< [s] fixed, or the longest
  double least = 0; ///< [s] below which the adaptive step may not fall; 0: `shrunk` of what it could be
  double end = std::numeric_limits<double>::infinity(); ///< when the case ends [s]; the run loop sees to it

  static constexpr double shrunk = 1e-4;
  /// Where the adaptive step ends the run [s]; `longest` is what it would be if nothing moved fast.
  double floor(double longest) const { return least > 0 ? least : shrunk * longest; }
};

/// The words in which drivers differ.
struct StepWords {
  std::string fallback; ///< of time.step, fixed or adaptive
  std::string step;     ///< what both mean
  std::string longest;  ///< what dt_least is 1e-4 of where not given
};

/// Adds the rows of the keys of StepLengths but time.end, which the command has.
void declare_step_lengths(KeyTable& table, const StepWords& words);
/// Complains where the least step is not below the longest.
StepLengths read_step_lengths(const Settings& settings, Problems& problems);

/// The longest step up to `allowed` of which a whole number leads from `time` to the next multiple of `interval`
/// (all [s]): `interval` itself where that is allowed from one multiple to the next.
double step_to_multiple(double time, double interval, double allowed);

/// Tells once of adaptive steps that have been held far below the longest one for long: a run then takes many times as
/// long as its user counts on, mostly because of something small and fast that nobody wanted.
class ShortSteps {
public:
  static constexpr std::int64_t for_long = 1000; ///< steps, over which the mean is taken
  static constexpr double far_below = 0.25;      ///< of the longest step

  void bind_state(Registry& registry);
  /// After a step of dt that ended at `time`, where `longest` was asked for [s]. `cause` says what holds steps down, `cure` what
  /// allows longer ones.
  void look(double time, double dt, double longest, const std::string& cause, const std::string& cure, Notices& notices);

private:
  std::int64_t steps_ = 0; ///< -1 once it was told of
  double taken_ = 0;       ///< [s]
};

/// How much longer than the one before an adaptive step may be.
struct StepGrowth {
  double factor;
  bool of_allowed; ///< of what bounds allowed before, rather than of the step taken, which may have been shorter
};

/// Something that may keep an adaptive step short.
struct StepBound {
  std::string name; ///< of its column in log.csv, behind limited_by_
  std::string what; ///< "time.gas_courant"
};

/// The length of a driver's next step, fixed or adaptive. An adaptive one is chosen anew after each step: `begin`, `bound_by`
/// for everything that bounds it, `end`. It shrinks at once and grows slowly, and every multiple of the longest step is met,
/// so that output keeps its times.
class AdaptiveStep {
public:
  /// What bounds a step. A driver numbers its own bounds from `others` on.
  enum Bound : int { nothing, growth, others };

  /// `lengths` must outlive this. `bounds` are the driver's own, in their order.
  AdaptiveStep(const StepLengths& lengths, StepGrowth pace, std::vector<StepBound> bounds, Registry& registry);

  double next() const { return next_; }       ///< [s]
  double allowed() const { return allowed_; } ///< by all bounds; next() is as much or a little less [s]
  int bound() const { return bound_; }        ///< what keeps it below the longest step

  /// Begins the choice of the next step, which may be as long as `longest` if nothing moves, and as growth allows [s].
  void begin(double longest) { begin(longest, growth_.factor * (growth_.of_allowed ? allowed_ : next_)); }
  /// The same of a first step, with `grown` for growth [s].
  void begin(double longest, double grown);
  void bound_by(int bound, double allowed);
  /// Ends the choice, after a step that ended at `time` [s].
  void end(double time);

  /// Of log.csv: by each bound, and by growth, the share of the steps chosen since the last row that it kept short. None
  /// of fixed steps.
  std::vector<LogColumn> columns() const;
  std::vector<double> row();
  /// "52 % of steps by time.parcel_courant, 3 % by growth": since the start; "" where nothing kept a step short.
  std::string summary() const;

  /// Throws Error where something bounds the adaptive step below its floor: a flow that blows up, or a velocity that the
  /// case should not have. `culprit()` says what moves how fast.
  template <class Culprit> void check_floor(const Culprit& culprit) const {
    if (lengths_.adaptive && needed_ < lengths_.floor(longest_)) refuse(culprit());
  }
  /// Looks at a step of dt that ended at `time` [s] for steps that stay short; `cause` says what bounds them.
  void look(double time, double dt, const std::string& cause, Notices& notices,
            const std::string& cure = "coarser cells allow longer steps") {
    short_steps_.look(time, dt, lengths_.dt, cause, cure, notices);
  }

private:
  [[noreturn]] void refuse(const std::string& culprit) const;

  const StepLengths& lengths_;
  StepGrowth growth_;
  std::vector<StepBound> bounds_; ///< number `growth` first
  // The state, allowed_ where steps grow from it: the run goes on from it.
  double next_, allowed_; ///< [s]
  Array<std::uint64_t> of_row_, of_run_; ///< steps chosen by what bounds them, since the last row and the start
  ShortSteps short_steps_;
  // Found anew after each step.
  double longest_;                                            ///< [s]
  double needed_ = std::numeric_limits<double>::infinity();   ///< by all bounds but growth [s]
  int bound_ = nothing;
};

} // namespace corral::run
