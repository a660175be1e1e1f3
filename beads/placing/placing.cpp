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

/// The spheres that an assembly is: a shell is one, whose beads reach beyond it.
struct Spheres {
  std::vector<Vector> centres;
  double radius;
};
Spheres spheres_of(const BeadsSetup& setup, const BeadGroup& group, const Placement& at) {
  if (group.rigid()) return {{at.position}, group.shell.radius};
  return {beads_of(group, at), setup.radius};
}

bool meet(const BeadsSetup& setup, const Spheres& one, const Spheres& other) {
  const double touching = (one.radius + other.radius) * (1 - 1e-9);
  for (const Vector& x : one.centres)
    for (const Vector& y : other.centres) {
      Vector apart = x - y;
      for (std::size_t d = 0; d < 3; ++d)
        if (setup.periodic(d)) apart[d] -= setup.size[d] * std::round(apart[d] / setup.size[d]);
      if (length(apart) < touching) return true;
    }
  return false;
}

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
  StandingBeads standing(setup, 2 * setup.radius);
  std::vector<std::array<std::size_t, 2>> of_assembly; // group and member
  const double touching = 2 * setup.radius * (1 - 1e-9);
  for (std::size_t g = 0; g < setup.groups.size(); ++g)
    for (std::size_t m = 0; m < setup.places[g].size(); ++m) {
      const BeadGroup& own = setup.groups[g];
      const std::vector<Vector> beads = solid_of(own, setup.places[g][m]);
      const Spheres spheres = spheres_of(setup, own, setup.places[g][m]);
      const auto counts = [&](std::int32_t assembly) {
        const auto& [group, member] = of_assembly[static_cast<std::size_t>(assembly)];
        const BeadGroup& other = setup.groups[group];
        return (!own.rigid() && !other.rigid()) || meet(setup, spheres, spheres_of(setup, other, setup.places[group][member]));
      };
      for (const Vector& x : beads)
        if (const auto other = standing.nearer_than(touching, x, counts)) {
          const auto& [group, member] = of_assembly[static_cast<std::size_t>(*other)];
          return Overlap{.group = g, .other = group, .member = m, .other_member = member};
        }
      standing.add(beads);
      of_assembly.push_back({g, m});
    }
  return std::nullopt;
}

} // namespace corral::beads
