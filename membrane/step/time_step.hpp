#pragma once

#include "membrane/setup/setup.hpp"
#include "membrane/step/stable_step.hpp"
#include "run/clock.hpp"
#include "run/state/registry.hpp"

#include <string>
#include <vector>

namespace corral::membrane {

/// The length of the next step: fixed, or as long as stiffness and speed allow; then every multiple of the longest step
/// is met, so that output keeps its times.
class StepLength {
public:
  StepLength(const MembraneSetup& setup, const StableStep& stable, run::Registry& registry);

  double next() const { return next_; } ///< [s]
  /// After a step that ended at `time` [s]; `rate` is what the fluid crosses, cells per time [1/s], and `stable` what
  /// membranes allow as they are now. Throws Error where the adaptive step falls below its floor.
  void adapt(double time, double rate, const StableStep& stable);
  /// Throws Error where a step of dt [s] crosses more cells than it may.
  void check(double dt, double rate) const;
  /// That membranes have become too stiff for fixed steps, or keep adaptive ones short for long, once.
  std::vector<std::string> take_notices();

private:
  std::string stiffness() const; ///< what bounds it, in words

  const MembraneSetup& setup_;
  StableStep stable_;
  double next_;
  run::ShortSteps short_steps_;
  std::vector<std::string> notices_;
  bool told_ = false;
};

} // namespace corral::membrane
