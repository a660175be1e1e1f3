#include "membrane/step/energy_guard.hpp"
#include "tests/catch.hpp"
#include "tests/membrane/step/membrane_run.hpp"
#include "tests/texts_of.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::test {
namespace {

using namespace membrane;
using namespace structure;
using Catch::Matchers::ContainsSubstring;

/// A membrane that holds 1e-16 J.
MembraneSetup guarded(bool adaptive) {
  MembraneSetup setup = box_of_water({16, 16, 16}, um);
  put_in_the_middle(setup, stiff_sphere(162));
  setup.time.adaptive = adaptive;
  setup.time.dt = 1e-5;
  return setup;
}

const StableStep bound{8e-6, "the modulus 1 N/m of [surface.red]"};

/// Steps in which membranes give as much energy as they make out of nothing, over what they hold.
struct Guarded {
  MembraneSetup setup;
  run::Registry registry;
  EnergyGuard guard;
  EnergyMoment now{.membranes = 1e-16};
  double time = 0;

  explicit Guarded(bool adaptive) : setup(guarded(adaptive)), registry(setup.make_grid()), guard(setup, registry) {
    guard.start(now);
  }
  double step(double given, double made, double dt = 8e-6, double lost = 0) {
    now.membranes -= given * 1e-16;
    now.lost = lost * 1e-16;
    now.residual += made * 1e-16;
    return guard.shorter(bound, now, time += dt, dt).dt;
  }
};

/// A sphere squeezed into an ellipsoid, whose area is stiff.
MembraneSetup relaxing(bool inertia) {
  MembraneSetup setup = box_of_water({16, 16, 16}, 0.5 * um);
  setup.fluid.inertia = inertia;
  SurfaceModel kind = stiff_sphere(162, 2.5 * um);
  kind.stretch = {1, 1 / 1.2, 1.2};
  put_in_the_middle(setup, kind);
  setup.time.dt = 1;
  return setup;
}

} // namespace

TEST_CASE("A bound is as it was while no energy is made, or little of what membranes give, or of what they hold") {
  struct Step {
    double given, made;
  };
  for (const Step& s : {Step{0.01, -0.1}, Step{0.01, 4e-4}, Step{0, 1e-4}}) {
    Guarded calm(false);
    for (int i = 0; i < 50; ++i) CHECK(calm.step(s.given, s.made) == bound.dt);
  }
}

TEST_CASE("What a fluid gives membranes and their own viscosity takes counts as exchanged") {
  Guarded taken(false);
  for (int i = 0; i < 50; ++i) CHECK(taken.step(0, 0.01, 8e-6, 0.2) == bound.dt);
  CHECK_THROWS_AS(taken.step(0, 0.3, 8e-6, 0.2), Error);
}

TEST_CASE("Where energy is made, adaptive steps are halved, and grow when it is over") {
  Guarded made(true);
  CHECK(made.step(0.01, 0.01) == 4e-6);
  CHECK_THAT(test::texts_of(made.guard.take_notices()).at(0), ContainsSubstring("gained energy that nothing gave them (1e-18 J in the last steps of 8e-6 s") &&
                                             ContainsSubstring("steps are halved"));
  CHECK(made.step(0.01, 0, 4e-6) == Approx(4.08e-6));
  CHECK(made.step(0.01, 0.01, 4.08e-6) == Approx(2.04e-6));
  CHECK(made.guard.take_notices().empty()); // once is enough
  for (int i = 0; i < 80; ++i) made.step(0, 0);
  CHECK(made.step(0, 0) == bound.dt);
}

TEST_CASE("Energy that is made ends a run of fixed steps, and one whose steps have become a thousandth") {
  Guarded fixed(false);
  CHECK_THROWS_WITH(fixed.step(0.01, 0.01), ContainsSubstring("membranes gain energy that nothing gave them") &&
                                                ContainsSubstring("8e-6 s, because of the modulus 1 N/m of [surface.red]") &&
                                                ContainsSubstring("set time.dt to 4e-6 s or less, or time.step = adaptive"));
  Guarded adaptive(true);
  double dt = bound.dt;
  CHECK_THROWS_WITH([&] { for (int i = 0; i < 12; ++i) dt = adaptive.step(0.01, 0.01, dt); }(),
                    ContainsSubstring("shorter steps did not help") && ContainsSubstring("a finer surface or a wider kernel"));
  CHECK(dt < 2e-3 * bound.dt);
}

TEST_CASE("Steps of three times what is stable are found by the energy that they make, and shortened by it alone", "[physics]") {
  for (const bool inertia : {false, true}) {
    MembraneRun run(relaxing(inertia));
    run.setup.time.adaptive = true;
    EnergyGuard guard(run.setup, run.registry);
    guard.start(run.step.energy_moment());
    const double rate = run.step.stiffest(), limit = inertia ? 2 / std::sqrt(rate) : 1 / rate;
    const StableStep unsafe{3 * limit, ""};
    const double volume = run.step.measures()[0].volume;
    double dt = 0.3 * limit, longest = 0;
    for (int i = 0; i < 300; ++i) {
      run.advance(dt);
      dt = std::min(1.2 * dt, guard.shorter(unsafe, run.step.energy_moment(), run.time, dt).dt);
      longest = std::max(longest, dt);
    }
    INFO((inertia ? "with inertia" : "Stokes flow") << ": longest " << longest / limit << ", last " << dt / limit << " of the limit");
    CHECK(longest > 1.3 * limit);
    CHECK(guard.take_notices().size() == 1);
    CHECK(std::abs(run.residual()) < 0.05 * run.step.work().start);
    CHECK(run.step.measures()[0].volume / volume == Approx(1).margin(0.01));
  }
}

} // namespace corral::test
