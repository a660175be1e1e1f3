#include "run/short_steps.hpp"

#include "tests/catch.hpp"

using namespace corral::run;

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
