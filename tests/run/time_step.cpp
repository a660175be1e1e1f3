#include "run/driver.hpp"
#include "run/notices.hpp"
#include "run/time_step.hpp"
#include "tests/catch.hpp"
#include "tests/run/small_grid.hpp"
#include "tests/texts_of.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace corral::run;
using corral::test::small_grid;
using corral::test::texts_of;

TEST_CASE("steps to the next multiple are equal, whole in number, and as long as is allowed") {
  CHECK(step_to_multiple(0, 1, 1) == 1);
  CHECK(step_to_multiple(0, 1, 0.5) == 0.5);
  CHECK(step_to_multiple(0, 1, 0.4) == Approx(1. / 3));
  CHECK(step_to_multiple(0.5, 1, 1) == 0.5);
  CHECK(step_to_multiple(0.5, 1, 0.3) == 0.25);
  CHECK(step_to_multiple(3, 1, 0.7) == 0.5);
  CHECK(step_to_multiple(3 * 0.1, 0.1, 0.1) == 0.1); // 3 x .1 is a hair beyond .3
  CHECK(step_to_multiple(0.3, 0.1, 0.1) == 0.1);
  CHECK(step_to_multiple(std::nextafter(7., 0.), 1, 1) == 1);
  CHECK(step_to_multiple(0, 1, 1e-7) == Approx(1e-7));
}

TEST_CASE("every multiple of the longest step is met over a million steps, and the clock does not drift") {
  for (const double interval : {0.1, 1e-3, 3.3e-5}) {
    std::mt19937_64 generator(7);
    Clock clock;
    double allowed = interval;
    std::int64_t met = 0, steps = 0;
    double worst = 0, shortest = interval;
    while (steps < 1000000) {
      const double share = static_cast<double>(generator() >> 11) * 0x1p-53;
      allowed = std::min({interval, 1.1 * allowed, interval * (generator() % 50 == 0 ? 0.01 + share : 1)});
      const double dt = step_to_multiple(clock.time(), interval, allowed);
      if (dt > allowed * (1 + 1e-6) || !(dt > 0.4 * allowed) || dt > interval) {
        INFO("step " << dt << " of " << allowed << " at " << clock.time());
        REQUIRE(false);
      }
      clock.set_dt(dt);
      clock.advance();
      ++steps;
      shortest = std::min(shortest, dt);
      const double next = static_cast<double>(met + 1) * interval;
      REQUIRE(clock.time() < next * (1 + 1e-9)); // no multiple is passed
      if (clock.time() > next - 1e-6 * dt) {
        worst = std::max(worst, std::abs(clock.time() - next) / next);
        ++met;
      }
    }
    INFO("interval " << interval << ", " << met << " multiples in " << steps << " steps");
    CHECK(met > steps / 20);
    CHECK(worst < corral::test::round_off(4));
    CHECK(shortest > 0.004 * interval);
  }
}

TEST_CASE("a million steps that nothing shortens are of one length") {
  Clock clock;
  clock.set_dt(1e-4);
  bool same = true;
  for (int i = 0; i < 1000000; ++i) {
    same = same && step_to_multiple(clock.time(), 1e-4, 1e-4) == 1e-4;
    clock.advance();
  }
  CHECK(same);
}

