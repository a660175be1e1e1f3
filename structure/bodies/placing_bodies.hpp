#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "structure/placing/placing.hpp"
#include "structure/setup/rigid_body.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace corral::structure {

/// Groups of rigid bodies as placing knows them: surfaces of their shapes, as coarse as it takes them, which hold them
/// wholly; so gaps between bodies are no less than those asked for. ImmersedGroup::surface says which kind a group has.
/// Cylinders become balls whose centres stand in the middle of the box along z, of which they don't know the ends, and
/// volume fractions are shares of what regions have in that plane. `place`, `find_overlaps` and `find_nearest` take it;
/// the last two see bodies that touch as overlapping where they are some percent of a radius apart.
Immersed as_surfaces(const FlowSetup& box, std::span<const BodyModel> kinds, std::span<const ImmersedGroup> groups,
                     std::uint64_t seed, const std::string& many = "bodies");

/// Where the bodies of each group stand at the start: one, on a lattice, at random without overlap, or as a table says.
/// Random places come from the seed alone. Throws NoRoom.
std::vector<std::vector<geometry::Placement>> place_bodies(const FlowSetup& box, std::span<const BodyModel> kinds,
                                                           std::span<const ImmersedGroup> groups, std::uint64_t seed,
                                                           const PlacingWatch& watch = {});

} // namespace corral::structure
