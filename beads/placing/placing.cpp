#include "beads/placing/placing.hpp"

#include "beads/placing/random_places.hpp"
#include "structure/setup/immersed.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::beads {

using namespace geometry;
using structure::GroupArrangement;

namespace {

double ball_volume(double radius) { return 4 * std::numbers::pi / 3 * radius * radius * radius; }

} // namespace

double region_volume(const BeadGroup& group) {
  double volume = 1;
  for (std::size_t d = 0; d < 3; ++d) volume *= group.placed.high[d] - group.placed.low[d];
  return group.within ? std::min(volume, ball_volume(group.within->radius)) : volume;
}

double count_wanted(const BeadGroup& group, double radius) {
  if (group.placed.count > 0) return static_cast<double>(group.placed.count);
  return group.placed.volume_fraction * region_volume(group) / group.volume(radius);
}

std::int64_t count_of(const BeadGroup& group, double radius) {
  if (group.placed.arrangement == GroupArrangement::table) return static_cast<std::int64_t>(group.placed.table.size());
  return std::max<std::int64_t>(1, std::llround(count_wanted(group, radius)));
}

std::vector<std::vector<Placement>> place(const BeadsSetup& setup) {
  std::vector<std::vector<Placement>> all(setup.groups.size());
  structure::Immersed regular; // those that the case puts somewhere
  static_cast<run::FlowBox&>(regular) = setup;
  regular.random_seed = setup.random_seed;
  std::vector<std::size_t> which;
  for (std::size_t g = 0; g < setup.groups.size(); ++g)
    if (setup.groups[g].placed.arrangement != GroupArrangement::random) {
      regular.groups.push_back(setup.groups[g].placed);
      which.push_back(g);
    }
  std::vector<std::vector<Placement>> placed = structure::place(regular);
  for (std::size_t i = 0; i < which.size(); ++i) all[which[i]] = std::move(placed[i]);
  if (which.size() < all.size()) RandomPlaces(setup).find(all);
  return all;
}

std::optional<Overlap> find_overlap(const BeadsSetup& setup) {
  StandingBalls standing(setup, 0);
  std::vector<std::array<std::size_t, 2>> of_assembly; // group and member
  for (std::size_t g = 0; g < setup.groups.size(); ++g)
    for (std::size_t m = 0; m < setup.places[g].size(); ++m) {
      const std::vector<Ball> balls = balls_of(setup, setup.groups[g], setup.places[g][m]);
      for (const Ball& ball : balls)
        if (const auto other = standing.nearer_than(-1e-9 * ball.radius, ball)) {
          const auto& [group, member] = of_assembly[static_cast<std::size_t>(*other)];
          return Overlap{.group = g, .other = group, .member = m, .other_member = member};
        }
      standing.add(balls);
      of_assembly.push_back({g, m});
    }
  return std::nullopt;
}

} // namespace corral::beads
