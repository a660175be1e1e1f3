#include "structure/bodies/rigid_motion.hpp"

#include "tests/catch.hpp"
#include "tests/structure/bodies/solids.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace corral::structure {
namespace {

using geometry::Vector;
using geometry::operator+;
using geometry::operator-;
using geometry::operator*;
using test::round_off;


/// Of three different moments, in vacuum.
RigidInertia top() { return {1, {1, 2, 3.5, 0, 0, 0}, 1, 0}; }

RigidState spun(const RigidInertia& body, double time, int steps, const Vector& w) {
  RigidState state = placed(body, {}, {}, w);
  for (int i = 0; i < steps; ++i) {
    kick(body, {}, {}, time / steps, 1, state);
    drift(time / steps, state);
  }
  return state;
}

double angle_between(const Quaternion& a, const Quaternion& b) {
  double cosine = 0, sine = 0;
  for (std::size_t i = 0; i < 4; ++i) cosine += a[i] * b[i];
  for (std::size_t i = 0; i < 4; ++i) sine += (a[i] - cosine * b[i]) * (a[i] - cosine * b[i]);
  return 2 * std::atan2(std::sqrt(sine), std::abs(cosine));
}

Coupling held_by(double k, const Vector& u = {}) {
  PointPulls pulls;
  for (std::size_t d = 0; d < 3; ++d)
    for (const double sign : {-1.0, 1.0}) {
      Vector lever{};
      lever[d] = sign;
      pulls.add(k / 6, lever, u);
    }
  return coupling_of(pulls);
}

} // namespace

TEST_CASE("A quaternion turns as its rotation does, and a constant rate of turning is exact") {
  const auto rotation = geometry::Rotation::about({1, 2, -0.5}, 2.5);
  for (const auto& r : {rotation, geometry::Rotation::about({1, 0, 0}, 3.1), geometry::Rotation::about({0, 1, 0.1}, 3.1),
                        geometry::Rotation::about({0.1, 0, 1}, -3.1), geometry::Rotation()}) {
    const auto back = geometry::Rotation::from_quaternion(quaternion_of(r));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) CHECK(back.rows()[i][j] == Approx(r.rows()[i][j]).margin(1e-14));
  }
  RigidState state;
  state.angular_velocity = {0.3, -2, 1}, state.velocity = {1, 2, 3};
  for (int i = 0; i < 7; ++i) drift(0.9, state);
  const auto expected = geometry::Rotation::about(state.angular_velocity, 6.3 * geometry::length(state.angular_velocity));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) CHECK(state.rotation().rows()[i][j] == Approx(expected.rows()[i][j]).margin(1e-13));
  CHECK(state.position[1] == Approx(12.6).epsilon(1e-14));
}

TEST_CASE("A top without loads keeps its angular momentum to the bit and its energy to second order") {
  const RigidInertia body = top();
  const Vector w{0.3, 1.5, 0.4};
  const RigidState exact = spun(body, 4, 16000, w), coarse = spun(body, 4, 400, w), fine = spun(body, 4, 800, w);
  const RigidState start = placed(body, {}, {}, w);
  CHECK(coarse.spin == start.spin);
  const double order = std::log2(angle_between(coarse.orientation, exact.orientation) /
                                 angle_between(fine.orientation, exact.orientation));
  CHECK(order == Approx(2).margin(0.1));
  const auto off = [&](const RigidState& s) { return std::abs(kinetic_energy(body, s) / kinetic_energy(body, start) - 1); };
  CHECK(off(coarse) < 1e-4);
  CHECK(off(coarse) / off(fine) == Approx(4).epsilon(0.15));
  double size = 0;
  for (const double q : coarse.orientation) size += q * q;
  CHECK(size == Approx(1).epsilon(1e-14));
}

TEST_CASE("A top about its middle axis turns over and over, and never gains energy") {
  const RigidInertia body = top();
  RigidState state = placed(body, {}, {}, {1e-3, 2, 1e-3});
  const double energy = kinetic_energy(body, state);
  int overturns = 0;
  double sign = 1, most = 0;
  for (int i = 0; i < 40000; ++i) { // some twenty periods
    kick(body, {}, {}, 0.01, 1, state);
    drift(0.01, state);
    const double along = state.rotation().inverse()(state.angular_velocity)[1];
    if (along * sign < -1) sign = -sign, ++overturns;
    most = std::max(most, std::abs(kinetic_energy(body, state) / energy - 1));
  }
  CHECK(overturns > 20);
  CHECK(most < 1e-4); // no drift
}

