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
/// Adds one for each part of the flow that ranks cannot share: a lattice on a device.
void refuse_unshared_flow(const FlowSetup&, const run::Settings&, run::Problems&);

/// Along which axes its box is left whole. Of a lattice's, which is sheared across its ends, each part has both; the spectral fluid's is cut
/// into slabs, along z, or between walls along y.
distributed::Uncut uncut_axes(const FlowSetup&);
/// Ghosts that it needs by itself.
std::int64_t ghosts_of_fluid(const FlowSetup&);
/// The cut of its grid for so many ranks with so many ghosts. Nothing where there is none, and a problem that says for how many there is one.
std::optional<distributed::BoxCut> cut_for(const FlowSetup&, std::int64_t ghosts, int ranks, const run::Settings&, run::Problems&);

/// What the largest rank sends in a step of the spectral fluid so that all have whole columns of modes, and get their planes back [bytes];
/// 0 of a lattice. Where viscosity varies, in each iteration.
double transposed_bytes(const FlowSetup&, const distributed::BoxCut&);
double foreseen_bytes(const FlowSetup&, const distributed::BoxCut&); ///< the same when a step is foreseen

/// What a rank takes beside the memory that a process alone would have for its box, of a fluid that points act on [bytes].
double memory_of_sharing(const FlowSetup&, const distributed::BoxCut&, std::int64_t ghosts);

/// "4 as 1 x 2 x 2, of up to ...": of that cut.
std::string describe_cut(const distributed::BoxCut&, int ranks);

} // namespace corral::structure
