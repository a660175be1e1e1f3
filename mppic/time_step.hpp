#pragma once

#include "mppic/case/setup.hpp"
#include "run/notices.hpp"
#include "run/time_step.hpp"

#include <corral/execution.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace corral::mppic {

struct StepState;
template <Execution E> class Step;

/// What is fastest, by the cells that it crosses.
struct Fastest {
  double rate = 0;  ///< cells per time [1/s]
  double speed = 0; ///< [m/s]
};

/// The length of the next step: fixed, or as long as the Courant numbers of the gas (its sub-steps lose accuracy
/// beyond) and of the parcels (so that theta holds) allow, and drag on packed solids (which contact must still be able
/// to move). A stated share of the parcels may be faster: one stray parcel must not collapse the step for all. The step
/// grows by a tenth at most.
///
/// A cell is crossed along axes of more than one cell: nothing changes along others.
class TimeStepper {
public:
  TimeStepper(const Setup& setup, const fluid::Domain& domain, run::Registry& registry);

  double next() const { return length_.next(); }    ///< [s]
  const Fastest& gas() const { return gas_; }       ///< after the last step
  const Fastest& parcel() const { return parcel_; } ///< likewise, as if it moved along the axis of the shortest cells
  /// What keeps the next step shorter than time.dt, in words; "" where nothing does.
  std::string bound() const;
  run::AdaptiveStep& length() { return length_; }
  const run::AdaptiveStep& length() const { return length_; }
  /// From the state at time 0.
  template <Execution E> void start(const Step<E>& step);
  /// After a step that ended at `time` [s].
  template <Execution E> void adapt(const Step<E>& step, double time);
  /// Looks at a step of dt that ended at `time` [s] for steps that stay short.
  void look(double time, double dt) { length_.look(time, dt, bound(), notices_); }
  std::vector<run::Notice> take_notices() { return notices_.take(); }
  /// Throws Error where a step of dt [s] makes no sense at the velocities last seen, as when a flow blows up, and where
  /// the adaptive step has fallen below its floor.
  template <Execution E> void check(const Step<E>& step, double dt) const;

private:
  /// As the columns' names stand in the constructor.
  enum Bound : int { gas_speed = run::AdaptiveStep::others, parcel_speed, drag_rate };

  void check(const StepState& state, double dt) const;
  std::string fastest_gas_text(const StepState& state) const;
  std::string fastest_parcel_text(const StepState& state) const;
  double crossings(int d) const; ///< cells along d per length [1/m], 0 where there is one
  template <Execution E> Fastest fastest_gas(const Step<E>& step) const;
  Fastest fastest_parcel(double speed) const;
  template <Execution E> void adapt(const Step<E>& step, double speed, double time);
  template <Execution E> double parcel_rate(const Step<E>& step) const; ///< rate that all but the outliers stay below [1/s]
  double inlet_rate(double time) const;       ///< of gas on its way in, without particles [1/s]

  const Setup& setup_;
  const fluid::Domain& domain_;
  run::AdaptiveStep length_;
  run::Notices notices_;
  // The state: the run goes on from it.
  Fastest gas_, parcel_;               ///< after the last step
  Fastest gas_before_, parcel_before_; ///< before it
};

} // namespace corral::mppic
