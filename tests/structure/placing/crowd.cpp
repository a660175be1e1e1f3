#include "tests/catch.hpp"
#include "tests/structure/placing/boxes.hpp"

#include <cmath>

namespace corral::structure {

TEST_CASE("A lattice stands across its region, and a shape's z axis points where it is told") {
  Immersed setup = box_of(ShapeKind::red_cell, 10e-6);
  ImmersedGroup group;
  group.arrangement = GroupArrangement::lattice;
  group.low = {0, 0, 0}, group.high = {10e-6, 5e-6, 10e-6};
  group.lattice = {2, 1, 3};
  group.count = 6;
  for (const geometry::Vector& axis : {geometry::Vector{0, 1, 0}, {0, 0, -1}, {0.6, 0, 0.8}}) {
    group.axis = axis;
    setup.groups = {group};
    const auto places = place(setup)[0];
    REQUIRE(places.size() == 6);
    CHECK(places[0].position[0] == Approx(2.5e-6));
    CHECK(places[0].position[1] == Approx(2.5e-6));
    CHECK(places[0].position[2] == Approx(10e-6 / 6));
    CHECK(places[5].position[0] == Approx(7.5e-6));
    CHECK(places[5].position[2] == Approx(10e-6 * 5 / 6));
    const geometry::Vector z = places[0].rotation({0, 0, 1});
    for (std::size_t d = 0; d < 3; ++d) CHECK(z[d] == Approx(axis[d]).margin(1e-15));
  }
}

TEST_CASE("A table says where each stands, and which way round") {
  Immersed setup = box_of(ShapeKind::red_cell, 10e-6);
  ImmersedGroup group;
  group.arrangement = GroupArrangement::table;
  group.axis = {0, 1, 0};
  group.table = {{1, {2e-6, 3e-6, 4e-6}}, {2, {7e-6, 3e-6, 4e-6}, {1, 0, 0}, 0.25}};
  group.count = 2;
  setup.groups = {group};
  const auto places = place(setup)[0];
  REQUIRE(places.size() == 2);
  const auto points = [](const geometry::Vector& at, const geometry::Vector& to) {
    for (std::size_t d = 0; d < 3; ++d) CHECK(at[d] == Approx(to[d]).margin(1e-15));
  };
  CHECK(places[0].position == group.table[0].position);
  CHECK(places[1].position == group.table[1].position);
  points(places[0].rotation({0, 0, 1}), {0, 1, 0});
  points(places[1].rotation({0, 0, 1}), {1, 0, 0});
  // About z first, then z into x by the shortest way: y stays, x goes to -z.
  points(places[1].rotation({0, 1, 0}), {0, std::cos(0.25), std::sin(0.25)});
}

TEST_CASE("Membranes that overlap are found with their groups, also across periodic sides and with themselves") {
  Immersed setup = box_of(ShapeKind::sphere, 8e-6);
  setup.surfaces.push_back(setup.surfaces[0]);
  setup.surfaces[1].radius = 0.5e-6;
  ImmersedGroup group;
  const auto overlaps = [&](const std::vector<std::array<double, 3>>& at, std::size_t surface_of_last = 0) {
    setup.groups.clear();
    for (const std::array<double, 3>& x : at) {
      for (std::size_t d = 0; d < 3; ++d) group.position[d] = x[d] * 1e-6;
      setup.groups.push_back(group);
    }
    setup.groups.back().surface = surface_of_last;
    setup.places = place(setup);
    return find_overlaps(setup);
  };
  CHECK(overlaps({{1, 4, 4}, {3.001, 4, 4}, {4, 1, 4}}).empty());
  const std::vector<Overlap> two = overlaps({{1, 4, 4}, {4, 4, 4}, {2.5, 4, 4}});
  REQUIRE(two.size() == 2);
  CHECK((two[0].group == 0 && two[0].other == 2 && !two[0].itself && !two[0].within));
  CHECK((two[0].member == 0 && two[0].other_member == 0));
  CHECK((two[1].group == 1 && two[1].other == 2));
  CHECK(overlaps({{0.5, 0.5, 7.5}, {7.5, 7.5, 0.5}}).size() == 1); // around a corner
  CHECK(overlaps({{4, 4, 4}, {4, 4, 4}}).size() == 1);             // the very same place
  const std::vector<Overlap> nested = overlaps({{4, 4, 4}, {4.3, 4, 4}}, 1);
  REQUIRE(nested.size() == 1);
  CHECK(nested[0].within);
  setup.sides[2] = setup.sides[3] = fluid::SideKind::no_slip;
  CHECK(overlaps({{4, 0.5, 4}, {4, 7.5, 4}}).empty());
  setup.surfaces[0].shape = ShapeKind::ellipsoid;
  setup.surfaces[0].semi_axes = {1e-6, 1e-6, 4.1e-6};
  const std::vector<Overlap> itself = overlaps({{4, 4, 4}});
  REQUIRE(itself.size() == 1);
  CHECK(itself[0].itself);
  setup.groups[0].axis = {0, 1, 0}; // along the walls' axis there are no images
  setup.places = place(setup);
  CHECK(find_overlaps(setup).empty());
}

TEST_CASE("The nearest two at the start are found, also across periodic sides and with themselves") {
  Immersed setup = box_of(ShapeKind::sphere, 8e-6);
  ImmersedGroup group;
  const auto nearest = [&](const std::vector<std::array<double, 3>>& at, double gap) {
    setup.groups.clear();
    for (const std::array<double, 3>& x : at) {
      for (std::size_t d = 0; d < 3; ++d) group.position[d] = x[d] * 1e-6;
      setup.groups.push_back(group);
    }
    setup.places = place(setup);
    return find_nearest(setup, gap, false);
  };
  constexpr double rough = 0.04e-6; // what the coarse spheres lack on both sides, and a hundredth of the gap
  CHECK_FALSE(nearest({{1, 4, 4}, {4, 4, 4}}, 0.9e-6));
  const auto two = nearest({{1, 4, 4}, {4, 4, 4}, {4, 6.5, 4}}, 1.2e-6);
  REQUIRE(two);
  CHECK((two->group == 1 && two->other == 2 && !two->itself));
  CHECK(two->distance == Approx(0.5e-6).margin(2 * rough));
  const auto around = nearest({{1, 4, 4}, {6.7, 4, 4}}, 1e-6);
  REQUIRE(around);
  CHECK(around->distance == Approx(0.3e-6).margin(2 * rough));
  CHECK_FALSE(nearest({{4, 4, 4}}, 1e-6));
  setup.surfaces[0].radius = 3.8e-6;
  const auto image = nearest({{4, 4, 4}}, 1e-6);
  REQUIRE(image);
  CHECK((image->itself && image->group == 0));
  CHECK(image->distance == Approx(0.4e-6).margin(2 * 3.8 * rough));
  setup.surfaces[0].radius = 1e-6;
  setup.surfaces.push_back(setup.surfaces[0]);
  setup.surfaces[1].radius = 0.5e-6;
  setup.groups = {group, group};
  setup.groups[1].surface = 1;
  setup.places = place(setup);
  CHECK_FALSE(find_nearest(setup, 0.6e-6, false)); // one within the other: told as such
}

TEST_CASE("A lattice that is too dense overlaps itself; a random membrane keeps away from its own images") {
  Immersed setup = box_of(ShapeKind::sphere, 8e-6);
  ImmersedGroup lattice;
  lattice.arrangement = GroupArrangement::lattice;
  lattice.high = setup.size;
  lattice.lattice = {3, 3, 3};
  lattice.count = 27;
  setup.groups = {lattice};
  setup.places = place(setup);
  CHECK(find_overlaps(setup).empty());
  setup.groups[0].lattice = {5, 1, 1}, setup.groups[0].count = 5;
  setup.places = place(setup);
  const std::vector<Overlap> found = find_overlaps(setup);
  REQUIRE(found.size() == 1);
  CHECK((found[0].group == 0 && found[0].other == 0 && !found[0].itself));
  setup = box_of(ShapeKind::ellipsoid, 8e-6);
  setup.surfaces[0].semi_axes = {1e-6, 1e-6, 4.1e-6};
  setup.groups = {random_group(setup, 0)};
  setup.groups[0].count = 1;
  const geometry::Vector z = place(setup)[0][0].rotation({0, 0, 1});
  for (const double part : z) CHECK(std::abs(part) < 0.98); // never along an axis of the box
}

} // namespace corral::structure
