#pragma once

#include "body/setup/setup.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"

namespace corral::body {

/// How many bodies a group asks for, where it says by their volume a broken number.
double bodies_wanted(const BodySetup& setup, const structure::ImmersedGroup& group);

/// Force where surfaces touch [N] with which the case's free bodies don't, by their weight and speed; 0 where none is free.
double strength_needed(const BodySetup& setup);
/// C_v with which steps of bodies of that density are stable; 0 of those that are no lighter than the fluid.
double virtual_mass_needed(const BodySetup& setup, const structure::BodyModel& kind, double density);

/// Of a case that was read: places bodies, and adds to the problems what makes it one that cannot be run; warns of what may
/// be wrong though it runs.
void check_setup(BodySetup& setup, const run::Settings& settings, run::Problems& problems);

} // namespace corral::body
