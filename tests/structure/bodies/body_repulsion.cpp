#include "structure/bodies/body_repulsion.hpp"

#include "run/random.hpp"
#include "tests/catch.hpp"
#include "tests/sanitized.hpp"
#include "tests/structure/bodies/solids.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <cmath>
#include <vector>

namespace corral::structure {
namespace {

using geometry::Vector;
using geometry::operator+;
using geometry::operator-;
using geometry::operator*;

constexpr double range = 0.2;
constexpr std::array<bool, 6> no_walls{}, floor_alone{false, false, true, false, false, false};

/// Periodic along x and z, and along y where there are no walls.
Grid box_of(bool walls, double thickness = 8) {
  const Boundary y = walls ? Boundary::wall : Boundary::periodic;
  return Grid({Axis{16, 0, 0.5}, Axis{16, -1, 0.5, y, y}, Axis{thickness == 8 ? 16 : 1, 0, thickness == 8 ? 0.5 : thickness}});
}

BodyRepulsionModel quadratic(double strength) { return {RepulsionLaw::quadratic, range, strength, 1}; }

/// Bodies of some shapes, and what moves them.
struct Bouncing {
  std::vector<BodyShape> shapes;
  std::vector<std::size_t> shape_of;
  std::vector<RigidState> states;
  std::vector<BodyLoad> loads;

  std::vector<const BodyShape*> pointers() const {
    std::vector<const BodyShape*> all;
    for (const BodyShape& s : shapes) all.push_back(&s);
    return all;
  }
  void add(std::size_t shape, const Vector& at, const Quaternion& q = {1, 0, 0, 0}) {
    RigidState state;
    state.position = at, state.orientation = q;
    shape_of.push_back(shape), states.push_back(state), loads.emplace_back();
  }
  BodyRepulsion::Found find(BodyRepulsion& repulsion, double mass = 0) {
    std::vector<Bumper> bumpers;
    for (std::size_t i = 0; i < states.size(); ++i) bumpers.push_back({shape_of[i], &states[i], mass});
    return repulsion.find(Cpu{}, bumpers, loads);
  }
  RigidInertia inertia(std::size_t i) const { return {shapes[shape_of[i]].volume, shapes[shape_of[i]].inertia, 1, 0}; }
  double kinetic() const {
    double all = 0;
    for (std::size_t i = 0; i < states.size(); ++i) all += kinetic_energy(inertia(i), states[i]);
    return all;
  }
  void start() {
    for (std::size_t i = 0; i < states.size(); ++i) {
      RigidState& s = states[i];
      s.spin = times(turned(inertia(i).moments, s.rotation()), s.angular_velocity);
    }
  }
  void step(BodyRepulsion& repulsion, double dt, const Vector& gravity = {}, double mass = 0, double friction = 0) {
    find(repulsion, mass);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const RigidInertia body = inertia(i);
      BodyLoad load = loads[i];
      load.force = load.force + body.excess_mass() * gravity - friction * states[i].velocity;
      kick(body, {}, load, dt, 1, states[i]);
      drift(dt, states[i]);
    }
  }
};

Bouncing balls() {
  Bouncing all;
  all.shapes = {make_body(Cpu{}, sphere_of(0.5, 0.1), 0)};
  return all;
}

/// A ball, an ellipsoid and a box, with few points and crowded.
Bouncing mixed() {
  static const std::vector<BodyShape> made{make_body(Cpu{}, sphere_of(0.5, 0.1), 0),
                                           make_body(Cpu{}, ellipsoid_of({0.7, 0.5, 0.3}, 0.1), 0),
                                           make_body(Cpu{}, body_of_file(off_box(0.8, 0.6, 0.5), 150), 0)};
  Bouncing all;
  all.shapes = made;
  return all;
}

} // namespace

TEST_CASE("Two balls that meet head on turn back with their energy, and touch as little as the formula says") {
  Bouncing all = balls();
  all.add(0, {3, 3, 3}), all.add(0, {4.5, 3, 3});
  all.states[0].velocity = {1, 0, 0}, all.states[1].velocity = {-1, 0, 0};
  const double mass = all.shapes[0].volume; // of density 1
  const BodyRepulsionModel model = quadratic(repulsion_strength(mass, 0, 2, range));
  BodyRepulsion repulsion(Cpu{}, box_of(false), no_walls, all.pointers(), model);
  const double dt = 0.1 * repulsion_step(model, mass);
  double least = 1, most = 0;
  for (double t = 0; t < 1.5; t += dt) {
    all.step(repulsion, dt);
    const auto found = all.find(repulsion);
    least = std::min(least, found.least_gap), most = std::max(most, found.energy);
    CHECK(std::abs(all.states[0].velocity[0] + all.states[1].velocity[0]) < 1e-13);
  }
  CHECK(all.states[0].velocity[0] == Approx(-1).epsilon(1e-3));
  // strength range/3 (D/range)^3 = m v^2/4 of the relative speed 2
  CHECK(most == Approx(mass).epsilon(2e-3));
  CHECK(least == Approx(range * (1 - std::cbrt(3 * mass / (model.strength * range)))).epsilon(0.01));
  CHECK(least > 0);
}

