#include "tests/catch.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/mppic_gpu/same.hpp"
#include "tests/mppic_gpu/scenes.hpp"

#include <cmath>
#include <string>

/// The gas-solid step on both processors, part by part: the device goes on with what solvers find on the CPU.
namespace corral::test {
namespace {

using mppic::StepPlace;
using mppic::Setup;

constexpr double solved = 1e-6; ///< of the largest value, what the solvers' tolerances leave

/// The same cells touch, but for what is next to nothing.
void check_same_touch(const Array<double>& a, const Array<double>& b) {
  const std::vector<double> here = a.values(), there = b.values();
  const double least = solved * *std::max_element(here.begin(), here.end());
  for (std::size_t c = 0; c < here.size(); ++c)
    if (here[c] > least || there[c] > least) CHECK((here[c] > 0 && there[c] > 0));
}

/// What the part at a place has made.
void check_same_after(StepPlace place, const mppic::StepState& here, const mppic::StepState& there) {
  switch (place) {
  case StepPlace::spread:
    check_same(here.sums.theta, there.sums.theta, "theta");
    check_same(here.sums.Q, there.sums.Q, "Q");
    check_same(here.sums.box_U, there.sums.box_U, "box U");
    check_same(here.sums.mean_velocity, there.sums.mean_velocity, "mean velocity");
    CHECK(apart(here.sums.restitution, there.sums.restitution) <= tolerance);
    CHECK(apart(here.sums.mean_square, there.sums.mean_square) <= tolerance);
    CHECK(near(here.report.theta_max, there.report.theta_max, 1));
    CHECK(near(here.report.drift_max, there.report.drift_max, 1));
    CHECK(near(here.report.drift_rms, there.report.drift_rms, 1));
    break;
  case StepPlace::gas_with_pressure:
    check_same(here.gas.pressure_gradient(), there.gas.pressure_gradient(), "pressure gradient");
    check_same(here.gas.solids_flux(), there.gas.solids_flux(), "solids flux");
    CHECK(here.report.gas.clipped == there.report.gas.clipped);
    CHECK(near(here.report.gas.mixture_residual, there.report.gas.mixture_residual, 1));
    check_same_books(here.report.gas.books, there.report.gas.books);
    break;
  case StepPlace::contact_pressure: check_same_touch(here.flow.contact_pressure, there.flow.contact_pressure); break;
  case StepPlace::displacement_potential:
    check_same_touch(here.flow.displacement_potential, there.flow.displacement_potential);
    break;
  case StepPlace::contact_push:
    check_same(here.contact.velocity(), there.contact.velocity(), "velocity of the solids");
    check_same(here.contact.push(), there.contact.push(), "push");
    break;
  case StepPlace::damping: CHECK(apart(here.damping.a(), there.damping.a()) <= tolerance); break;
  case StepPlace::isotropy:
    for (const mppic::StepState* state : {&here, &there}) {
      CHECK(state->report.isotropy.momentum <= 1e-14);
      CHECK(state->report.isotropy.energy <= 1e-14);
    }
    break;
  case StepPlace::room: check_same(here.carried, there.carried, "carried"); break;
  case StepPlace::displacement:
    check_same(here.displacement.shift(), there.displacement.shift(), "displacement");
    check_same(here.displacement.spacing(), there.displacement.spacing(), "spacing");
    CHECK(near(here.report.paid, there.report.paid, 1));
    break;
  case StepPlace::outflow:
    for (std::size_t s = 0; s < 6; ++s) {
      CHECK(here.report.moved.left[s] == there.report.moved.left[s]);
      CHECK(near(here.report.left_volume[s], there.report.left_volume[s], here.report.left_volume[s]));
      CHECK(near(here.report.left_mass[s], there.report.left_mass[s], here.report.left_mass[s]));
    }
    for (std::size_t d = 0; d < 3; ++d) {
      const double exchanged = here.report.moved.exchanged[d];
      CHECK(near(here.report.moved.from_gas[d], there.report.moved.from_gas[d], exchanged));
      CHECK(near(exchanged, there.report.moved.exchanged[d], exchanged));
    }
    CHECK(near(here.report.momentum_residual, there.report.momentum_residual, 1));
    break;
  case StepPlace::memory: CHECK(near(here.report.packed_drag, there.report.packed_drag, here.report.packed_drag)); break;
  default: break;
  }
}

/// A step on both.
void advance(Run<Cpu>& here, Run<Gpu>& there, const mppic::StepTime& time) {
  REQUIRE(here.step.parts().size() == there.step.parts().size());
  auto on_device = there.step.parts().begin();
  for (const mppic::StepPart& part : here.step.parts()) {
    INFO("place " << static_cast<int>(part.place) << ", part " << part.number);
    REQUIRE(on_device->place == part.place);
    here.step.run(part, time);
    there.step.run(*on_device, time);
    if (!part.solves.empty()) {
      CHECK(apart(here.field(part.solves), there.field(part.solves)) <= solved);
      there.field(part.solves) = here.field(part.solves);
    }
    ++on_device;
    check_same_after(part.place, here.step.state(), there.step.state());
  }
  CHECK(here.step.report().maps == there.step.report().maps);
}

void check_same_audit(const mppic::StepBooks& here, const mppic::StepBooks& there) {
  double worked = 0, pushed = 0;
  for (const double work : here.work) worked += std::abs(work);
  for (const auto& impulse : here.impulse) pushed += std::abs(impulse[2]);
  for (std::size_t t = 0; t < mppic::term_count; ++t) {
    CHECK(near(here.work[t], there.work[t], worked));
    for (std::size_t d = 0; d < 3; ++d) CHECK(near(here.impulse[t][d], there.impulse[t][d], pushed));
  }
  CHECK(near(here.kinetic, there.kinetic, here.kinetic));
  CHECK(near(here.lift_displacement, there.lift_displacement, worked));
  CHECK(there.energy_residual <= 1e-12);
  CHECK(there.momentum_residual <= 1e-12);
}

/// Some steps from one that has seen everything happen; some parcels rise fast [m/s], and leave.
void check_steps(Setup setup, double fast = 12) {
  [[maybe_unused]] const PaddingHoldsAnything padding;
  solve_tightly(setup);
  Bed start(setup);
  const mppic::TimeStepper stepper(start.setup, start.domain, start.registry);
  for (int d = 0; d < 3; ++d)
    for (double& u : start.field("velocity", d)) u += 0.3 * std::sin(1e3 * (u + d));
  for (std::int64_t i = 0; i < start.field("velocity", 2).size(); i += 40) start.field("velocity", 2)[i] = fast;
  start.run(8);
  Run<Cpu> here(start.setup);
  Run<Gpu> there(start.setup);
  here.registry.assign(start.registry);
  there.registry.assign(start.registry);
  std::int64_t left = 0, packed = 0;
  for (int step = 0; step < 4; ++step) {
    INFO("step " << step);
    const double dt = start.setup.time.dt;
    advance(here, there, {dt, step});
    check_same_state(here.registry, there.registry);
    if (setup.audit) check_same_audit(here.step.audit().books(), there.step.audit().books());
    here.stepper.adapt(here.step, dt * (step + 1));
    there.stepper.adapt(there.step, dt * (step + 1));
    CHECK(near(here.stepper.next(), there.stepper.next(), dt));
    CHECK(near(here.stepper.parcel().speed, there.stepper.parcel().speed, here.stepper.parcel().speed));
    CHECK(near(here.stepper.gas().speed, there.stepper.gas().speed, here.stepper.gas().speed));
    left += here.step.report().moved.left[5];
    for (const double pi : here.step.flow().contact_pressure) packed += pi > 0;
  }
  if (setup.solids.frozen) return;
  CHECK(left > 0); // the scene is one in which all of that happens
  CHECK(packed > 100);
}

} // namespace

TEST_CASE("each part of the gas-solid step on the device ends where the CPU's does") { check_steps(blown_bed()); }

TEST_CASE("so it does where parcels take what acts on them from the grid, of which the device makes no columns") {
  Setup s = blown_bed();
  s.collisions.blended = false;
  check_steps(s);
}

TEST_CASE("so it does where parcels never move") {
  Setup s = blown_bed();
  s.solids.frozen = true;
  s.collisions = {};
  check_steps(s);
}

TEST_CASE("so it does where the gas's momentum is in conservation form") {
  Setup s = blown_bed();
  s.gas.momentum = mppic::MomentumForm::conservative;
  check_steps(s);
  s.gas.advection = fluid::Advection::central;
  s.gas.viscous_force = fluid::Viscosity::stress;
  s.gas.smagorinsky = 0.168;
  check_steps(s);
}

TEST_CASE("and with solids of several densities, laws of drag, restitutions and sizes, books of which are kept") {
  check_steps(two_solids(), 20);
}

} // namespace corral::test
