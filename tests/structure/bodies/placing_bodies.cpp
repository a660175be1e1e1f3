#include "structure/bodies/placing_bodies.hpp"

#include "tests/catch.hpp"
#include "tests/structure/bodies/solids.hpp"

#include <cmath>
#include <numbers>

namespace corral::structure {
namespace {

FlowSetup box_of_fluid(const std::array<std::int64_t, 3>& cells, double h) {
  FlowSetup box;
  box.cells = cells;
  for (std::size_t d = 0; d < 3; ++d) box.size[d] = h * static_cast<double>(cells[d]);
  box.sides.fill(fluid::SideKind::periodic);
  return box;
}

ImmersedGroup crowd_in(const FlowSetup& box, double share) {
  ImmersedGroup group;
  group.name = "crowd";
  group.arrangement = GroupArrangement::random;
  group.count = 0, group.volume_fraction = share, group.gap = 0.05;
  for (std::size_t d = 0; d < 3; ++d) group.low[d] = box.origin[d], group.high[d] = box.origin[d] + box.size[d];
  return group;
}

/// The least distance between two centres, by the nearest images.
double least_distance(const FlowSetup& box, const std::vector<geometry::Placement>& places, bool planar) {
  double least = 1e9;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      geometry::Vector off{};
      for (std::size_t d = 0; d < (planar ? 2u : 3u); ++d) {
        off[d] = places[i].position[d] - places[j].position[d];
        if (box.sides[2 * d] == fluid::SideKind::periodic) off[d] -= box.size[d] * std::round(off[d] / box.size[d]);
      }
      least = std::min(least, geometry::length(off));
    }
  return least;
}

} // namespace

TEST_CASE("Balls at random places keep their gap, and those that a table names stay") {
  const FlowSetup box = box_of_fluid({8, 8, 8}, 1);
  const std::vector<BodyModel> kinds{sphere_of(1, 0.2)};
  ImmersedGroup named;
  named.name = "named", named.arrangement = GroupArrangement::table;
  named.table = {{1, {1, 1, 1}, {}, 0}, {2, {4, 4, 4}, {1, 0, 0}, 0.3}};
  const std::vector<ImmersedGroup> groups{named, crowd_in(box, 0.25)};
  auto places = place_bodies(box, kinds, groups, 5);
  CHECK(places[1].size() == 31); // .25 512/4.19
  CHECK(places[0][1].position == geometry::Vector{4, 4, 4});
  CHECK(places[0][1].rotation({0, 0, 1})[0] == Approx(1));
  places[1].insert(places[1].end(), places[0].begin(), places[0].end());
  CHECK(least_distance(box, places[1], false) >= 2.05);
}

TEST_CASE("Cylinders stand in the middle of a box of one cell, at random and off its walls") {
  FlowSetup box = box_of_fluid({40, 30, 1}, 0.25);
  box.sides[2] = box.sides[3] = fluid::SideKind::no_slip;
  const std::vector<BodyModel> kinds{cylinder_of(0.6, 0.1)};
  ImmersedGroup rows;
  rows.name = "rows", rows.arrangement = GroupArrangement::lattice;
  rows.low = {0, 0, 0}, rows.high = {3, 3, 0.25}, rows.lattice = {2, 2, 1};
  std::vector<ImmersedGroup> groups{rows};
  auto places = place_bodies(box, kinds, groups, 1)[0];
  CHECK(places.size() == 4);
  for (const geometry::Placement& at : places) CHECK(at.position[2] == 0.125);
  groups = {crowd_in(box, 0.4)};
  places = place_bodies(box, kinds, groups, 1)[0];
  CHECK(places.size() == 27); // .4 75/1.13
  CHECK(least_distance(box, places, true) >= 1.25);
  for (const geometry::Placement& at : places) {
    CHECK(at.position[2] == 0.125);
    CHECK(at.position[1] >= 0.65 - 1e-9);
    CHECK(at.position[1] <= 7.5 - 0.65 + 1e-9);
    CHECK(at.rotation.rows()[0][0] == 1);
  }
  groups[0].volume_fraction = 0.9;
  CHECK_THROWS_WITH(place_bodies(box, kinds, groups, 1), Catch::Matchers::ContainsSubstring("60 bodies at random places") && Catch::Matchers::ContainsSubstring("find no room"));
}

TEST_CASE("Bodies that overlap are found") {
  const FlowSetup box = box_of_fluid({8, 8, 8}, 1);
  const std::vector<BodyModel> kinds{sphere_of(1, 0.2), ellipsoid_of({1, 0.5, 0.5}, 0.1)};
  ImmersedGroup ball, egg;
  ball.name = "ball", ball.position = {4, 4, 4};
  egg.name = "egg", egg.surface = 1, egg.position = {5.6, 4, 4};
  Immersed all = as_surfaces(box, kinds, std::vector{ball, egg}, 1);
  all.places = place(all);
  CHECK(find_overlaps(all).size() == 1); // the long axis points at the ball
  all.groups[1].axis = {1, 0, 0};        // now across
  all.places = place(all);
  CHECK(find_overlaps(all).empty());
}

} // namespace corral::structure
