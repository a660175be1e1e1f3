#pragma once

#include "body/setup/setup.hpp"
#include "run/case/keys.hpp"
#include "run/case/settings.hpp"
#include "structure/placing/group_case.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace corral::body {

void declare_keys(run::KeyTable&);
/// What groups of bodies are called.
structure::GroupWords group_words();

/// Reads and checks the case; nothing, and at least one problem, where it cannot be run.
std::optional<BodySetup> read_setup(const run::Settings&, run::Problems&);

/// The same of a case that ranks share, whose fluid is to be on the host, with points and fluid by turns.
std::optional<BodySetup> read_setup_for_ranks(const run::Settings&, run::Problems&);
std::optional<BodySetup> read_setup_for(const run::Settings&, run::Problems&, int ranks); ///< for which there must be a cut

/// Ghosts around the boxes of ranks that share a case: as many as the fluid and the kernel of its maps need.
std::int64_t ghosts_needed(const BodySetup&);

/// What a case comes to, a line each: box, fluid, shapes, bodies, memory, time step, warnings.
std::vector<std::string> describe(const BodySetup& setup);

/// The same, and what each of some ranks has and sends.
std::vector<std::string> describe_for(const BodySetup& setup, int ranks);

/// Memory of a run at its start, roughly [bytes].
double memory_needed(const BodySetup& setup);
/// Of all bodies, as far as that is known before they are placed; a double: what a case asks for may be more than can be counted.
double points_needed(const BodySetup& setup);

} // namespace corral::body
