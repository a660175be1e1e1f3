#include "structure/placing/placing.hpp"

#include "run/case/values.hpp"
#include "structure/placing/swelling.hpp"
#include "structure/surfaces/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace corral::structure {

namespace {

using geometry::Placement;
using geometry::Rotation;
using geometry::Vector;

Room room_of(const Immersed& setup, const ImmersedGroup& group) {
  Room room{group.low, group.high, {}};
  for (std::size_t d = 0; d < 3; ++d)
    room.open[d] = setup.sides[2 * d] == fluid::SideKind::periodic &&
                   group.high[d] - group.low[d] >= (1 - 1e-9) * setup.size[d];
  return room;
}

/// A plane counts as thick as gives balls in it the share of it that their discs have.
double region_volume(const Immersed& setup, const ImmersedGroup& group) {
  double volume = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const double wide = group.high[d] - group.low[d];
    volume *= wide > 0 ? wide : 4.0 / 3 * effective_radius(setup.surfaces[group.surface]);
  }
  return volume;
}

Rotation random_turn(const Immersed& setup, std::uint64_t id) {
  const run::Random random(setup.random_seed);
  const auto u = [&](int draw) { return random.uniform(run::Purpose::orientation, 0, id, draw); };
  return geometry::random_rotation(u(0), u(1), u(2));
}

std::vector<Placement> regular(const Immersed& setup, const ImmersedGroup& group, std::uint64_t& turned) {
  std::vector<Placement> places;
  const auto add = [&](const Vector& x) {
    places.push_back({group.turned_at_random ? random_turn(setup, turned++) : towards(group.axis), x});
  };
  if (group.arrangement == GroupArrangement::one) {
    add(group.position);
    return places;
  }
  if (group.arrangement == GroupArrangement::table) {
    for (const ImmersedGroup::GivenPlace& given : group.table)
      if (given.axis == Vector{}) add(given.position);
      else places.push_back({towards(given.axis) * Rotation::about({0, 0, 1}, given.angle), given.position});
    return places;
  }
  for (std::int64_t k = 0; k < group.lattice[2]; ++k)
    for (std::int64_t j = 0; j < group.lattice[1]; ++j)
      for (std::int64_t i = 0; i < group.lattice[0]; ++i) {
        const std::array<std::int64_t, 3> at{i, j, k};
        Vector x{};
        for (std::size_t d = 0; d < 3; ++d)
          x[d] = group.low[d] + (static_cast<double>(at[d]) + 0.5) / static_cast<double>(group.lattice[d]) *
                                    (group.high[d] - group.low[d]);
        add(x);
      }
  return places;
}

/// Finds places for the groups that stand at random, all at once, among those that have theirs.
class RandomPlaces {
public:
  explicit RandomPlaces(const Immersed& setup)
      : setup_(setup), swelling_(setup.origin, setup.size, periods(setup), setup.random_seed) {
    for (const SurfaceModel& kind : setup.surfaces) shapes_.push_back(make_shape(kind, coarse_markers));
  }

  void find(std::vector<std::vector<Placement>>& places, const PlacingWatch& watch) {
    for (std::size_t g = 0; g < setup_.groups.size(); ++g) {
      const ImmersedGroup& group = setup_.groups[g];
      const SurfaceShape& shape = shapes_[group.surface];
      if (group.arrangement != GroupArrangement::random) {
        swelling_.add_fixed(shape, places[g]);
        continue;
      }
      swelling_.add({&shape, room_of(setup_, group), count_of(setup_, group), group.gap, group.turned_at_random,
                     towards(group.axis)});
      random_.push_back(g);
    }
    const bool found = swelling_.grow(watch ? [&](double size) { watch(how_far(size)); } : Swelling::Watch{});
    if (!found) refuse(setup_.groups[random_[swelling_.stuck()]]);
    for (std::size_t i = 0; i < random_.size(); ++i) places[random_[i]] = swelling_.places(i);
  }

private:
  std::string how_far(double size) const {
    std::int64_t count = 0;
    for (const std::size_t g : random_) count += count_of(setup_, setup_.groups[g]);
    return std::to_string(count) + " " + setup_.many + " look for room: " + run::brief(size) + " of their size, " +
           run::brief(100 * enclosed(setup_.groups[random_[0]]) * size * size * size) + " % of their region";
  }

  double enclosed(const ImmersedGroup& group) const { ///< share of the region
    return std::abs(shape_volume(setup_.surfaces[group.surface])) * static_cast<double>(count_of(setup_, group)) /
           region_volume(setup_, group);
  }

  [[noreturn]] void refuse(const ImmersedGroup& group) const {
    const double grown = swelling_.largest(), share = enclosed(group);
    const std::string so_far = grown > 0 ? "they came in small, and grew to " + run::brief(grown) + " of their size, " +
                                               run::brief(100 * share * grown * grown * grown) + " %"
                                         : "not even small as they came in they keep apart";
    throw NoRoom("[" + setup_.many + "." + group.name + "]: " + std::to_string(count_of(setup_, group)) + " " +
                     setup_.many + " at random places, " + run::brief(group.gap) + " m apart, find no room (" +
                     run::brief(100 * share) + " % of their region; " + so_far + ") take fewer, a smaller gap or a lattice",
                 group.name);
  }

  const Immersed& setup_;
  std::vector<SurfaceShape> shapes_;
  Swelling swelling_;
  std::vector<std::size_t> random_; ///< the groups that look for places
};

} // namespace

Rotation towards(const Vector& axis) {
  const Vector z{0, 0, 1}, normal = geometry::cross(z, axis);
  const double sine = std::sqrt(geometry::dot(normal, normal));
  if (sine > 0) return Rotation::about(normal, std::atan2(sine, axis[2]));
  return axis[2] > 0 ? Rotation() : Rotation::about({1, 0, 0}, std::acos(-1.0));
}

std::array<double, 3> periods(const Immersed& setup) {
  std::array<double, 3> period{};
  for (std::size_t d = 0; d < 3; ++d)
    if (setup.sides[2 * d] == fluid::SideKind::periodic) period[d] = setup.size[d];
  return period;
}

double count_wanted(const Immersed& setup, const ImmersedGroup& group) {
  if (group.count > 0) return static_cast<double>(group.count);
  return group.volume_fraction * region_volume(setup, group) / std::abs(shape_volume(setup.surfaces[group.surface]));
}

std::int64_t count_of(const Immersed& setup, const ImmersedGroup& group) {
  return std::max<std::int64_t>(1, std::llround(count_wanted(setup, group)));
}

std::vector<std::vector<Placement>> place(const Immersed& setup, const PlacingWatch& watch) {
  std::vector<std::vector<Placement>> all(setup.groups.size());
  std::uint64_t turned = 0;
  bool random = false;
  for (std::size_t g = 0; g < setup.groups.size(); ++g) {
    if (setup.groups[g].arrangement == GroupArrangement::random) random = true;
    else all[g] = regular(setup, setup.groups[g], turned);
  }
  if (random) RandomPlaces(setup).find(all, watch);
  return all;
}

} // namespace corral::structure
