#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "structure/setup/immersed.hpp"

#include <corral/error.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace corral::structure {

/// Random membranes of a group find no room.
class NoRoom : public Error {
public:
  NoRoom(const std::string& message, std::string of_group) : Error(message), group(std::move(of_group)) {}
  std::string group; ///< its name
};

/// Hears how far those have come that look for room, over and over again.
using PlacingWatch = std::function<void(const std::string& how_far)>;

/// The rotation that turns z into the direction of an axis of length 1, by the shortest way.
geometry::Rotation towards(const geometry::Vector& axis);

/// Where the membranes of each group stand at the start; those of all groups are numbered by surface, and within one by
/// group. Random places come from the case's seed alone. Throws NoRoom.
std::vector<std::vector<geometry::Placement>> place(const Immersed& setup, const PlacingWatch& watch = {});

/// Two groups of which membranes overlap at the start.
struct Overlap {
  std::size_t group, other; ///< the same where it is two of one group
  bool itself = false;      ///< a membrane overlaps its own image across a periodic side
  bool within = false;      ///< one lies wholly inside the other
  std::size_t member = 0, other_member = 0; ///< the first two that do, by their numbers in their groups
};

/// Of the groups that stand where the case says, each pair of groups once for each of these three. `setup.places` are
/// those of the groups; random ones keep their gap by themselves.
std::vector<Overlap> find_overlaps(const Immersed& setup);

/// The two membranes that stand nearest to each other, apart.
struct NearestPair {
  std::size_t group, other; ///< the same where it is two of one group
  bool itself;              ///< a membrane and its own image across a periodic side
  double distance;          ///< [m], of shapes as coarse as `find_overlaps` takes them
};

/// Where any two come nearer than `gap` [m], of the groups that stand where the case says or of all. Of very many that
/// do, only the first are looked at.
std::optional<NearestPair> find_nearest(const Immersed& setup, double gap, bool random_too);

/// Lengths of the box where it is periodic, 0 along the axes with walls [m].
std::array<double, 3> periods(const Immersed& setup);

/// How many membranes a group asks for, where it says by their volume a broken number.
double count_wanted(const Immersed& setup, const ImmersedGroup& group);
/// How many it has.
std::int64_t count_of(const Immersed& setup, const ImmersedGroup& group);

} // namespace corral::structure