TEST_CASE("A body on whom a constant force and torque act moves by the parabola") {
  RigidInertia body{2, {3, 3, 3, 0, 0, 0}, 5, 1}; // 8 kg beyond the fluid's
  RigidState state = placed(body, {}, {1, 0, 0}, {0, 0, 0.5});
  const BodyLoad load{{0, -4, 0}, {0, 0, 6}};
  for (int i = 0; i < 10; ++i) {
    kick(body, {}, load, 0.1, i == 0 ? 0.5 : 1, state);
    drift(0.1, state);
  }
  CHECK(state.position[0] == Approx(1).epsilon(1e-13));
  CHECK(state.position[1] == Approx(-0.25).epsilon(1e-13));
  CHECK(angle_between(state.orientation, turn_by({0, 0, 0.5 + 0.25})) < 1e-13); // 6 N m over 12 kg m2
  CHECK(body.excess_mass() == 8);
}

TEST_CASE("What is frozen stays at rest, and the rest moves as if it were held") {
  RigidInertia body{1, {1, 2, 3.5, 0.2, 0.1, -0.3}, 2, 1};
  body.frozen_translation = {false, false, true};
  body.frozen_rotation = {true, true, false};
  RigidState state = placed(body, {}, {1, 1, 1}, {1, 1, 1});
  CHECK(state.velocity == Vector{1, 1, 0});
  for (int i = 0; i < 20; ++i) {
    kick(body, held_by(0.3), {{1, 2, 3}, {1, 2, 3}}, 0.05, 1, state);
    drift(0.05, state);
  }
  CHECK(state.velocity[2] == 0);
  CHECK(state.angular_velocity[0] == 0);
  CHECK(state.angular_velocity[1] == 0);
  CHECK(state.position[2] == 0);
  CHECK(state.orientation[1] == 0);
  // 3.5 dw/dt = 3 - k w, k of the four points off the axis
  double w = 1;
  for (int i = 0; i < 20; ++i) w = (3.5 * w + 0.05 * 3) / (3.5 + 0.05 * 0.2);
  CHECK(state.angular_velocity[2] == Approx(w).epsilon(1e-12));
}

TEST_CASE("A cylinder that falls stays in its plane") {
  const BodyShape shape = make_body(Cpu{}, cylinder_of(0.5, 0.1), 0.25);
  MotionModel motion;
  motion.density = 3;
  const RigidInertia body = rigid_inertia(shape, motion, 1);
  CHECK(body.excess_mass() == Approx(2 * shape.volume));
  RigidState state = placed(body, {{}, {0, 0, 0.125}}, {0, 0, 1}, {0.1, 0, 2});
  kick(body, {}, {{0, -1, 4}, {3, 0, 0}}, 0.1, 1, state);
  drift(0.1, state);
  CHECK(state.position[1] == Approx(-0.1 * 0.1 / body.excess_mass()));
  CHECK(state.position[2] == 0.125);
  CHECK(state.angular_velocity[2] == Approx(2));
  CHECK((state.angular_velocity[0] == 0 && state.orientation[1] == 0));
}

TEST_CASE("Points that pull are a symmetric resistance, and pull by their slip") {
  RigidState state;
  state.velocity = {0.1, -0.2, 0.4}, state.angular_velocity = {1, 0.5, -2};
  PointPulls pulls, half;
  BodyLoad expected;
  for (int i = 0; i < 20; ++i) {
    const Vector lever{std::sin(3.0 * i), std::cos(5.0 * i), std::sin(1.0 + i)}, u{0.1 * i, -0.05 * i, 1};
    const double c = 1 + 0.1 * i;
    (i % 2 ? half : pulls).add(c, lever, u);
    const Vector force = c * (u - velocity_at(state, lever));
    expected += {force, geometry::cross(lever, force)};
  }
  pulls += half;
  const Coupling coupling = coupling_of(pulls);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) CHECK(coupling.resistance[i][j] == Approx(coupling.resistance[j][i]).epsilon(1e-14));
  const BodyLoad load = load_of(coupling, state);
  for (std::size_t d = 0; d < 3; ++d) {
    CHECK(load.force[d] == Approx(expected.force[d]).margin(1e-11));
    CHECK(load.torque[d] == Approx(expected.torque[d]).margin(1e-11));
  }
}

