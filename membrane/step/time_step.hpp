#pragma once

#include "membrane/setup/setup.hpp"
#include "membrane/step/stable_step.hpp"
#include "run/notices.hpp"
#include "run/time_step.hpp"

#include <string>
#include <vector>

namespace corral::membrane {

/// The length of the next step: fixed, or as long as stiffness and speed allow. It begins with a thousandth of what
/// stiffness allows, for how fast forces drive the fluid shows after a step, and doubles at most.
class StepLength {
public:
  StepLength(const MembraneSetup& setup, const StableStep& stable, run::Registry& registry);

  double next() const { return length_.next(); } ///< [s]
  run::AdaptiveStep& length() { return length_; }
  const run::AdaptiveStep& length() const { return length_; }
  /// After a step that ended at `time` [s]; `rate` is what the fluid crosses, cells per time [1/s], and `stable` what
  /// membranes allow as they are now. Throws Error where the adaptive step falls below its floor.
  void adapt(double time, double rate, const StableStep& stable);
  /// Throws Error where a step of dt [s] crosses more cells than it may.
  void check(double dt, double rate) const;
  /// That membranes have become too stiff for fixed steps, or keep adaptive ones short for long, once.
  std::vector<run::Notice> take_notices() { return notices_.take(); }

private:
  /// As the columns' names stand in the constructor.
  enum Bound : int { speed = run::AdaptiveStep::others, stiff };

  std::string stiffness() const;         ///< what bounds it, in words
  std::string bound(double rate) const;  ///< what bounds the next step, in words

  const MembraneSetup& setup_;
  StableStep stable_;
  double longest_; ///< that membranes allow at the start, and the case [s]
  run::AdaptiveStep length_;
  run::Said stiffened_;
  run::Notices notices_;
};

} // namespace corral::membrane
