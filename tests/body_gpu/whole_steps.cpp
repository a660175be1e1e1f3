#include "body/output/figures.t.hpp"
#include "tests/body/body_run.hpp"
#include "tests/catch.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/run_gpu/compared.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

/// Whole steps of rigid bodies in a lattice fluid, on the CPU and on a device.
namespace corral::test {
namespace {

using namespace structure;
using body::BodySetup;
using Three = std::array<double, 3>;

/// What is of all bodies: components of each, side by side.
template <class Of> std::vector<double> of_bodies(const auto& run, Of of) {
  std::vector<double> all;
  for (std::int64_t b = 0; b < run.step.bodies(); ++b)
    for (const double v : of(run.step.body(b))) all.push_back(v);
  return all;
}

void check_same(BodyRun<Cpu>& here, BodyRun<Gpu>& there, double tolerance) {
  here.step.before_output(), there.step.before_output();
  // Components of a vector together, for one of them may be round-off.
  const auto values = [](const run::Registry& registry) {
    std::map<std::string, std::vector<double>> all;
    for (const run::Entry& entry : registry.entries()) {
      if (!entry.reals() || !(has(entry.use, run::Use::shown) || entry.name.starts_with("point_volumes"))) continue;
      std::vector<double>& to = all[(entry.set ? entry.set->name() + "." : "") + entry.name];
      for (const double v : entry.reals()->values()) to.push_back(v);
    }
    return all;
  };
  const auto one = values(here.registry), other = values(there.registry);
  CHECK(one.size() >= 6);
  REQUIRE(one.size() == other.size());
  for (const auto& [name, of_entry] : one) {
    INFO(name);
    CHECK(apart(of_entry, other.at(name)) <= tolerance);
  }
  const auto compare = [&](const char* what, auto of) {
    INFO(what);
    CHECK(apart(of_bodies(here, of), of_bodies(there, of)) <= tolerance);
  };
  compare("place", [](const body::RigidBody& b) { return b.state.position; });
  compare("velocity", [](const body::RigidBody& b) { return b.state.velocity; });
  compare("turning", [](const body::RigidBody& b) { return b.state.angular_velocity; });
  compare("force", [](const body::RigidBody& b) { return b.load.force; });
  const double arm = here.step.points() > 0 ? 3 : 0; // torques may be round-off of what cancels in them
  const double largest = largest_of(of_bodies(here, [](const body::RigidBody& b) { return b.load.force; }));
  const auto torque = [](const body::RigidBody& b) { return b.load.torque; };
  const std::vector<double> turns = of_bodies(here, torque), turns_there = of_bodies(there, torque);
  for (std::size_t i = 0; i < turns.size(); ++i) CHECK(std::abs(turns[i] - turns_there[i]) <= tolerance * arm * largest);
  const Stresslet s = here.step.stresslet(), t = there.step.stresslet();
  for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(s[k] - t[k]) <= tolerance * arm * std::max(largest, 1e-3));
  CHECK(here.step.contact().contacts == there.step.contact().contacts);
  CHECK(here.step.passes() == there.step.passes());
  CHECK(std::abs(here.step.slip() - there.step.slip()) <= tolerance * here.step.fastest());
}

/// Steps from the start on, on both.
void check_run(const BodySetup& setup, double after_many = 1e-11, std::int64_t steps = 8) {
  [[maybe_unused]] const PaddingHoldsAnything padding;
  BodyRun<Cpu> here(setup);
  BodyRun<Gpu> there(setup);
  here.go(1), there.go(1);
  check_same(here, there, 1e-12);
  here.go(steps), there.go(steps);
  check_same(here, there, after_many);
}

MotionModel turning(const Three& velocity) {
  MotionModel motion{.mode = BodyMode::given};
  motion.given.velocity = velocity;
  motion.given.rotation_axis = {1, 2, 3};
  motion.given.rotation_rate = 0.01;
  motion.given.oscillation = {.axis = {0, 1, 0}, .amplitude = 0.05, .frequency = 0.5, .phase = 0.3};
  return motion;
}

MotionModel free_body(double density, const Three& velocity = {}, const Three& angular_velocity = {}) {
  return {.mode = BodyMode::free, .density = density, .velocity = velocity, .angular_velocity = angular_velocity};
}

/// A square of fluid that is a cell thick.
BodySetup square(std::int64_t cells, double dt) {
  BodySetup s = body_box(cells, dt);
  s.cells[2] = 1, s.size[2] = 1;
  s.fluid.lattice.set = fluid::lattice::VelocitySet::d2q9;
  return s;
}

/// Three that fall and push each other, one of them no ball, with one that turns and one that stands.
BodySetup crowd(bool walls) {
  BodySetup s = body_box(20, 0.5 * tau_one);
  if (walls) s.sides[2] = s.sides[3] = fluid::SideKind::no_slip;
  s.gravity = {0.01, -0.02, 0.005};
  s.contact = {.law = RepulsionLaw::soft_sphere, .range = 1.5, .strength = 0.3, .restitution = 0.7};
  add_ball(s, 2.5, {4, walls ? 3.2 : 6, 6}, free_body(2));
  add_ball(s, 2.2, {9, 6.1, 6.3}, free_body(1, {0, 0.01, 0}, {0.01, 0, 0.02}));
  add_body(s, {.name = "", .kind = BodyKind::ellipsoid, .semi_axes = {3, 2.2, 2.2}}, {14.6, 6.2, 6}, free_body(1.2));
  add_ball(s, 2.5, {6, 14, 14}, turning({0.01, 0.002, 0}));
  add_ball(s, 2.5, {14, 14, 14}, {});
  return s;
}

} // namespace

