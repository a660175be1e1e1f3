#pragma once

#include "membrane/setup/setup.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace corral::membrane {

/// Ghosts around the boxes of ranks that share a case: as many as the fluid and the kernel of its maps need.
std::int64_t ghosts_needed(const MembraneSetup&);

/// As `read_setup`, of a case that ranks share: its fluid is on the host.
std::optional<MembraneSetup> read_setup_for_ranks(const run::Settings&, run::Problems&);
std::optional<MembraneSetup> read_setup_for(const run::Settings&, run::Problems&, int ranks); ///< for which there must be a cut

/// As `describe`, and what each of some ranks has and sends.
std::vector<std::string> describe_for(const MembraneSetup&, int ranks);

} // namespace corral::membrane
