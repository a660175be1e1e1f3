#pragma once

#include "distributed/ranks.hpp"
#include "distributed/team.hpp"

#include <cstdint>
#include <memory>

namespace corral::distributed {

/// As Team::share, for those ranks, which the team is of.
std::unique_ptr<SharedGrid> share_grid(const Team& team, const Ranks& ranks, const Grid& whole, std::int64_t ghosts, const Uncut& uncut);

} // namespace corral::distributed