TEST_CASE("Steps around a ball that is held are the same on both processors") {
  BodySetup s = body_box(14, 0.5 * tau_one);
  s.drive.velocity = {0.02, 0.01, -0.005};
  s.drive.keeps_mean = GENERATE(false, true);
  add_ball(s, 3, {7.2, 6.9, 7.1}, {});
  check_run(s);
}

TEST_CASE("and around one that is told where to go, and turns, with either share of a step in which forces act") {
  BodySetup s = body_box(14, 0.5 * tau_one);
  s.forcing.acts = GENERATE(0.5, 1.);
  add_ball(s, 3, {13.8, 6.9, 7.1}, turning({0.02, 0.01, -0.005})); // across a side
  check_run(s);
}

TEST_CASE("and of bodies that move by what acts on them, and push each other and walls") {
  check_run(crowd(GENERATE(false, true)), 1e-10, 20);
}

TEST_CASE("and of cylinders, with kernels of even and odd support") {
  for (const char* kernel : {"roma3", "peskin4", "ib6"}) {
    BodySetup s = square(24, 0.5 * tau_one);
    s.forcing.kernel = kernel;
    s.gravity = {0, -0.01, 0};
    s.contact = {.range = 1.5, .strength = 0.2};
    s.sides[2] = s.sides[3] = fluid::SideKind::no_slip;
    s.drive.wall_velocity[2] = {-0.01, 0, 0}, s.drive.wall_velocity[3] = {0.01, 0, 0};
    const BodyModel kind{.name = "", .kind = BodyKind::cylinder, .radius = 3.3};
    add_body(s, kind, {6, 8, 0.5}, free_body(1.5));
    add_body(s, kind, {13.5, 8.2, 0.5}, free_body(1.1, {}, {0, 0, 0.01}));
    add_body(s, kind, {12, 17, 0.5}, turning({0.01, 0, 0}));
    s.groups.back().motion.given.rotation_axis = {0, 0, 1};
    INFO(kernel);
    check_run(s, 1e-10, 20);
  }
}

TEST_CASE("and of forcing that looks again, and goes on from the last step's") {
  BodySetup s = body_box(14, 0.5 * tau_one);
  s.forcing.slip = 1e-3, s.forcing.passes = 30;
  add_ball(s, 3, {7.2, 6.9, 7.1}, free_body(1.3, {0.02, 0.01, 0}));
  check_run(s, 1e-9, 5);
}

TEST_CASE("and of a fluid alone") { check_run(body_box(8, tau_one)); }

