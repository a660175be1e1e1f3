#include "run/driver.hpp"
#include "run/phases.hpp"
#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include <chrono>
#include <cmath>
#include <thread>

using namespace corral::run;

TEST_CASE("Time does not drift over millions of steps") {
  Clock clock;
  constexpr int steps = 3000000;
  clock.set_dt(1e-4);
  for (int i = 0; i < steps; ++i) clock.advance();
  CHECK(clock.step() == steps);
  CHECK(std::abs(clock.time() - 300.0) < 300.0 * corral::test::round_off(1));
}

TEST_CASE("A phase within another takes its time away from it") {
  using namespace std::chrono_literals;
  Phases phases;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 2; ++i) {
    const auto outer = phases.time("outer");
    const auto inner = phases.time("inner");
    std::this_thread::sleep_for(20ms);
  }
  const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  REQUIRE(phases.all().size() == 2);
  const Phases::Phase &outer = phases.all()[0], &inner = phases.all()[1];
  CHECK(outer.name == "outer");
  CHECK(outer.calls == 2);
  CHECK(inner.calls == 2);
  CHECK(inner.seconds >= 0.040);
  CHECK(outer.seconds + inner.seconds <= whole);
}
