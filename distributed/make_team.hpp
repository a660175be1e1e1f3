#pragma once

#include "distributed/ranks.hpp"
#include "distributed/team.hpp"

#include <chrono>
#include <memory>

namespace corral::distributed {

/// Those ranks as a team. Collective. For so long a rank with a problem waits for the others (Team::meet).
std::unique_ptr<Team> make_team(const Ranks& ranks, std::chrono::milliseconds patience = std::chrono::seconds(30));

} // namespace corral::distributed
