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
  CHECK(notices_of(watch, 999, 0.2) == 0);
  CHECK(notices_of(watch, 1, 1) == 0); // one long step begins the count anew
  CHECK(notices_of(watch, 999, 0.2) == 0);
  CHECK(notices_of(watch, 1, 0.2) == 1);
  CHECK(notices_of(watch, 5000, 0.2) == 0);
  CHECK(notices_of(watch, 5000, 1) == 0);
}
