#pragma once

#include "beads/setup/setup.hpp"
#include "run/case/keys.hpp"
#include "run/case/settings.hpp"
#include "structure/placing/group_case.hpp"

#include <optional>
#include <string>
#include <vector>

namespace corral::beads {

void declare_keys(run::KeyTable&);
/// What groups of beads are called.
structure::GroupWords group_words();

/// Reads and checks the case; nothing, and at least one problem, where it cannot be run.
std::optional<BeadsSetup> read_setup(const run::Settings&, run::Problems&);

/// What a case comes to, a line each: box, beads, speeds, the mobility's parameters, memory, time step, warnings.
std::vector<std::string> describe(const BeadsSetup& setup);

/// Memory of a run, roughly [bytes].
double memory_needed(const BeadsSetup& setup);

} // namespace corral::beads
