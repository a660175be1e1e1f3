#pragma once

#include "beads/setup/setup.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"
#include "stokes/accuracy/parameters.hpp"

#include <optional>

namespace corral::beads {

/// Memory that so many beads need, the program's included, roughly [bytes].
double memory_of_beads(double beads);
/// The grid that the mobility of a case that was placed has; none where it is summed pair by pair. Throws Error where its
/// tolerance cannot be met.
std::optional<stokes::Parameters> mobility_grid(const BeadsSetup& setup);

/// Of a case that was read: places assemblies, and adds to the problems what makes it one that cannot be run; warns of what
/// may be wrong though it runs.
void check_setup(BeadsSetup& setup, const run::Settings& settings, run::Problems& problems);

} // namespace corral::beads