namespace {

/// Steps of dt, where 1 s is the longest; how many notices were given.
int notices_of(ShortSteps& watch, std::int64_t steps, double dt) {
  Notices notices;
  for (std::int64_t i = 0; i < steps; ++i) watch.look(5, dt, 1, "parcels move", "shorter words allow longer steps", notices);
  const std::vector<std::string> all = texts_of(notices.take());
  for (const std::string& notice : all) CHECK(notice.find("because parcels move") != std::string::npos);
  return static_cast<int>(all.size());
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

TEST_CASE("an adaptive step shrinks at once, grows as its driver says, and knows what bounds it") {
  const StepLengths lengths{.adaptive = true, .dt = 1};
  for (const bool of_allowed : {true, false}) {
    Registry registry(small_grid());
    AdaptiveStep step(lengths, {1.5, of_allowed}, {{"speed", ""}, {"drag", ""}}, registry);
    CHECK((registry.find("allowed_dt") != nullptr) == of_allowed);
    CHECK(step.next() == 1);
    constexpr int speed = AdaptiveStep::others, drag = speed + 1;
    const auto choose = [&](double allowed_by_speed, double allowed_by_drag) {
      step.begin(lengths.dt);
      step.bound_by(speed, allowed_by_speed);
      step.bound_by(drag, allowed_by_drag);
      step.end(0);
    };
    choose(2, 3);
    CHECK(step.bound() == AdaptiveStep::nothing);
    CHECK(step.next() == 1);
    choose(0.2, 0.11);
    CHECK(step.bound() == drag);
    CHECK(step.next() == Approx(0.1)); // ten such steps meet the multiple of dt
    choose(2, 3);
    CHECK(step.bound() == AdaptiveStep::growth);
    CHECK(step.allowed() == Approx(of_allowed ? 0.165 : 0.15));
    CHECK(step.next() == Approx(1. / 7));
    step.begin(lengths.dt, 0.01);
    CHECK(step.allowed() == 0.01);
  }
}

TEST_CASE("what holds an adaptive step below its floor ends the run, growth does not") {
  StepLengths lengths{.adaptive = true, .dt = 1};
  Registry registry(small_grid());
  AdaptiveStep step(lengths, {2, true}, {{"speed", ""}}, registry);
  const auto said = [&](double grown, double allowed) -> std::string {
    step.begin(lengths.dt, grown);
    step.bound_by(AdaptiveStep::others, allowed);
    try {
      step.check_floor([] { return "a stray moves"; });
    } catch (const corral::Error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(said(1e-6, 1) == "");
  CHECK(said(1, 1.1e-4) == "");
  CHECK(said(1, 9e-5) == "the adaptive step has fallen to 9e-5 s, below 0.0001 s (a stray moves) look for what is so fast; where it "
                         "should be, set time.dt_least lower");
  lengths.least = 1e-5;
  CHECK(said(1, 9e-5) == "");
  lengths = {.adaptive = false, .dt = 1};
  CHECK(said(1, 1e-9) == "");
}

TEST_CASE("an adaptive step counts what keeps it short, a run that goes on, too") {
  const StepLengths lengths{.adaptive = true, .dt = 1};
  Registry registry(small_grid()), later(small_grid());
  const std::vector<StepBound> bounds{{"speed", "time.courant"}, {"drag", "time.drag_number"}};
  AdaptiveStep step(lengths, {1.5, true}, bounds, registry), resumed(lengths, {1.5, true}, bounds, later);
  const auto choose = [](AdaptiveStep& of, double time, double by_speed, double by_drag) {
    of.begin(1);
    of.bound_by(AdaptiveStep::others, by_speed);
    of.bound_by(AdaptiveStep::others + 1, by_drag);
    of.end(time);
  };
  CHECK(step.columns().at(2).name == "limited_by_drag");
  CHECK(step.columns().at(2).meaning ==
        "share of the steps chosen since the last row that time.drag_number kept below time.dt");
  CHECK(step.summary() == "");
  choose(step, 0, 0.5, 2); // the first step, chosen twice
  choose(step, 0, 2, 0.5);
  CHECK(step.row() == std::vector<double>{0, 0, 1});
  choose(step, 0.5, 0.5, 0.25);
  choose(step, 0.75, 1, 1); // grows
  choose(step, 1, 0.125, 1);
  choose(step, 1.125, 0.125, 1);
  later.assign(registry);
  for (AdaptiveStep* of : {&step, &resumed}) {
    CHECK(of->row() == std::vector<double>{0.25, 0.5, 0.25});
    CHECK(of->summary() == "40 % of steps by time.courant, 40 % by time.drag_number, 20 % by growth");
  }
  const StepLengths fixed{.adaptive = false, .dt = 1};
  Registry another(small_grid());
  AdaptiveStep same(fixed, {1.5, true}, bounds, another);
  CHECK(same.columns().empty());
  CHECK(same.row().empty());
  CHECK(same.summary() == "");
  CHECK(another.find("step_bounds") == nullptr);
}

TEST_CASE("a notice is given once, by a run that goes on, too") {
  Registry before(small_grid()), after(small_grid());
  Said said, still_said;
  said.bind_state(before, "said_it", "");
  still_said.bind_state(after, "said_it", "");
  Notices notices;
  for (int i = 0; i < 2; ++i) notices.add(said, "it is so");
  after.assign(before);
  notices.add(still_said, "it is so");
  notices.add("and another thing");
  CHECK(texts_of(notices.take()) == std::vector<std::string>{"it is so", "and another thing"});
  CHECK(notices.take().empty());
}

TEST_CASE("a warning is given again once it is worse by half, and its worst is kept, by a run that goes on, too") {
  Registry before(small_grid()), after(small_grid());
  Doubt doubt, still_doubt;
  Notices notices, still_notices;
  notices.bind(doubt, before, "fast", "parcels crossed more than a cell", "cells");
  still_notices.bind(still_doubt, after, "fast", "parcels crossed more than a cell", "cells");
  CHECK(notices.doubts().empty());
  const auto given = [&](Notices& to, Doubt& of, std::initializer_list<double> values) {
    std::vector<std::string> said;
    for (const double value : values) {
      to.warn(of, value, 0.1 * value, [&] { return std::to_string(static_cast<int>(value * 100)); });
      for (const Notice& notice : to.take()) {
        CHECK(notice.warns);
        said.push_back(notice.text);
      }
    }
    return said;
  };
  CHECK(given(notices, doubt, {2, 2.9, 1, 3, 2.5, 4}) == std::vector<std::string>{"200", "300"});
  CHECK(notices.doubts() == std::vector<std::string>{"parcels crossed more than a cell: 4 cells at worst, at 0.4 s"});
  after.assign(before);
  CHECK(given(still_notices, still_doubt, {4.2, 4.5}) == std::vector<std::string>{"450"});
  CHECK(still_notices.doubts() == std::vector<std::string>{"parcels crossed more than a cell: 4.5 cells at worst, at 0.45 s"});
}
