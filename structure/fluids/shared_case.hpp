#pragma once

#include "distributed/cut.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"
#include "structure/setup/flow.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace corral::structure {

// What of a case ranks can share, and how: the fluid's part.

/// Adds a problem at a key: `what` is not shared; `instead` says what to do but to start without mpirun.
void refuse_to_share(const run::Settings&, run::Problems&, const std::string& section, const std::string& key, const std::string& what,
                     const std::string& instead);
/// Adds one for each part of the flow that ranks cannot share: all but a lattice on the host.
void refuse_unshared_flow(const FlowSetup&, const run::Settings&, run::Problems&);

/// Along which axes its box is left whole: a box that is sheared across its ends has both in each part.
distributed::Uncut uncut_axes(const FlowSetup&);
/// The cut of its grid for so many ranks with so many ghosts. Nothing where there is none, and a problem that says for how many there is one.
std::optional<distributed::BoxCut> cut_for(const FlowSetup&, std::int64_t ghosts, int ranks, const run::Settings&, run::Problems&);

/// What a rank takes beside the memory that a process alone would have for its box, of a fluid that points act on [bytes].
double memory_of_sharing(const distributed::BoxCut&, std::int64_t ghosts);

/// "4 as 1 x 2 x 2, of up to ...": of that cut.
std::string describe_cut(const distributed::BoxCut&, int ranks);

} // namespace corral::structure
