#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "membrane/case/setup.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace corral::membrane {

/// Where the membranes of each group stand at the start; those of all groups are numbered by surface, and within one by
/// group. Random places come from the case's seed alone. Throws Error where random membranes do not find room.
std::vector<std::vector<geometry::Placement>> place(const MembraneSetup& setup);

/// How many membranes a group has.
std::int64_t membrane_count(const MembraneSetup& setup, const MembraneGroup& group);

} // namespace corral::membrane
