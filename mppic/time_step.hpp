#pragma once

#include "mppic/setup.hpp"
#include "run/registry.hpp"

#include <cstdint>

namespace corral::mppic {

class Step;

/// The length of the next step: fixed, or as long as the Courant numbers of the gas (explicit advection) and of the
/// parcels (so that theta holds) allow. A stated share of the parcels may be faster than that: one stray parcel must
/// not collapse the step for all. It shrinks at once and grows by a tenth a step at most.
class TimeStepper {
public:
  TimeStepper(const Setup& setup, const fluid::Domain& domain, run::Registry& registry);

  double next() const { return next_; } ///< [s]
  void adapt(const Step& step);

private:
  double gas_rate(const Step& step) const;    ///< largest |u_d|/h_d [1/s]
  double parcel_rate(const Step& step) const; ///< rate that all but the outliers stay below [1/s]

  const Setup& setup_;
  const fluid::Domain& domain_;
  double& next_; ///< part of the state: the run goes on from it
};

} // namespace corral::mppic