TEST_CASE("A ball on a wall comes to rest where its weight is held") {
  for (const auto law : {RepulsionLaw::quadratic, RepulsionLaw::soft_sphere}) {
    Bouncing all = balls();
    all.add(0, {3, -1 + 0.5 + 0.3, 3});
    const double weight = all.shapes[0].volume * 2, mass = all.shapes[0].volume;
    BodyRepulsionModel model = quadratic(repulsion_strength(mass, weight, 0, range));
    model.law = law;
    BodyRepulsion repulsion(Cpu{}, box_of(true), floor_alone, all.pointers(), model);
    for (int i = 0; i < 4000; ++i) all.step(repulsion, 0.01, {0, -2, 0}, 0, 2 * mass);
    const double share = law == RepulsionLaw::quadratic ? std::sqrt(1.0 / 6) : 1.0 / 6;
    CHECK(all.states[0].velocity[1] == Approx(0).margin(1e-12));
    CHECK(all.states[0].position[1] == Approx(-0.5 + range * (1 - share)).epsilon(1e-10));
    CHECK(all.loads[0].force[1] == Approx(weight).epsilon(1e-10));
  }
}

TEST_CASE("A soft sphere leaves a wall with its restitution, and dashpots never pull") {
  for (const double e : {0.9, 0.5, 0.1}) {
    Bouncing all = balls();
    all.add(0, {3, 0, 3});
    all.states[0].velocity = {0.3, -1, 0};
    const double mass = all.shapes[0].volume;
    const BodyRepulsionModel model{RepulsionLaw::soft_sphere, range, repulsion_strength(mass, 0, 1, range), e};
    BodyRepulsion repulsion(Cpu{}, box_of(true), floor_alone, all.pointers(), model);
    double lost = 0;
    const double before = all.kinetic(), dt = 0.02 * repulsion_step(model, mass);
    for (double t = 0; t < 2; t += dt) {
      all.step(repulsion, dt, {}, mass);
      CHECK(all.loads[0].force[1] >= 0);
      lost += dt * all.find(repulsion, mass).lost;
    }
    // Where a dashpot would pull it is let go: a little faster.
    CHECK(all.states[0].velocity[1] > e * 0.99);
    CHECK(all.states[0].velocity[1] < e + 0.2);
    CHECK(all.states[0].velocity[0] == 0.3);
    CHECK(before - all.kinetic() == Approx(lost).epsilon(0.03));
  }
}

TEST_CASE("Forces and torques of bodies of any shape are the derivatives of their energy, and have no sum") {
  Bouncing all = mixed();
  all.add(0, {3.0, -0.75, 3.0});
  all.add(1, {3.95, -0.62, 3.1}, turn_by({0.3, 0.2, 0.8}));
  all.add(2, {3.4, 0.1, 3.0}, turn_by({0.5, -0.4, 0.2}));
  all.add(1, {3.3, -0.1, 3.85}, turn_by({1, 1, 0}));
  for (const bool wall : {false, true}) {
    BodyRepulsion repulsion(Cpu{}, box_of(wall), wall ? floor_alone : no_walls, all.pointers(), quadratic(3));
    const auto found = all.find(repulsion);
    REQUIRE(found.contacts >= 5);
    const std::vector<BodyLoad> loads = all.loads;
    Vector force{}, torque{};
    double size = 0;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      force = force + loads[i].force;
      torque = torque + loads[i].torque + geometry::cross(all.states[i].position, loads[i].force);
      size += geometry::length(loads[i].force);
    }
    if (!wall) {
      CHECK(geometry::length(force) < 1e-14 * size);
      CHECK(geometry::length(torque) < 1e-13 * 4 * size);
    }
    const double step = 1e-6;
    for (std::size_t i = 0; i < loads.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d) {
        const RigidState was = all.states[i];
        double by_shift = 0, by_turn = 0;
        for (const double sign : {1.0, -1.0}) {
          all.states[i].position[d] += sign * step;
          by_shift -= sign * all.find(repulsion).energy / (2 * step);
          all.states[i] = was;
          Vector turn{};
          turn[d] = sign * step;
          all.states[i].orientation = product(turn_by(turn), was.orientation);
          by_turn -= sign * all.find(repulsion).energy / (2 * step);
          all.states[i] = was;
        }
        CHECK(by_shift == Approx(loads[i].force[d]).margin(2e-4 * size));
        CHECK(by_turn == Approx(loads[i].torque[d]).margin(2e-4 * size));
      }
  }
}

