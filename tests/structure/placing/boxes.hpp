#pragma once

#include "geometry/mesh.hpp"
#include "structure/placing/placing.hpp"
#include "structure/surfaces/shapes.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace corral::structure {

/// A periodic box with surfaces of one kind, of radius 1 um.
inline Immersed box_of(ShapeKind shape, double side) {
  Immersed setup;
  setup.cells = {32, 32, 32};
  setup.size = {side, side, side};
  setup.sides.fill(fluid::SideKind::periodic);
  SurfaceModel kind;
  kind.shape = shape;
  kind.radius = 1e-6;
  kind.vertices = 162;
  setup.surfaces = {kind};
  return setup;
}

/// Of the whole box.
inline ImmersedGroup random_group(const Immersed& setup, double volume_fraction) {
  ImmersedGroup group;
  group.name = "crowd";
  group.arrangement = GroupArrangement::random;
  group.low = setup.origin;
  for (std::size_t d = 0; d < 3; ++d) group.high[d] = setup.origin[d] + setup.size[d];
  group.count = 0;
  group.volume_fraction = volume_fraction;
  group.gap = 0.05e-6;
  group.turned_at_random = true;
  return group;
}

/// No two come nearer than the larger gap of theirs, up to round-off: every pair of all images is looked at.
inline bool all_apart(const Immersed& setup, const std::vector<std::vector<geometry::Placement>>& places) {
  struct One {
    std::size_t group;
    geometry::Placement at;
  };
  std::vector<geometry::SurfaceTree> trees;
  for (const SurfaceModel& kind : setup.surfaces) trees.push_back(tree_of(make_shape(kind, coarse_markers)));
  std::vector<One> all;
  for (std::size_t g = 0; g < places.size(); ++g)
    for (const geometry::Placement& at : places[g]) all.push_back({g, at});
  const auto near = [&](const One& a, const One& b, const std::array<double, 3>& by) {
    geometry::Placement image = b.at;
    for (std::size_t d = 0; d < 3; ++d) image.position[d] += by[d];
    const ImmersedGroup &of_a = setup.groups[a.group], &of_b = setup.groups[b.group];
    return geometry::nearer_than((1 - 1e-9) * std::max(of_a.gap, of_b.gap), trees[of_a.surface], a.at, trees[of_b.surface],
                                 image);
  };
  const std::array<double, 3> period = periods(setup);
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a; b < all.size(); ++b)
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j)
          for (int k = -1; k <= 1; ++k) {
            if ((i != 0 && period[0] == 0) || (j != 0 && period[1] == 0) || (k != 0 && period[2] == 0)) continue;
            if (a == b && i == 0 && j == 0 && k == 0) continue;
            if (near(all[a], all[b], {i * period[0], j * period[1], k * period[2]})) return false;
          }
  return true;
}

} // namespace corral::structure
