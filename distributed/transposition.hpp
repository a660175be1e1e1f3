#pragma once

#include "distributed/ranks.hpp"
#include "distributed/team.hpp"

#include <memory>

namespace corral::distributed {

/// Collective. Throws Error on all ranks where a matrix is larger than MPI counts.
std::unique_ptr<Transposition> make_transposition(const Ranks&, const SharedMatrix&);

} // namespace corral::distributed
