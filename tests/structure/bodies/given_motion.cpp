#include "structure/bodies/given_motion.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace corral::structure {
namespace {

using geometry::Vector;
using geometry::operator-;
using geometry::operator*;


/// Velocities are the derivatives of places, at all these times.
void check_derivative(const GivenPath& path, std::initializer_list<double> times) {
  for (const double t : times) {
    const double step = 1e-5;
    const Vector difference = (0.5 / step) * (path.shift(t + step) - path.shift(t - step)), v = path.velocity(t);
    for (std::size_t d = 0; d < 3; ++d) CHECK(v[d] == Approx(difference[d]).margin(1e-7));
    CHECK(geometry::length(v) <= path.fastest() * (1 + 1e-12));
    const Vector mean = path.mean_velocity(t, t + 0.3), by = path.shift(t + 0.3) - path.shift(t);
    for (std::size_t d = 0; d < 3; ++d) CHECK(0.3 * mean[d] == Approx(by[d]).margin(1e-15));
  }
}

} // namespace

TEST_CASE("A given motion adds what it is made of, and its velocity is its derivative") {
  GivenMotion motion;
  motion.velocity = {0.1, 0, -0.2};
  motion.oscillation = {{0, 2, 0}, 0.3, 0.25, 0.5};
  motion.rotation_axis = {0, 0, 3}, motion.rotation_rate = 0.7;
  const GivenPath path(motion);
  CHECK(path.shift(0)[1] == Approx(0.3 * std::sin(0.5)));
  CHECK(path.shift(2)[0] == Approx(0.2));
  CHECK(path.shift(2)[1] == Approx(0.3 * std::sin(2 * std::numbers::pi * 0.25 * 2 + 0.5)));
  check_derivative(path, {0.0, 0.7, 5.2});
  RigidState state;
  path.set({geometry::Rotation::about({0, 0, 1}, 0.2), {1, 1, 1}}, 3, state);
  CHECK(state.position[0] == Approx(1.3));
  CHECK(2 * std::atan2(state.orientation[3], state.orientation[0]) == Approx(0.2 + 2.1));
  CHECK(state.angular_velocity == Vector{0, 0, 0.7});
}

TEST_CASE("A path goes through its points smoothly, exactly where it is a parabola, and then stands") {
  GivenMotion motion;
  for (const double t : {0.0, 0.4, 1.0, 1.3, 2.0}) motion.path.push_back({t, {t * t, -2 * t, 1 + t - t * t}});
  const GivenPath path(motion);
  for (const double t : {0.0, 0.1, 0.7, 1.0, 1.9}) {
    CHECK(path.shift(t)[0] == Approx(t * t).margin(1e-14));
    CHECK(path.velocity(t)[0] == Approx(2 * t).margin(1e-13));
    CHECK(path.velocity(t)[2] == Approx(1 - 2 * t).margin(1e-13));
  }
  CHECK(path.shift(7)[1] == -4);
  CHECK(path.velocity(7) == Vector{});
  CHECK(path.velocity(-1) == Vector{});
  CHECK(path.fastest() >= (1 - 1e-12) * std::hypot(4, 2, 3));
  CHECK(path.fastest() < 1.2 * std::hypot(4, 2, 3));

  motion.path = {{0, {0, 0, 0}}, {1, {1, 0, 0}}, {1.5, {0, 3, 0}}, {4, {0, 0, 0}}};
  const GivenPath rough(motion);
  check_derivative(rough, {0.5, 1.2, 1.5001, 3.2});
  for (const double knot : {1.0, 1.5}) // velocity is continuous
    CHECK(geometry::length(rough.velocity(knot + 1e-9) - rough.velocity(knot - 1e-9)) < 1e-6);
}

TEST_CASE("Motions that cannot be are refused") {
  GivenMotion back;
  back.path = {{0, {}}, {1, {}}, {1, {}}};
  CHECK_THROWS_WITH(GivenPath(back), Catch::Matchers::ContainsSubstring("its times ascend"));
  GivenMotion nowhere;
  nowhere.rotation_axis = {}, nowhere.rotation_rate = 1;
  CHECK_THROWS_WITH(GivenPath(nowhere), Catch::Matchers::ContainsSubstring("a rotation about or along an axis of length 0"));
  GivenMotion infinite;
  infinite.velocity[1] = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(GivenPath(infinite), Catch::Matchers::ContainsSubstring("not finite"));
}

} // namespace corral::structure
