#pragma once

#include "beads/setup/setup.hpp"
#include "structure/placing/placing.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace corral::beads {

/// The assemblies that a group asks for, broken where it says how much of its region they fill.
double count_wanted(const BeadGroup& group, double radius);
/// How many it has.
std::int64_t count_of(const BeadGroup& group, double radius);

/// Where the assemblies of each group stand at the start, from the case's seed alone. Throws structure::NoRoom.
std::vector<std::vector<geometry::Placement>> place(const BeadsSetup& setup);

/// Two beads that stand in each other.
struct Overlap {
  std::size_t group, other;         ///< numbers of their groups
  std::size_t member, other_member; ///< of their assemblies in these
};
/// The first that is found; nothing where all beads of different assemblies are apart.
std::optional<Overlap> find_overlap(const BeadsSetup& setup);

} // namespace corral::beads
