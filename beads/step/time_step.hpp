#pragma once

#include "beads/setup/setup.hpp"
#include "beads/step/step.hpp"
#include "run/notices.hpp"
#include "run/time_step.hpp"

#include <vector>

namespace corral::beads {

/// The length of the steps: fixed, or as long as moving beads, springs and diffusion allow.
class StepLength {
public:
  StepLength(const BeadsSetup& setup, run::Registry& registry);

  double next() const { return length_.next(); } ///< [s]
  /// Chooses the next step, after one that ended at `time` [s].
  void adapt(double time, const BeadsStep& step);
  /// Throws Error where beads move more than twice time.displacement in a step of dt [s].
  void check(double dt, const BeadsStep& step) const;

  const run::AdaptiveStep& length() const { return length_; }
  run::AdaptiveStep& length() { return length_; }
  std::vector<run::Notice> take_notices() { return notices_.take(); }

private:
  enum Bound : int { displacement = run::AdaptiveStep::others, stiffness, diffusion };

  const BeadsSetup& setup_;
  double stiff_, diffusive_; ///< [s]
  run::AdaptiveStep length_;
  run::Notices notices_;
};

} // namespace corral::beads
