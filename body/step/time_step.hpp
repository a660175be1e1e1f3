#pragma once

#include "body/setup/setup.hpp"
#include "run/notices.hpp"
#include "run/time_step.hpp"
#include "structure/bodies/shape.hpp"

#include <string>
#include <vector>

namespace corral::body {

/// f(motion, kind, volume) of each group of free bodies.
template <class F> void each_free(const BodySetup& setup, F f) {
  for (const BodyGroup& group : setup.groups) {
    const structure::BodyModel& kind = setup.kinds[group.placed.surface];
    if (group.motion.mode == structure::BodyMode::free) f(group.motion, kind, structure::body_volume(Cpu{}, kind, setup.size[2]));
  }
}

/// The longest step that contact allows free bodies [s].
double contact_step(const BodySetup& setup);

/// The length of the steps: fixed, as a lattice has it, or as long as the speed of fluid and bodies and contact allow.
class StepLength {
public:
  StepLength(const BodySetup& setup, run::Registry& registry);

  double next() const { return length_.next(); } ///< [s]
  /// Chooses the next step, after one that ended at `time` [s] with fluid and bodies at this rate (BodyStep::rate) [1/s].
  void adapt(double time, double rate);
  /// Throws Error where fluid or bodies have crossed more than twice time.courant in a step of dt [s], or are no numbers.
  void check(double dt, double rate) const;

  const run::AdaptiveStep& length() const { return length_; }
  run::AdaptiveStep& length() { return length_; }
  std::vector<run::Notice> take_notices() { return notices_.take(); }

private:
  enum Bound : int { speed = run::AdaptiveStep::others, contact };

  const BodySetup& setup_;
  double of_contact_; ///< that it allows [s]
  run::AdaptiveStep length_;
  run::Notices notices_;
};

} // namespace corral::body
