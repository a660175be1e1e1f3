#pragma once

#include "distributed/ranks.hpp"
#include "distributed/team.hpp"

#include <memory>

namespace corral::distributed {

/// Those ranks as a team.
std::unique_ptr<Team> make_team(const Ranks& ranks);

} // namespace corral::distributed
