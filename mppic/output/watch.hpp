#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/step.hpp"
#include "mppic/time_step.hpp"
#include "run/clock.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace corral::mppic {

/// Looks at every step for what makes a run's results doubtful while nothing fails, and says each such thing once:
/// parcels that pass what they should have met, solids that leave though nothing blows them out, solids that are packed
/// beyond what there is room for; and steps that stay short for long.
class Watch {
public:
  Watch(const Setup& setup, const fluid::Domain& domain) : setup_(setup), domain_(domain) {}

  void bind_state(run::Registry& registry);

  /// After a step of dt that began at `time` [s].
  void look(const Step<Cpu>& step, const TimeStepper& stepper, double time, double dt);
  /// What has been seen since the last call, a sentence each.
  std::vector<std::string> take();

private:
  void look_at_speeds(const Step<Cpu>& step, const Fastest& parcel, double dt);
  void look_at_outlets(const Step<Cpu>& step, double dt);
  void look_at_packing(const Step<Cpu>& step);
  void say(std::int64_t& said, std::string text);

  const Setup& setup_;
  const fluid::Domain& domain_;
  run::ShortSteps short_steps_;
  double time_ = 0; ///< of the last step's beginning [s]
  std::vector<std::string> notices_;
  std::int64_t fast_ = 0, leaving_ = 0, packed_ = 0; ///< 1 once it has been said
  std::int64_t steps_ = 0;            ///< in the window over which outlets are looked at
  double left_ = 0, carried_ = 0;     ///< volume in it that left as solids; that enters so, and half the gas [m3]
};

} // namespace corral::mppic