TEST_CASE("Balls that are looked at by their points are repelled as by the formula") {
  Bouncing exact = balls(), points = balls();
  points.shapes[0].round = false;
  for (Bouncing* all : {&exact, &points}) all->add(0, {3, -0.42, 3}), all->add(0, {3.9, -0.36, 3.4}, turn_by({1, 2, 3}));
  BodyRepulsion by_formula(Cpu{}, box_of(true), floor_alone, exact.pointers(), quadratic(1)),
      by_points(Cpu{}, box_of(true), floor_alone, points.pointers(), quadratic(1));
  const auto a = exact.find(by_formula), b = points.find(by_points);
  CHECK(a.contacts == b.contacts);
  CHECK(b.energy == Approx(a.energy).epsilon(0.15));
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(geometry::length(points.loads[i].force - exact.loads[i].force) < 0.12 * geometry::length(exact.loads[i].force));
}

TEST_CASE("Bodies of any shape that collide keep momentum, angular momentum and energy, and stay apart") {
  Bouncing all = mixed();
  all.add(1, {3, 3, 3}, turn_by({0.3, 0, 0.5})), all.add(2, {4.4, 3.2, 2.9}, turn_by({0.1, 0.7, 0.2}));
  all.states[0].velocity = {1, 0, 0.1}, all.states[1].velocity = {-1, 0.1, 0};
  all.states[0].angular_velocity = {0, 1, 2};
  all.start();
  const double mass = all.shapes[2].volume;
  const BodyRepulsionModel model = quadratic(repulsion_strength(mass, 0, 2, range));
  BodyRepulsion repulsion(Cpu{}, box_of(false), no_walls, all.pointers(), model);
  const auto sums = [&] {
    Vector momentum{}, turning{};
    for (std::size_t i = 0; i < 2; ++i) {
      const double m = all.shapes[all.shape_of[i]].volume;
      momentum = momentum + m * all.states[i].velocity;
      turning = turning + all.states[i].spin + m * geometry::cross(all.states[i].position, all.states[i].velocity);
    }
    return std::pair{momentum, turning};
  };
  const auto [momentum, turning] = sums();
  const double energy = all.kinetic(), dt = 0.05 * repulsion_step(model, mass);
  double stored = 0, least = 1;
  for (double t = 0; t < 1.2; t += dt) {
    all.step(repulsion, dt);
    const auto found = all.find(repulsion);
    stored = std::max(stored, found.energy), least = std::min(least, found.least_gap);
  }
  CHECK(stored > 0.1 * energy);
  CHECK(least > -0.3 * range);
  CHECK(all.find(repulsion).energy == 0);
  CHECK(all.states[0].velocity[0] < 0.5);
  CHECK(all.kinetic() == Approx(energy).epsilon(3e-3));
  const auto [momentum_after, turning_after] = sums();
  CHECK(geometry::length(momentum_after - momentum) < 1e-12);
  CHECK(geometry::length(turning_after - turning) < 1e-12);
}

TEST_CASE("Bodies that fall onto each other and a wall never touch where their number is what the strength is for") {
  Bouncing all = mixed();
  for (int i = 0; i < 4; ++i)
    all.add(static_cast<std::size_t>(i % 3), {3 + 0.1 * i, -0.3 + 1.3 * i, 3 + 0.05 * i}, turn_by({0.3 * i, 0.2, 0.1 * i}));
  const double mass = all.shapes[0].volume; // the heaviest
  const BodyRepulsionModel model = quadratic(repulsion_strength(mass, 4 * mass, 3, range));
  BodyRepulsion repulsion(Cpu{}, box_of(true), floor_alone, all.pointers(), model);
  const double dt = repulsion_step(model, all.shapes[2].volume);
  double least = 1;
  for (double t = 0; t < 6; t += dt) {
    all.step(repulsion, dt, {0, -1, 0}, 0, 0.2);
    least = std::min(least, all.find(repulsion).least_gap);
  }
  CHECK(least > 0);
  CHECK(least < 0.8 * range);
  for (const RigidState& s : all.states) CHECK(s.position[1] > -0.8);
}