TEST_CASE("and of one between an inlet and an outlet, with populations of floats") {
  BodySetup s = body_box(16, 0.5 * tau_one);
  s.sides[0] = fluid::SideKind::no_slip, s.sides[1] = fluid::SideKind::outlet;
  fluid::Inlet inlet;
  inlet.region = {{0, 0, 0}, {0, 16, 16}};
  inlet.velocity = [](const Three&) { return 0.02; };
  s.inlets.push_back(inlet);
  s.drive.velocity = {0.02, 0, 0};
  s.fluid.lattice.precision = fluid::lattice::Precision::floats;
  add_ball(s, 2.5, {7.2, 8, 8}, {});
  check_run(s, 1e-4);
}

TEST_CASE("A body that is many parts long is summed up in their order") {
  BodySetup s = square(360, 0.5 * tau_one);
  s.gravity = {0, -0.01, 0.003};
  add_body(s, {.name = "", .kind = BodyKind::cylinder, .radius = 170}, {180.2, 179.7, 0.5}, free_body(1.2, {0.01, 0, 0}, {0, 0, 1e-3}));
  check_run(s, 1e-10, 2);
}

TEST_CASE("A body that has left the box is told of alike by both processors") {
  BodySetup s = body_box(14, 0.5 * tau_one);
  s.sides[2] = s.sides[3] = fluid::SideKind::no_slip;
  MotionModel motion{.mode = BodyMode::given};
  motion.given.velocity = {0, -1, 0};
  const bool free = GENERATE(false, true);
  add_ball(s, 3, {7, free ? 7 : 3.2, 7}, motion);
  if (free) add_ball(s, 2, {7, 2.05, 7}, free_body(100, {0, -1, 0}));
  [[maybe_unused]] const PaddingHoldsAnything padding;
  const auto complaint = [&]<Execution E>(E) {
    BodyRun<E> run(s);
    try {
      run.go(30);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string here = complaint(Cpu{});
  CHECK(here.starts_with(free ? "body 1 has left the box" : "body 0 has left the box"));
  CHECK(complaint(Gpu{}) == here);
}

TEST_CASE("Figures and tables of bodies are found on a device as on the CPU") {
  const BodySetup setup = crowd(true);
  [[maybe_unused]] const PaddingHoldsAnything padding;
  const auto told = [&]<Execution E>(E) {
    BodyRun<E> run(setup);
    body::BodyFigures figures(run.setup, run.step.bodies());
    figures.start(run.step);
    for (int s = 0; s < 5; ++s) {
      run.go(1);
      figures.add(run.step, run.time, setup.time.dt);
    }
    Rows all{figures.row(run.step)};
    for (auto& row : figures.body_rows(run.step)) all.push_back(row);
    return all;
  };
  check_rows(told(Cpu{}), told(Gpu{}), [](std::size_t, const auto& row, std::size_t i) { return 1e-9 * std::abs(row[i]) + 1e-12; });
}

TEST_CASE("A run on a device goes on from the CPU's state, and the CPU from the device's") {
  const BodySetup setup = crowd(true);
  [[maybe_unused]] const PaddingHoldsAnything padding;
  const auto gone_on = [&]<Execution First, Execution Then>(First, Then) {
    BodyRun<First> first(setup);
    first.go(3);
    first.step.before_checkpoint();
    BodyRun<Then> then(setup);
    then.registry.fill_on_host([&](run::Registry& to) { to.assign(first.registry.on_host([](const run::Entry&) { return true; })); });
    then.step.restored();
    then.time = first.time;
    then.go(3);
    return of_bodies(then, [](const body::RigidBody& b) { return b.state.position; });
  };
  const std::vector<double> whole = gone_on(Cpu{}, Cpu{});
  CHECK(apart(gone_on(Cpu{}, Gpu{}), whole) <= 1e-12);
  CHECK(apart(gone_on(Gpu{}, Cpu{}), whole) <= 1e-12);
  CHECK(apart(gone_on(Gpu{}, Gpu{}), whole) <= 1e-12);
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("Steps of bodies have the same bits in any order of threads and blocks") {
  const BodySetup setup = crowd(true);
  check_orders([&] {
    BodyRun<Gpu> run(setup);
    run.go(3);
    return numbers_of(run.registry);
  });
}
#endif

} // namespace corral::test
