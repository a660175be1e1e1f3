#include "fluid/domain.hpp"
#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/tolerance.hpp"

#include <cmath>

namespace corral::test {
namespace {

using fluid::Domain;
using fluid::FaceKind;
using fluid::SideKind;

constexpr std::array<SideKind, 6> closed{SideKind::no_slip,   SideKind::no_slip, SideKind::free_slip,
                                         SideKind::free_slip, SideKind::no_slip, SideKind::no_slip};

Grid box(const std::array<SideKind, 6>& sides) { return Domain::make_grid({4, 3, 5}, {1, 2, 3}, {4, 3, 5}, sides); }

fluid::Inlet jet(int side, std::array<double, 3> low, std::array<double, 3> high, double velocity) {
  fluid::Inlet inlet;
  inlet.name = "jet";
  inlet.side = side;
  inlet.region = {low, high};
  inlet.velocity = [velocity](const std::array<double, 3>&) { return velocity; };
  return inlet;
}

/// Volume that enters through a side per time [m3/s]: faces have area 1.
double inflow(const Domain& domain, int side) {
  double sum = 0;
  const int d = side / 2;
  each_face_in_turn(domain.grid(), d, [&](const fluid::Face& f) {
    if (f.boundary() && (f.above < 0) == (side % 2 == 1))
      sum += (side % 2 == 1 ? -1 : 1) * domain.given_velocity(d, f.index);
  });
  return sum;
}

} // namespace

TEST_CASE("faces and cells know each other") {
  auto sides = closed;
  sides[2] = sides[3] = SideKind::periodic;
  const Grid grid = box(sides);
  for (int d = 0; d < 3; ++d) {
    Array<std::int64_t> above(grid.points(face(d)), -2), below(grid.points(face(d)), -2);
    each_face_in_turn(grid, d, [&](const fluid::Face& f) {
      above[f.index] = f.above;
      below[f.index] = f.below;
    });
    each_cell_in_turn(grid, [&](const fluid::Cell& c) {
      CHECK(above[c.low[d]] == c.index);
      CHECK(below[c.high[d]] == c.index);
    });
  }
}

TEST_CASE("an inlet lets in its velocity times its area, wherever its edges lie") {
  for (int side = 0; side < 6; ++side) {
    const std::array<double, 3> low{1.3, 2.6, 3.25}, high{3.9, 4.75, 6.5};
    double area = 1;
    for (std::size_t d = 0; d < 3; ++d)
      if (static_cast<int>(d) != side / 2) area *= high[d] - low[d];
    const Domain domain(box(closed), closed, {jet(side, low, high, 2.5)});
    CHECK(inflow(domain, side) == Approx(2.5 * area).epsilon(round_off(20)));
    CHECK(inflow(domain, side ^ 1) == 0);
  }
}

TEST_CASE("jets beside each other add up; faces outside their regions are walls") {
  const Domain domain(box(closed), closed, {jet(4, {1, 2, 0}, {2, 5, 0}, 1), jet(4, {4, 2, 0}, {5, 5, 0}, 3)});
  CHECK(domain.given_velocity(2, 0) == 1);
  CHECK(domain.given_velocity(2, 1) == 0);
  CHECK(domain.given_velocity(2, 3) == 3);
  CHECK(inflow(domain, 4) == Approx(3 * 1 + 3 * 3));
}

TEST_CASE("sides decide what their faces are") {
  auto sides = closed;
  sides[5] = SideKind::outlet;
  const Domain domain(box(sides), sides, {});
  CHECK_FALSE(domain.closed());
  CHECK(Domain(box(closed), closed, {}).closed());
  const std::int64_t plane = 12;
  CHECK(domain.kind(2, 0) == FaceKind::fixed);
  CHECK(domain.kind(2, plane) == FaceKind::interior);
  CHECK(domain.kind(2, 5 * plane) == FaceKind::outlet);
}

TEST_CASE("blocked cells close their faces, inlets included") {
  std::vector<std::uint8_t> blocked(60, 0);
  blocked[0] = 1;
  const Domain domain(box(closed), closed, {jet(4, {1, 2, 0}, {5, 5, 0}, 1)}, blocked);
  CHECK(domain.has_closed_faces());
  CHECK_FALSE(Domain(box(closed), closed, {}, std::vector<std::uint8_t>(60, 0)).has_closed_faces());
  CHECK(domain.volume_fraction(0) == 0);
  CHECK(domain.volume_fraction(1) == 1);
  CHECK(domain.aperture(0, 1) == 0);
  CHECK(domain.kind(0, 1) == FaceKind::fixed);
  CHECK(domain.aperture(0, 2) == 1);
  CHECK(domain.given_velocity(2, 0) == 0);
  CHECK(inflow(domain, 4) == Approx(11));
  CHECK_THROWS_WITH(Domain(box(closed), closed, {}, {1, 0}), Catch::Matchers::ContainsSubstring("60 cells"));
}

TEST_CASE("the divergence of a linear field is exact, and constant fields have none") {
  auto sides = closed;
  sides[0] = sides[1] = SideKind::periodic;
  const Grid grid = Domain::make_grid({4, 3, 5}, {0, 0, 0}, {2, 3, 0.5}, sides);
  const Domain domain(grid, sides, {});
  each_cell_in_turn(grid, [&](const fluid::Cell& c) {
    CHECK(fluid::divergence(domain.view(), c, [](int, std::int64_t) { return 7.0; }) == 0);
    const double z = fluid::divergence(domain.view(), c, [&](int d, std::int64_t f) {
      return d == 2 ? 0.1 * static_cast<double>(f / 12) : 0.0; // w = z: faces are .1 m apart
    });
    CHECK(z == Approx(1).epsilon(round_off(6)));
  });
}

TEST_CASE("only no-slip walls slide, along themselves") {
  auto sides = closed;
  sides[5] = SideKind::outlet;
  Domain domain(box(sides), sides, {});
  CHECK(domain.wall_velocity(2) == std::array<double, 3>{0, 0, 0});
  domain.set_wall_velocity(4, {1, -2, 0});
  CHECK(domain.wall_velocity(4) == std::array<double, 3>{1, -2, 0});
  CHECK_THROWS_WITH(domain.set_wall_velocity(2, {1, 0, 0}), Catch::Matchers::ContainsSubstring("y_low, which is free_slip"));
  CHECK_THROWS_WITH(domain.set_wall_velocity(5, {1, 0, 0}), Catch::Matchers::ContainsSubstring("z_high, which is outlet"));
  CHECK_THROWS_WITH(domain.set_wall_velocity(0, {1, 0, 0}), Catch::Matchers::ContainsSubstring("x_low along its normal"));
  CHECK_THROWS_WITH(domain.set_wall_velocity(0, {0, std::nan(""), 0}), Catch::Matchers::ContainsSubstring("not finite"));
}

TEST_CASE("inlets on outlets or periodic sides are refused") {
  auto sides = closed;
  sides[5] = SideKind::outlet;
  CHECK_THROWS_WITH(Domain(box(sides), sides, {jet(5, {1, 2, 0}, {5, 5, 0}, 1)}), Catch::Matchers::ContainsSubstring("outlet"));
  sides[0] = sides[1] = SideKind::periodic;
  CHECK_THROWS_WITH(Domain(box(sides), sides, {jet(0, {1, 2, 0}, {5, 5, 0}, 1)}), Catch::Matchers::ContainsSubstring("periodic"));
  CHECK_THROWS_WITH(Domain(box(closed), sides, {}), Catch::Matchers::ContainsSubstring("periodic"));
}

} // namespace corral::test
