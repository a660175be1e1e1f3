#include "tests/catch.hpp"
#include "tests/structure/placing/boxes.hpp"

#include <corral/execution.hpp>

#include <cmath>
#include <memory>
#include <string>

namespace corral::structure {

namespace {

/// How well the z axes agree: 0 where they point anywhere, 1 where all are parallel (the nematic order of liquid
/// crystals, by the norm of its tensor).
double order_of(const std::vector<geometry::Placement>& places) {
  std::array<std::array<double, 3>, 3> q{};
  for (const geometry::Placement& at : places) {
    const geometry::Vector z = at.rotation({0, 0, 1});
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        q[i][j] += (1.5 * z[i] * z[j] - (i == j ? 0.5 : 0)) / static_cast<double>(places.size());
  }
  double square = 0;
  for (const auto& row : q)
    for (const double value : row) square += value * value;
  return std::sqrt(square / 1.5);
}

} // namespace

TEST_CASE("Red cells at random places fill a fifth of a periodic box and keep their gap") {
  Immersed setup = box_of(ShapeKind::red_cell, 4e-6);
  setup.groups = {random_group(setup, 0.2)};
  const auto places = place(setup);
  REQUIRE(places.size() == 1);
  const auto count = static_cast<std::int64_t>(places[0].size());
  CHECK(count == count_of(setup, setup.groups[0]));
  CHECK(static_cast<double>(count) * shape_volume(setup.surfaces[0]) == Approx(0.2 * 64e-18).epsilon(0.06));
  CHECK(all_apart(setup, places));
  const auto again = place(setup); // places come from the seed alone
  for (std::size_t i = 0; i < places[0].size(); ++i) CHECK(again[0][i].position == places[0][i].position);
  setup.random_seed = 2;
  CHECK(place(setup)[0][0].position != places[0][0].position);
}

TEST_CASE("Red cells fill a fifth of a channel, too") {
  Immersed setup = box_of(ShapeKind::red_cell, 5e-6);
  setup.sides[2] = setup.sides[3] = fluid::SideKind::no_slip;
  setup.groups = {random_group(setup, 0.2)};
  const auto places = place(setup);
  CHECK(places[0].size() == 16);
  CHECK(all_apart(setup, places));
}

TEST_CASE("Random spheres stay off walls, their region's border, and those that were there before") {
  Immersed setup = box_of(ShapeKind::sphere, 8e-6);
  setup.sides[2] = setup.sides[3] = fluid::SideKind::no_slip;
  ImmersedGroup fixed;
  fixed.name = "first";
  fixed.position = {4e-6, 4e-6, 4e-6};
  ImmersedGroup crowd = random_group(setup, 0.2);
  crowd.low[2] = 1e-6, crowd.high[2] = 7e-6;
  crowd.turned_at_random = false;
  setup.groups = {fixed, crowd};
  const auto places = place(setup);
  CHECK(places[1].size() > 10);
  CHECK(all_apart(setup, places));
  for (const geometry::Placement& at : places[1])
    for (const std::size_t d : {1u, 2u}) {
      CHECK(at.position[d] - 1e-6 > crowd.low[d] + 0.9 * crowd.gap);
      CHECK(at.position[d] + 1e-6 < crowd.high[d] - 0.9 * crowd.gap);
    }
}

TEST_CASE("Random spheres do not crowd at walls") {
  Immersed setup = box_of(ShapeKind::sphere, 8e-6);
  setup.sides[2] = setup.sides[3] = fluid::SideKind::no_slip;
  setup.surfaces[0].radius = 0.5e-6;
  setup.groups = {random_group(setup, 0)};
  setup.groups[0].count = 100;
  const auto places = place(setup);
  int at_walls = 0;
  for (const geometry::Placement& at : places[0])
    at_walls += std::min(at.position[1], 8e-6 - at.position[1]) < 0.6e-6 ? 1 : 0; // of 6.9 um .1 are so near
  CHECK(at_walls <= 6);
}

TEST_CASE("Membranes that find no room are refused with their group") {
  Immersed setup = box_of(ShapeKind::sphere, 3e-6);
  setup.groups = {random_group(setup, 0.6)};
  setup.groups[0].count = 2; // half as large they come in, and at three quarters of their size they stand too close
  setup.groups[0].gap = 1.1e-6;
  try {
    place(setup);
    FAIL("found room");
  } catch (const NoRoom& e) {
    CHECK(e.group == "crowd");
    CHECK(std::string(e.what()).find("find no room") != std::string::npos);
    CHECK(std::string(e.what()).find(" of their size, ") != std::string::npos);
  }
  setup.groups[0].gap = 10e-6;
  try {
    place(setup);
    FAIL("found room");
  } catch (const NoRoom& e) {
    CHECK(std::string(e.what()).find("not even small as they came in") != std::string::npos);
  }
}

TEST_CASE("Thirteen red cells fill two fifths of a box, with the same bits for any number of threads") {
  Immersed setup = box_of(ShapeKind::red_cell, 3.72e-6);
  setup.groups = {random_group(setup, 0.4)};
  setup.groups[0].gap = 0.1e-6;
  const auto places = place(setup);
  REQUIRE(places[0].size() == 13);
  CHECK(all_apart(setup, places));
  CHECK(order_of(places[0]) < 0.6);
  for (const int threads : {1, 2, 3})
    run_with_threads(threads, [&] {
      const auto again = place(setup);
      for (std::size_t i = 0; i < places[0].size(); ++i) {
        CHECK(again[0][i].position == places[0][i].position);
        CHECK(again[0][i].rotation.rows() == places[0][i].rotation.rows());
      }
    });
}

TEST_CASE("Red cells that point where the case says go on doing so in a throng") {
  Immersed setup = box_of(ShapeKind::red_cell, 4e-6);
  setup.groups = {random_group(setup, 0.3)};
  setup.groups[0].turned_at_random = false;
  setup.groups[0].axis = {0, 1, 0};
  const auto places = place(setup);
  CHECK(all_apart(setup, places));
  for (const geometry::Placement& at : places[0])
    CHECK(at.rotation.rows() == places[0][0].rotation.rows());
  CHECK(places[0][0].rotation({0, 0, 1})[1] == Approx(1));
}

TEST_CASE("Groups of several kinds look for room together, among those that have theirs") {
  Immersed setup = box_of(ShapeKind::red_cell, 5e-6);
  setup.sides[2] = setup.sides[3] = fluid::SideKind::no_slip;
  SurfaceModel ball = setup.surfaces[0], file = ball;
  ball.shape = ShapeKind::sphere, ball.radius = 0.5e-6;
  SurfaceModel long_one = ball;
  long_one.shape = ShapeKind::ellipsoid, long_one.semi_axes = {0.4e-6, 0.5e-6, 1.2e-6};
  const SurfaceShape read = make_shape(long_one);
  geometry::Surface surface;
  surface.points.assign(read.start);
  surface.triangles.assign(read.triangles);
  file.shape = ShapeKind::file;
  file.mesh = std::make_shared<const geometry::Mesh>(std::move(surface));
  setup.surfaces = {setup.surfaces[0], ball, file};
  ImmersedGroup fixed;
  fixed.surface = 0;
  fixed.position = {2.5e-6, 2.5e-6, 2.5e-6};
  setup.groups.assign(4, random_group(setup, 0));
  setup.groups[1] = fixed;
  setup.groups[0].count = 9;
  setup.groups[2].surface = 1, setup.groups[2].count = 12, setup.groups[2].gap = 0.15e-6;
  setup.groups[3].surface = 2, setup.groups[3].count = 7, setup.groups[3].high[0] = 3.5e-6;
  const auto places = place(setup);
  CHECK(places[1][0].position == fixed.position);
  CHECK(places[0].size() == 9);
  CHECK(places[2].size() == 12);
  CHECK(places[3].size() == 7);
  CHECK(all_apart(setup, places));
  for (const std::size_t g : {0u, 2u, 3u})
    for (const geometry::Placement& at : places[g])
      for (const geometry::Vector& point : make_shape(setup.surfaces[setup.groups[g].surface], coarse_markers).start) {
        const ImmersedGroup& group = setup.groups[g];
        REQUIRE(at(point)[1] >= group.low[1] + group.gap);
        REQUIRE(at(point)[1] <= group.high[1] - group.gap);
        if (g == 3) REQUIRE(at(point)[0] <= group.high[0] - group.gap);
      }
}

TEST_CASE("Who waits for room hears how large those are that look for it") {
  Immersed setup = box_of(ShapeKind::sphere, 6e-6);
  setup.groups = {random_group(setup, 0.1)};
  std::vector<std::string> heard;
  place(setup, [&](const std::string& how_far) { heard.push_back(how_far); });
  REQUIRE(heard.size() > 10);
  CHECK(heard.front() == "5 membranes look for room: 0.3 of their size, 0.262 % of their region");
  CHECK(heard.back() == "5 membranes look for room: 1 of their size, 9.7 % of their region");
}

TEST_CASE("Of several groups the one is refused that finds no room") {
  Immersed setup = box_of(ShapeKind::sphere, 8e-6);
  setup.groups.assign(2, random_group(setup, 0));
  setup.groups[0].count = 4;
  setup.groups[1].name = "caged", setup.groups[1].count = 2;
  for (std::size_t d = 0; d < 3; ++d) setup.groups[1].high[d] = 2.3e-6;
  try {
    place(setup);
    FAIL("found room");
  } catch (const NoRoom& e) {
    CHECK(e.group == "caged");
  }
}

TEST_CASE("Sixty-four red cells fill .45 of a box", "[.][long]") {
  Immersed setup = box_of(ShapeKind::red_cell, 6.08e-6);
  setup.groups = {random_group(setup, 0.45)};
  setup.groups[0].gap = 0.128e-6; // a cell of 48 along the box
  const auto places = place(setup);
  CHECK(places[0].size() == 64);
  CHECK(all_apart(setup, places));
  CHECK(order_of(places[0]) < 0.3);
}

} // namespace corral::structure
