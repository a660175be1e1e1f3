#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "membrane/case/setup.hpp"

#include <corral/error.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace corral::membrane {

/// Random membranes of a group find no room.
class NoRoom : public Error {
public:
  NoRoom(const std::string& message, std::string of_group) : Error(message), group(std::move(of_group)) {}
  std::string group; ///< its name
};

/// Where the membranes of each group stand at the start; those of all groups are numbered by surface, and within one by
/// group. Random places come from the case's seed alone. Throws NoRoom.
std::vector<std::vector<geometry::Placement>> place(const MembraneSetup& setup);

/// How many membranes a group has.
std::int64_t membrane_count(const MembraneSetup& setup, const MembraneGroup& group);

} // namespace corral::membrane
