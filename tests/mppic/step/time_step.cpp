#include "tests/catch.hpp"
#include "tests/mppic/step/windy.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>

namespace corral::test {

using mppic::Setup;

TEST_CASE("a step that is fixed stays") {
  Setup s = windy(5);
  s.time.adaptive = false;
  s.time.dt = 5e-3;
  Run r(s);
  for (int i = 0; i < 3; ++i) {
    CHECK(r.stepper.next() == 5e-3);
    r.step();
  }
}

TEST_CASE("the step shrinks at once, grows by a tenth at most, and meets the multiples") {
  Setup s = windy(1);
  s.time.dt = 1e-2;
  Run r(s);
  CHECK(r.stepper.next() == 1e-2);
  r.blow(8); // 2 cells of 1 cm take 2.5 ms
  r.stepper.adapt(r.bed.step, 0);
  CHECK(r.allowed() == Approx(2.5e-3));
  CHECK(r.stepper.next() == Approx(2.5e-3));
  r.blow(1);
  double allowed = r.allowed();
  for (int i = 0; i < 3; ++i) {
    r.stepper.adapt(r.bed.step, 0);
    CHECK(r.allowed() == Approx(1.1 * allowed));
    CHECK(r.stepper.next() == Approx(1e-2 / std::ceil(1e-2 / r.allowed())));
    allowed = r.allowed();
  }
  r.stepper.adapt(r.bed.step, 3 * 1e-2 + 0.7e-2);
  CHECK(r.stepper.next() == Approx(0.3e-2));
}

TEST_CASE("parcels limit the step, but for the share that may be faster") {
  Setup s = windy(0.1);
  s.gas.solved = false;
  s.gas.velocity = {0, 0, 0};
  s.time.dt = 1e-2;
  s.time.parcel_courant = 0.25;
  s.seeds[0].seeding.lattice = {10, 10, 10};
  s.seeds[0].velocity = {0, 0, 0.2}; // a quarter of 1 cm takes 12.5 ms
  CHECK(Run(s).stepper.next() == 1e-2);
  s.seeds[0].velocity = {0, 2, 0}; // 1.25 ms; a histogram's bin is up to 9 % wide
  const double dt = Run(s).allowed();
  CHECK(dt <= 1.25e-3);
  CHECK(dt > 1.25e-3 / 1.1);
  s.seeds[0].velocity = {0, 0, 0};
  mppic::Seed fast = s.seeds[0];
  fast.seeding.lattice = {1, 1, 1};
  fast.velocity = {0, 0, 2};
  s.seeds.push_back(fast); // one of 1001: less than a thousandth
  CHECK(Run(s).stepper.next() == 1e-2);
  s.time.outliers = 0;
  CHECK(Run(s).stepper.next() < 1.3e-3);
}

TEST_CASE("drag takes hold of packed solids no more often in a step than is allowed") {
  Setup s = empty_box({4, 4, 8}, {0.02, 0.02, 0.04});
  s.gas.rho = 1000;
  s.gas.mu = 1e-3;
  s.solids.drag = {mppic::DragLaw::wen_yu, 1000, 1e-3, 0.44};
  s.time.dt = 2e-2;
  s.seeds.push_back(bed(s, 0.03, 0.58, 4 * 4 * 6 * 8, 1e-4));
  const auto allowed = [](const Setup& setup) {
    Run r(setup);
    r.step();
    if (setup.time.adaptive && setup.solids.two_way) {
      const Array<double>& D = r.bed.step.parcels().drag; // at the step's end
      const double mean = sum(Cpu{}, D.size(), [&](std::int64_t i) { return D[i]; }) / static_cast<double>(D.size());
      CHECK(r.bed.step.report().packed_drag == Approx(mean).epsilon(0.2));
    }
    return r.allowed() * r.bed.step.report().packed_drag;
  };
  CHECK(allowed(s) == Approx(75).epsilon(1e-12));
  s.time.drag_number = 20;
  CHECK(allowed(s) == Approx(20).epsilon(1e-12));
  s.time.drag_number = 1e6;
  CHECK(allowed(s) > 100);
  s.solids.two_way = false; // the gas does not hear of it
  s.time.drag_number = 20;
  CHECK(allowed(s) > 100);
  s.solids.two_way = true;
  s.time.adaptive = false;
  Run fixed(s);
  fixed.step();
  CHECK(fixed.stepper.next() == 2e-2);
}

TEST_CASE("axes of one cell limit nothing") {
  Setup s = windy(0.1);
  s.gas.solved = false;
  s.cells = {10, 1, 10};
  s.size = {0.1, 0.001, 0.1};
  s.time.dt = 1e-2;
  s.seeds[0].seeding.region.high = s.size;
  s.seeds[0].velocity = {0, 0.2, 0};
  CHECK(Run(s).stepper.next() == 1e-2);
}

TEST_CASE("a jump of an inlet is met with a step that fits it") {
  Setup s = windy(10);
  s.gas.velocity = {0, 0, 0};
  s.inlets[0].schedule = fluid::Schedule({0.03, 0.03}, {0, 1});
  s.time.dt = 2e-2;
  Run r(s);
  double longest = 0;
  while (r.clock.time() < 0.06) {
    REQUIRE_NOTHROW(r.step());
    if (r.clock.time() >= 0.03) longest = std::max(longest, r.clock.dt());
  }
  CHECK(longest <= 2.01e-3); // 2 cells of 1 cm at 10 m/s
}

} // namespace corral::test
