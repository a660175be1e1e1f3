#include "run/clock.hpp"
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

namespace {

/// Steps of dt, where 1 s is the longest; how many notices were given.
int notices_of(ShortSteps& watch, std::int64_t steps, double dt) {
  int notices = 0;
  for (std::int64_t i = 0; i < steps; ++i)
    if (const auto notice = watch.look(5, dt, 1, "parcels move")) {
      CHECK(notice->find("because parcels move") != std::string::npos);
      ++notices;
    }
  return notices;
}

} // namespace

TEST_CASE("steps that stay short for long are told of, once") {
  ShortSteps watch;
  CHECK(notices_of(watch, 5000, 0.3) == 0);
  CHECK(notices_of(watch, 900, 0.2) == 0);
  CHECK(notices_of(watch, 100, 0.75) == 0); // .255 in the mean
  CHECK(notices_of(watch, 950, 0.2) == 0);
  CHECK(notices_of(watch, 49, 1) == 0);
  CHECK(notices_of(watch, 1, 0.2) == 1); // .239: a few long steps between them change nothing
  CHECK(notices_of(watch, 5000, 0.2) == 0);
  CHECK(notices_of(watch, 5000, 1) == 0);
}
