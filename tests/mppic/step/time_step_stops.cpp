#include "tests/catch.hpp"
#include "tests/mppic/step/windy.hpp"

#include <limits>
#include <string>

namespace corral::test {
namespace {

using mppic::Setup;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a step that makes no sense stops the run in the words of the step") {
  Setup s = windy(2.5);
  s.time.adaptive = false;
  s.time.dt = 0.2;
  const std::string gas = Run(s).message();
  INFO(gas);
  CHECK(contains(gas, "the time step of 0.2 s is far too long, or the flow has blown up"));
  CHECK(contains(gas, "the gas crosses 50 cells"));
  CHECK(contains(gas, "the gas moves at 2.5 m/s near ("));
  CHECK(contains(gas, "set time.step = adaptive, or time.dt to 0.008 s"));
  CHECK_FALSE(contains(gas, "solver"));

  s.time.dt = 0.05; // 12.5 cells: long, and bounded
  CHECK(Run(s).message().empty());

  Setup still = s;
  still.gas.solved = false;
  still.seeds[0].velocity = {30, 0, 0}; // 1.5 m a step
  const std::string parcel = Run(still).message();
  INFO(parcel);
  CHECK(contains(parcel, "the fastest parcel 150,"));
  CHECK(contains(parcel, "the fastest parcel moves at 30 m/s near (0.05, 0.05, 0.05) m"));
  CHECK(contains(parcel, "time.dt to 3.33e-5 s"));

  s.time.adaptive = true;
  Run r(s);
  r.blow(50);
  r.stepper.adapt(r.bed.step, 0);
  CHECK_NOTHROW(r.stepper.check(r.bed.step, 0.003));
  try {
    r.stepper.check(r.bed.step, 0.05);
    FAIL("250 cells");
  } catch (const Error& e) {
    CHECK_FALSE(contains(e.what(), "adaptive"));
    CHECK(contains(e.what(), "set time.dt to 0.008 s")); // by the velocity before it blew up
  }
}

TEST_CASE("velocities that are no numbers stop the run") {
  for (const double broken : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Setup s = windy(1);
    s.time.adaptive = false;
    Run r(s);
    r.bed.gas(0)[37] = broken;
    r.stepper.adapt(r.bed.step, 0);
    try {
      r.stepper.check(r.bed.step, 1e-3);
      FAIL("not finite");
    } catch (const Error& e) {
      INFO(e.what());
      CHECK(contains(e.what(), "the flow has blown up in a step of 0.001 s"));
      CHECK(contains(e.what(), " near (0.04, 0.035, 0.005) m")); // face 37: 4 of 11 along x, in the fourth row
      CHECK(contains(e.what(), "set time.step = adaptive, or time.dt to 0.0001 s or less"));
    }
  }
}

TEST_CASE("the adaptive step has a floor, below which the run ends with what is so fast") {
  Setup s = windy(1);
  s.time.dt = 1e-2;
  Run r(s);
  r.blow(800); // 2 cells of 1 cm in 25 us: 1/400 of the longest
  r.stepper.adapt(r.bed.step, 0);
  CHECK_NOTHROW(r.stepper.check(r.bed.step, 1e-6));
  s.time.least = 1e-4;
  Run floored(s);
  CHECK_NOTHROW(floored.stepper.check(floored.bed.step, 1e-6));
  floored.blow(800);
  floored.stepper.adapt(floored.bed.step, 0);
  try {
    floored.stepper.check(floored.bed.step, 1e-6);
    FAIL("below its floor");
  } catch (const Error& e) {
    INFO(e.what());
    CHECK(contains(e.what(), "the adaptive step has fallen to 2.5e-5 s, below 0.0001 s (the gas moves at 800 m/s near ("));
    CHECK(contains(e.what(), "set time.dt_least lower"));
  }
}

} // namespace corral::test
