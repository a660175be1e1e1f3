#include "structure/placing/placing.hpp"

#include "run/case/values.hpp"
#include "structure/placing/crowd.hpp"
#include "structure/surfaces/shapes.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::structure {

namespace {

using geometry::Placement;
using geometry::Rotation;
using geometry::Vector;

/// Turns z into the axis, by the shortest way.
Rotation towards(const Vector& axis) {
  const Vector z{0, 0, 1}, normal = geometry::cross(z, axis);
  const double sine = std::sqrt(geometry::dot(normal, normal));
  if (sine > 0) return Rotation::about(normal, std::atan2(sine, axis[2]));
  return axis[2] > 0 ? Rotation() : Rotation::about({1, 0, 0}, std::acos(-1.0));
}

Room room_of(const Immersed& setup, const ImmersedGroup& group) {
  Room room{group.low, group.high, {}};
  for (std::size_t d = 0; d < 3; ++d)
    room.open[d] = setup.sides[2 * d] == fluid::SideKind::periodic &&
                   group.high[d] - group.low[d] >= (1 - 1e-9) * setup.size[d];
  return room;
}

double region_volume(const ImmersedGroup& group) {
  double volume = 1;
  for (std::size_t d = 0; d < 3; ++d) volume *= group.high[d] - group.low[d];
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

class RandomPlaces {
public:
  explicit RandomPlaces(const Immersed& setup) : setup_(setup) {
    double largest = 0, gap = 0;
    for (const SurfaceModel& kind : setup.surfaces) {
      shapes_.push_back(make_shape(kind, coarse_markers));
      for (const Vector& x : shapes_.back().start) largest = std::max(largest, std::sqrt(geometry::dot(x, x)));
    }
    for (const ImmersedGroup& group : setup.groups)
      if (group.arrangement == GroupArrangement::random) gap = std::max(gap, group.gap);
    std::array<double, 3> period{};
    for (std::size_t d = 0; d < 3; ++d)
      if (setup.sides[2 * d] == fluid::SideKind::periodic) period[d] = setup.size[d];
    crowd_.emplace(setup.origin, setup.size, period, largest, gap, setup.random_seed);
  }

  void avoid(const ImmersedGroup& group, const std::vector<Placement>& places) {
    crowd_->add_fixed(shapes_[group.surface], places);
  }

  std::vector<Placement> find(const ImmersedGroup& group) {
    const std::int64_t count = count_of(setup_, group);
    auto places = crowd_->add_random(shapes_[group.surface], room_of(setup_, group), count, group.turned_at_random,
                                     towards(group.axis));
    if (places.empty()) refuse(group, count);
    return places;
  }

private:
  [[noreturn]] void refuse(const ImmersedGroup& group, std::int64_t count) const {
    const double grown = crowd_->grown(), enclosed = std::abs(shape_volume(setup_.surfaces[group.surface])) *
                                                     static_cast<double>(count) / region_volume(group);
    throw NoRoom("[" + setup_.many + "." + group.name + "]: " + std::to_string(count) + " " + setup_.many +
                     " at random places, " +
                     run::brief(group.gap) + " m apart, find no room (" + run::brief(100 * enclosed) +
                     " % of their region; they came in small, and grew to " + run::brief(grown) + " of their size, " +
                     run::brief(100 * enclosed * grown * grown * grown) +
                     " %) take fewer, a smaller gap or a lattice",
                 group.name);
  }

  const Immersed& setup_;
  std::vector<SurfaceShape> shapes_;
  std::optional<Crowd> crowd_;
};

} // namespace

double count_wanted(const Immersed& setup, const ImmersedGroup& group) {
  if (group.count > 0) return static_cast<double>(group.count);
  return group.volume_fraction * region_volume(group) / std::abs(shape_volume(setup.surfaces[group.surface]));
}

std::int64_t count_of(const Immersed& setup, const ImmersedGroup& group) {
  return std::max<std::int64_t>(1, std::llround(count_wanted(setup, group)));
}

std::vector<std::vector<Placement>> place(const Immersed& setup) {
  std::vector<std::vector<Placement>> all(setup.groups.size());
  std::uint64_t turned = 0;
  bool random = false;
  for (std::size_t g = 0; g < setup.groups.size(); ++g) {
    if (setup.groups[g].arrangement == GroupArrangement::random) random = true;
    else all[g] = regular(setup, setup.groups[g], turned);
  }
  if (!random) return all;
  RandomPlaces places(setup);
  for (std::size_t g = 0; g < setup.groups.size(); ++g) places.avoid(setup.groups[g], all[g]);
  for (std::size_t g = 0; g < setup.groups.size(); ++g)
    if (setup.groups[g].arrangement == GroupArrangement::random) all[g] = places.find(setup.groups[g]);
  return all;
}

} // namespace corral::structure
