#include "structure/bodies/shape.hpp"

#include "structure/bodies/even_points.hpp"
#include "tests/catch.hpp"
#include "tests/structure/bodies/solids.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <cmath>
#include <numbers>
#include <numeric>

namespace corral::structure {
namespace {

using test::round_off;

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::string refusal(const BodyModel& kind, double thickness = 1) {
  try {
    make_body(Cpu{}, kind, thickness);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST_CASE("A cylinder's points stand in the middles of equal arcs") {
  BodyModel kind = cylinder_of(20, 0);
  kind.points = 126;
  const BodyShape body = make_body(Cpu{}, kind, 0.5);
  REQUIRE(body.points.size() == 126);
  for (const std::size_t m : {0u, 1u, 77u, 125u}) {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(m) + 0.5) / 126;
    CHECK(body.points[m] == geometry::Vector{20 * std::cos(angle), 20 * std::sin(angle), 0});
    CHECK(body.areas[m] == Approx(2 * std::numbers::pi * 20 * 0.5 / 126).epsilon(1e-14));
  }
  CHECK(body.spacing(0.5) == Approx(40 * std::numbers::pi / 126).epsilon(1e-14));
  CHECK(body.volume == Approx(std::numbers::pi * 400 * 0.5).epsilon(1e-14));
  CHECK(body.inertia[2] == Approx(std::numbers::pi * 400 * 0.5 * 200).epsilon(1e-14));
  CHECK(body.inertia[0] == Approx(std::numbers::pi * 400 * 0.5 * (100 + 0.25 / 12)).epsilon(1e-14));
  CHECK((body.planar && body.round && body.triangles.empty()));
  kind.points = 0, kind.spacing = 1;
  CHECK(point_count(Cpu{}, kind) == 126); // 125.66
}

TEST_CASE("Volume and moments of spheres and ellipsoids are those of the formulas, and areas add up") {
  const BodyShape ball = make_body(Cpu{}, sphere_of(2, 0.2), 0);
  CHECK(static_cast<double>(ball.points.size()) == Approx(16 * std::numbers::pi / 0.04).epsilon(1e-3));
  CHECK(ball.spacing(0) == Approx(0.2).epsilon(1e-3));
  CHECK(ball.volume == Approx(4 * std::numbers::pi / 3 * 8).epsilon(1e-14));
  CHECK(ball.inertia[1] == Approx(ball.volume * 4 * 0.4).epsilon(1e-14));
  CHECK(sum(ball.areas) == Approx(16 * std::numbers::pi).epsilon(1e-12));
  for (const geometry::Vector& x : ball.points) CHECK(geometry::length(x) == Approx(2).epsilon(1e-14));

  // The area of an oblate spheroid has a formula.
  const double a = 1.5, c = 0.5, e = std::sqrt(1 - c * c / (a * a));
  const BodyShape egg = make_body(Cpu{}, ellipsoid_of({a, a, c}, 0.2), 0);
  CHECK(egg.area == Approx(2 * std::numbers::pi * a * a * (1 + (1 - e * e) / e * std::atanh(e))).epsilon(1e-8));
  CHECK(sum(egg.areas) == Approx(egg.area).epsilon(1e-12));
  CHECK(egg.volume == Approx(4 * std::numbers::pi / 3 * a * a * c).epsilon(1e-14));
  CHECK(egg.inertia[0] == Approx(egg.volume * (a * a + c * c) / 5).epsilon(1e-14));
  CHECK(egg.inertia[2] == Approx(egg.volume * (a * a + a * a) / 5).epsilon(1e-14));
  CHECK(egg.equivalent_radius == Approx(std::cbrt(a * a * c)).epsilon(1e-14));
  CHECK(egg.radius == a);
  for (const geometry::Vector& x : egg.points)
    CHECK(x[0] * x[0] / (a * a) + x[1] * x[1] / (a * a) + x[2] * x[2] / (c * c) == Approx(1).epsilon(1e-12));
}

TEST_CASE("A body of a file has the volume and the moments of its polyhedron, however it is turned") {
  const double a = 2e-3, b = 1e-3, c = 0.5e-3, volume = a * b * c;
  const geometry::Vector moments{volume * (b * b + c * c) / 12, volume * (a * a + c * c) / 12, volume * (a * a + b * b) / 12};
  const auto turn = geometry::Rotation::about({1, -2, 0.5}, 0.8);
  const BodyShape box = make_body(Cpu{}, body_of_file(off_box(a, b, c), 400), 0);
  const BodyShape other = make_body(Cpu{}, body_of_file(off_box(a, b, c, turn), 400), 0);
  CHECK(box.radius == Approx(0.5 * std::hypot(a, b, c)).epsilon(1e-12));
  for (std::size_t d = 0; d < 3; ++d) CHECK(box.inertia[d] == Approx(moments[d]).epsilon(1e-12));
  for (const BodyShape* body : {&box, &other}) {
    CHECK(body->volume == Approx(volume).epsilon(1e-12));
    CHECK(sum(body->areas) == Approx(2 * (a * b + b * c + c * a)).epsilon(1e-12));
    for (std::size_t d = 0; d < 3; ++d) CHECK(body->principal.moments[d] == Approx(moments[d]).epsilon(1e-12));
    // The principal axes are those of the box, up to signs.
    for (std::size_t d = 0; d < 3; ++d) {
      geometry::Vector own{};
      own[d] = 1;
      const geometry::Vector axis = body == &box ? own : turn(own);
      CHECK(std::abs(geometry::dot(axis, body->principal.axes(own))) == Approx(1).epsilon(1e-12));
    }
    const Evenness even = evenness_of(Cpu{}, body->points, body->areas);
    CHECK(even.nearest > 0.7);
    CHECK(even.farthest < 1.25);
    CHECK(even.deviation < 0.06);
  }
  // Points lie on the box: one coordinate is at its side.
  for (const geometry::Vector& x : box.points)
    CHECK(std::min({0.5 - std::abs(x[0]) / a, 0.5 - std::abs(x[1]) / b, 0.5 - std::abs(x[2]) / c}) == Approx(0).margin(1e-12));
}

TEST_CASE("Principal axes of any tensor are found in order") {
  const std::array<std::array<double, 3>, 4> moments{{{3, 1, 2}, {2, 3, 1}, {1, 3, 2}, {2, 2, 1}}};
  for (const auto& m : moments)
    for (const double angle : {0.0, 0.4, 2.0}) {
      const auto turn = geometry::Rotation::about({1, 0.5, -2}, angle);
      const SymmetricMatrix tensor = turned({m[0], m[1], m[2], 0, 0, 0}, turn);
      const PrincipalAxes found = principal_axes(tensor);
      CHECK(found.moments[0] <= found.moments[1] * (1 + 1e-14));
      CHECK(found.moments[1] <= found.moments[2] * (1 + 1e-14));
      const SymmetricMatrix back = turned({found.moments[0], found.moments[1], found.moments[2], 0, 0, 0}, found.axes);
      for (std::size_t i = 0; i < 6; ++i) CHECK(back[i] == Approx(tensor[i]).margin(1e-13));
    }
}

TEST_CASE("Points are spread evenly") {
  // Bauer's spiral against an icosphere of as many points: areas are five times as even, distances as even.
  const BodyShape ball = make_body(Cpu{}, [] {
    BodyModel kind = sphere_of(1, 0);
    kind.points = 642;
    return kind;
  }(), 0);
  const Evenness spiral = evenness_of(Cpu{}, ball.points, ball.areas);
  CHECK(spiral.deviation < 0.01);
  CHECK(spiral.least > 0.95);
  CHECK(spiral.largest < 1.05);
  CHECK(spiral.farthest / spiral.nearest < 1.14);

  const BodyShape egg = make_body(Cpu{}, ellipsoid_of({2, 1, 0.5}, 0.15), 0);
  const Evenness even = evenness_of(Cpu{}, egg.points, egg.areas);
  CHECK(even.deviation < 0.03);
  CHECK(even.least > 0.85);
  CHECK(even.largest < 1.15);
  CHECK(even.nearest > 0.8);
  CHECK(even.farthest < 1.15);
}

TEST_CASE("Points of a body are the same for any number of threads") {
  const BodyModel kind = ellipsoid_of({1, 0.8, 0.6}, 0.25);
  BodyShape first;
  run_with_threads(1, [&] { first = make_body(Cpu{}, kind, 0); });
  run_with_threads(3, [&] {
    const BodyShape again = make_body(Cpu{}, kind, 0);
    CHECK(again.points == first.points);
    CHECK(again.areas == first.areas);
  });
}

TEST_CASE("Bodies that cannot be are refused with what to change") {
  CHECK(refusal(sphere_of(1, 1.2)) ==
        "[ball]: 9 points, 1.2 m apart (its surface needs 24) take more, or a smaller spacing");
  CHECK(refusal(cylinder_of(1, 1)).find("(its surface needs 8)") != std::string::npos);
  CHECK(refusal(sphere_of(1, 1e-5)).find("take fewer, or a larger spacing") != std::string::npos);
  CHECK(refusal(sphere_of(0, 0.1)) == "[ball]: a radius of 0 m (it is above 0 and finite)");
  CHECK(refusal(sphere_of(1, 0)) == "[ball]: a spacing of 0 m (it is above 0 and finite)");
  CHECK(refusal(ellipsoid_of({1, -1, 1}, 0.1)).find("half an axis of -1 m") != std::string::npos);
  CHECK(refusal(cylinder_of(1, 0.1), 0).find("a thickness of 0 m") != std::string::npos);
  std::string open = off_box(1, 1, 1);
  open.replace(open.find("8 12 0"), 6, "8 11 0");
  open.erase(open.rfind("3 1 7 5"));
  CHECK_THROWS_WITH(body_of_file(open, 100), Catch::Matchers::ContainsSubstring("edge"));
}

} // namespace corral::structure
