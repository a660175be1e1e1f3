#pragma once

#include "membrane/setup/setup.hpp"
#include "run/case/keys.hpp"
#include "run/case/settings.hpp"
#include "structure/placing/group_case.hpp"

#include <optional>
#include <string>
#include <vector>

namespace corral::membrane {

void declare_keys(run::KeyTable&);
/// What groups of membranes are called.
structure::GroupWords group_words();

/// Reads and checks the case; nothing, and at least one problem, where it cannot be run.
std::optional<MembraneSetup> read_setup(const run::Settings&, run::Problems&);

/// What a case comes to, a line each: box, surfaces, membranes, memory, time step, warnings.
std::vector<std::string> describe(const MembraneSetup& setup);

} // namespace corral::membrane