TEST_CASE("A body as heavy as its fluid goes with it at once, and is refused where nothing couples it") {
  const RigidInertia body{1, {0.4, 0.4, 0.4, 0, 0, 0}, 1000, 1000};
  RigidState state;
  kick(body, held_by(7, {1, 2, 3}), {}, 1e-3, 1, state);
  for (std::size_t d = 0; d < 3; ++d) CHECK(state.velocity[d] == Approx(static_cast<double>(d + 1)).epsilon(1e-13));
  CHECK_THROWS_WITH(kick(body, {}, {}, 1e-3, 1, state), Catch::Matchers::ContainsSubstring("a body that nothing holds"));
}

TEST_CASE("A body that turns too fast for its step is refused") {
  const RigidInertia body = top();
  RigidState state = placed(body, {}, {}, {0, 100, 1});
  CHECK_THROWS_WITH(kick(body, {}, {}, 1, 1, state), Catch::Matchers::ContainsSubstring("take a smaller step"));
  RigidInertia ball = body; // for which that makes no difference
  ball.moments = {2, 2, 2, 0, 0, 0};
  state = placed(ball, {}, {}, {0, 100, 1});
  kick(ball, {}, {}, 1, 1, state);
  CHECK(state.angular_velocity[1] == Approx(100).epsilon(1e-14));
}

namespace {

/// A body and the fluid that moves with it, m_a = 1.5 m_f, which the body's points hold as a step of direct forcing does.
/// The largest speed after many steps, of one that is let go beside fluid that rises.
double speed_after(double density_ratio, double hold, double virtual_mass) {
  RigidInertia body{1, {0.4, 0.4, 0.4, 0, 0, 0}, density_ratio, 1, virtual_mass};
  RigidState state;
  double fluid = 1, most = 0;
  constexpr int steps = 4000; // near the bound it grows slowly
  for (int i = 0; i < steps; ++i) {
    const Coupling coupling = held_by(hold, {fluid, 0, 0});
    kick(body, coupling, {}, 1, 1, state);
    fluid -= load_of(coupling, state).force[0] / 1.5;
    if (i > steps - 100) most = std::max(most, std::abs(state.velocity[0]));
    if (std::abs(state.velocity[0]) > 1e6) return 1e6;
  }
  return most;
}

} // namespace

TEST_CASE("Heavy bodies need no virtual mass, and light ones as much as the formula says") {
  for (const double ratio : {1.0, 1.01, 2.5})
    for (const double hold : {0.05, 0.5, 1.4}) {
      CHECK(least_virtual_mass(ratio, hold) == 0);
      CHECK(speed_after(ratio, hold, 0) < 1.1);
    }
  for (const double ratio : {0.001, 0.3, 0.8})
    for (const double hold : {0.1, 0.3, 0.7, 1.1, 2.0, 2.9}) {
      const double least = least_virtual_mass(ratio, hold);
      INFO(ratio << " " << hold << " " << least);
      CHECK(speed_after(ratio, hold, 1.1 * least + 1e-3) < 10);
      CHECK(least_virtual_mass(ratio, 3.1) == 0);
      if (least > 0) CHECK(speed_after(ratio, hold, 0.9 * least) > 1e3);
    }
}

TEST_CASE("Virtual mass changes motion by the first order of the step") {
  // Against a fluid that speeds up steadily, by drag: (m_s - m_f) dU/dt = k (u - U).
  const auto end = [](double virtual_mass, int steps) {
    RigidInertia body{1, {0.4, 0.4, 0.4, 0, 0, 0}, 1.5, 1, virtual_mass};
    RigidState state;
    const double dt = 2.0 / steps;
    for (int i = 0; i < steps; ++i) kick(body, held_by(1, {dt * (i + 1), 0, 0}), {}, dt, 1, state);
    return state.velocity[0];
  };
  const double coarse = std::abs(end(0.5, 200) - end(0, 200)), fine = std::abs(end(0.5, 400) - end(0, 400));
  CHECK(coarse < 0.01);
  CHECK(coarse / fine == Approx(2).epsilon(0.1));
}

} // namespace corral::structure
