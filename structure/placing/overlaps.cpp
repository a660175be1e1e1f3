#include "structure/placing/crowd.hpp"
#include "structure/placing/placing.hpp"
#include "structure/surfaces/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace corral::structure {

namespace {

/// More pairs than that tell nothing new.
constexpr std::size_t most_pairs = 1000;

constexpr std::int64_t most_looks = 5000;

/// Those that stand where the case says, or all.
struct CrowdAtStart {
  CrowdAtStart(const Immersed& setup, double gap, bool random_too) {
    double largest = 0;
    for (const SurfaceModel& kind : setup.surfaces) {
      shapes.push_back(make_shape(kind, coarse_markers));
      largest = std::max(largest, radius_of(shapes.back()));
    }
    crowd.emplace(setup.origin, setup.size, periods(setup), largest, gap);
    for (std::size_t g = 0; g < setup.groups.size(); ++g) {
      if (setup.groups[g].arrangement == GroupArrangement::random && !random_too) continue;
      crowd->add(shapes[setup.groups[g].surface], setup.places[g]);
      group_of.resize(group_of.size() + setup.places[g].size(), g);
    }
  }

  std::vector<SurfaceShape> shapes; ///< which the crowd refers to
  std::optional<Crowd> crowd;
  std::vector<std::size_t> group_of; ///< each
};

} // namespace

std::vector<Overlap> find_overlaps(const Immersed& setup) {
  const CrowdAtStart all(setup, 0, false);
  const std::vector<std::size_t>& group_of = all.group_of;
  std::vector<Overlap> found;
  for (const Crowd::Pair& pair : all.crowd->pairs_too_near(most_pairs)) {
    const auto member = [&](std::size_t which) {
      return which - static_cast<std::size_t>(std::lower_bound(group_of.begin(), group_of.end(), group_of[which]) - group_of.begin());
    };
    const Overlap one{group_of[pair.first], group_of[pair.second], pair.first == pair.second, pair.within,
                      member(pair.first), member(pair.second)};
    const bool known = std::any_of(found.begin(), found.end(), [&](const Overlap& o) {
      return o.group == one.group && o.other == one.other && o.itself == one.itself && o.within == one.within;
    });
    if (!known) found.push_back(one);
  }
  return found;
}

std::optional<NearestPair> find_nearest(const Immersed& setup, double gap, bool random_too) {
  CrowdAtStart all(setup, gap, random_too);
  const auto near = all.crowd->nearest(most_looks);
  if (!near) return std::nullopt;
  return NearestPair{all.group_of[near->first], all.group_of[near->second], near->first == near->second, near->distance};
}

} // namespace corral::structure