TEST_CASE("A body as heavy as its fluid, which presses it against a wall, rests there") {
  Bouncing all = balls();
  all.add(0, {3, -0.2, 3});
  const double volume = all.shapes[0].volume, dt = 0.01, hold = 0.3 * volume / dt;
  MotionModel motion;
  motion.density = 1;
  const RigidInertia body = rigid_inertia(all.shapes[0], motion, 1);
  BodyRepulsionModel model = quadratic(2 * hold);
  REQUIRE(dt < 2 * repulsion_step(model, hold * dt));
  BodyRepulsion repulsion(Cpu{}, box_of(true), floor_alone, all.pointers(), model);
  PointPulls pulls;
  for (const Vector& x : all.shapes[0].points)
    pulls.add(hold / static_cast<double>(all.shapes[0].points.size()), x, {0, -1, 0});
  for (int i = 0; i < 300; ++i) {
    all.find(repulsion);
    kick(body, coupling_of(pulls), all.loads[0], dt, 1, all.states[0]);
    drift(dt, all.states[0]);
  }
  CHECK(all.states[0].velocity[1] == Approx(0).margin(1e-9));
  CHECK(all.states[0].position[1] == Approx(-0.5 + range * (1 - std::sqrt(0.5))).epsilon(1e-6));
}

TEST_CASE("Bodies meet across periodic sides, wherever they have wandered") {
  Bouncing all = balls();
  all.add(0, {0.2, 6.9, 3}), all.add(0, {7.6 + 16, -0.8 - 8, 3 + 8}); // .6 and .3 apart
  BodyRepulsion repulsion(Cpu{}, box_of(false), no_walls, all.pointers(), quadratic(1));
  const auto found = all.find(repulsion);
  CHECK(found.contacts == 1);
  CHECK(found.least_gap == Approx(std::hypot(0.6, 0.3) - 1));
  CHECK(all.loads[0].force[0] > 0);
  CHECK(all.loads[0].force[1] < 0);
}

TEST_CASE("Cylinders meet in their plane, and not their images across it") {
  Bouncing all;
  all.shapes = {make_body(Cpu{}, cylinder_of(0.5, 0.1), 0.25)};
  all.add(0, {3, 3, 0.125}), all.add(0, {3.9, 3.5, 0.125}), all.add(0, {5, -0.4, 0.125});
  BodyRepulsion repulsion(Cpu{}, box_of(true, 0.25), {false, false, true, true, true, true}, all.pointers(), quadratic(1));
  const auto found = all.find(repulsion);
  CHECK(found.contacts == 2);
  const double gap = std::hypot(0.9, 0.5) - 1;
  CHECK(geometry::length(all.loads[0].force) == Approx(std::pow(1 - gap / range, 2)));
  CHECK(all.loads[2].force[1] == Approx(0.25));
  for (const BodyLoad& load : all.loads) CHECK(load.force[2] == 0);
}

TEST_CASE("Repulsion of bodies has the same bits for any number of threads") {
  Bouncing all = mixed();
  const run::Random random(3);
  for (std::uint64_t i = 0; i < 60; ++i) {
    const auto u = [&](int draw) { return random.uniform(run::Purpose::position, 0, i, draw); };
    all.add(i % 3, {8 * u(0), 4 * u(1) - 1, 4 * u(2)}, turn_by({u(3), u(4), 3 * u(5)}));
  }
  BodyRepulsion repulsion(Cpu{}, box_of(true), floor_alone, all.pointers(), quadratic(1));
  double energy = 0;
  run_with_threads(1, [&] { energy = all.find(repulsion).energy; });
  REQUIRE(energy > 0);
  const std::vector<BodyLoad> loads = all.loads;
  for (const int threads : test::thread_counts)
    run_with_threads(threads, [&] {
      CHECK(all.find(repulsion).energy == energy);
      for (std::size_t i = 0; i < loads.size(); ++i) {
        CHECK(all.loads[i].force == loads[i].force);
        CHECK(all.loads[i].torque == loads[i].torque);
      }
    });
}

TEST_CASE("A repulsion that cannot be is refused") {
  Bouncing all = balls();
  BodyRepulsionModel model = quadratic(1);
  model.restitution = 0;
  CHECK_THROWS_WITH(BodyRepulsion(Cpu{}, box_of(false), no_walls, all.pointers(), model), Catch::Matchers::ContainsSubstring("a restitution of 0"));
  model = quadratic(-1);
  CHECK_THROWS_WITH(BodyRepulsion(Cpu{}, box_of(false), no_walls, all.pointers(), model), Catch::Matchers::ContainsSubstring("both are 0 or above"));
  all.shapes.push_back(make_body(Cpu{}, cylinder_of(0.5, 0.1), 8));
  CHECK_THROWS_WITH(BodyRepulsion(Cpu{}, box_of(false), no_walls, all.pointers(), quadratic(1)), Catch::Matchers::ContainsSubstring("take one or the other"));
}

} // namespace corral::structure
