#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/seeds/occupancy.hpp"
#include "run/case/settings.hpp"

namespace corral::mppic {

/// Looks at what a case whose keys are sound comes to as a whole, without making any of it: seeds and inlets that come
/// to nothing, memory that nobody has, solids beyond packing. Adds the first problem, at the line that asks for it.
void check_setup(const Setup&, const run::Settings&, run::Problems&);

/// What the case's seeds give the cell that they fill the most, and which of the seeds do.
Fullest fullest_start(const Setup&, Placing);

/// Superficial velocity of an inlet's gas where and when it is fastest [m/s].
inline double fastest_gas(const fluid::Inlet& inlet) {
  return fluid::middle_velocity(inlet) * inlet.schedule.largest();
}

} // namespace corral::mppic
