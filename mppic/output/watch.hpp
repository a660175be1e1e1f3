#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/step.hpp"
#include "mppic/time_step.hpp"
#include "run/notices.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace corral::mppic {

/// Looks at every step for what makes a run's results doubtful while nothing fails, and warns of it, again where it gets
/// worse: parcels that pass what they should have met, solids that leave though nothing blows them out, solids that are
/// packed beyond what there is room for. Solids that stay packed so end the run.
class Watch {
public:
  Watch(const Setup& setup, const fluid::Domain& domain) : setup_(setup), domain_(domain) {}

  void bind_state(run::Registry& registry);

  /// After a step of dt that began at `time` [s]; `parcel` is the fastest one. Throws Error where solids have stayed packed
  /// beyond what there is room for.
  template <Execution E> void look(const Step<E>& step, const Fastest& parcel, double time, double dt);
  /// What has been seen since the last call, a sentence each.
  std::vector<run::Notice> take() { return notices_.take(); }
  std::vector<std::string> doubts() const { return notices_.doubts(); } ///< the worst of each

  // Parts of this; public, since nvcc takes the loops of no others.
  template <Execution E> void look_at_speeds(const Step<E>& step, const Fastest& parcel, double dt);
  template <Execution E> void look_at_outlets(const Step<E>& step, double dt);
  template <Execution E> void look_at_packing(const Step<E>& step, double dt);

private:
  void warn_of_speeds(double faster, double crossed, double rate, double dt);
  bool add_to_window(const StepReport& report, double dt);
  void warn_of_outlets(double inside);
  void count_overfull(bool overfull, const StepState& state, double share, double dt);
  void warn_of_packing(double theta);
  std::string fullest(const StepState& state, double share) const;

  const Setup& setup_;
  const fluid::Domain& domain_;
  double time_ = 0; ///< of the last step's beginning [s]
  run::Notices notices_;
  run::Doubt fast_, leaving_, packed_;
  std::int64_t overfull_steps_ = 0;   ///< in a row
  std::int64_t steps_ = 0;            ///< in the window over which outlets are looked at
  double left_ = 0, carried_ = 0;     ///< volume in it that left as solids; that enters so, and half the gas [m3]
};

} // namespace corral::mppic
