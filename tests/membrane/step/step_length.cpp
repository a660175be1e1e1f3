#include "membrane/step/time_step.hpp"
#include "tests/catch.hpp"
#include "tests/texts_of.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace corral::membrane {
namespace {

using Catch::Matchers::ContainsSubstring;

MembraneSetup setup_of(bool adaptive) {
  MembraneSetup setup;
  setup.cells = {4, 4, 4};
  setup.size = {1, 1, 1};
  setup.time.adaptive = adaptive;
  setup.time.dt = 1e-2;
  setup.time.courant = 0.5;
  return setup;
}

const StableStep stable{4e-3, "the modulus 1 N/m of [surface.red]"};

} // namespace

TEST_CASE("The adaptive step takes what dt, stiffness and speed allow, and meets multiples of dt") {
  const MembraneSetup setup = setup_of(true);
  run::Registry registry(setup.make_grid());
  StepLength length(setup, stable, registry);
  CHECK(length.next() == Approx(4e-6)); // nobody knows yet how fast forces will drive the fluid
  double time = length.next();
  for (double before = length.next(); time < 1e-2 * (1 - 1e-12); before = length.next(), time += before) {
    length.adapt(time, 0.5 / 1e-3, stable);
    CHECK(length.next() <= std::min(2 * before, 1e-3) * (1 + 1e-12));
  }
  CHECK(time == Approx(1e-2).epsilon(1e-12));
  for (int i = 0; i < 3; ++i) length.adapt(time, 0, stable);
  CHECK(length.next() == Approx(1e-2 / 3)); // the third step meets dt again
}

TEST_CASE("The adaptive step has a floor: 1e-4 of what dt and stiffness allow, or what the case says") {
  MembraneSetup setup = setup_of(true);
  run::Registry registry(setup.make_grid());
  StepLength length(setup, stable, registry);
  length.adapt(0, 0.5 / 4.1e-7, stable);
  CHECK_THROWS_WITH(length.adapt(0, 0.5 / 3.9e-7, stable), ContainsSubstring("fallen to 3.9e-7 s, below 4e-7 s") &&
                                                       ContainsSubstring("the modulus 1 N/m of [surface.red]") &&
                                                       ContainsSubstring("set time.dt_least lower"));
  setup.time.least = 1e-8;
  length.adapt(0, 0.5 / 3.9e-7, stable);
  CHECK_THROWS_AS(length.adapt(0, 0.5 / 0.9e-8, stable), Error);
}

TEST_CASE("Membranes that stiffen without end, as folded ones do, end the run") {
  const MembraneSetup setup = setup_of(true);
  run::Registry registry(setup.make_grid());
  StepLength length(setup, stable, registry);
  length.adapt(1, 0, {4.1e-7, "a fold"});
  CHECK_THROWS_WITH(length.adapt(2, 0, {3.9e-7, "a fold"}), ContainsSubstring("fallen to 3.9e-7 s, below 4e-7 s") &&
                                                                ContainsSubstring("because of a fold: a surface has folded"));
}

TEST_CASE("Fixed steps that have become too long as membranes stiffened are told of once, adaptive ones shrink") {
  for (const bool adaptive : {false, true}) {
    MembraneSetup setup = setup_of(adaptive);
    setup.time.dt = 3e-3;
    run::Registry registry(setup.make_grid());
    StepLength length(setup, stable, registry);
    length.adapt(0, 0, stable);
    CHECK(length.take_notices().empty());
    const StableStep stiffer{2e-3, "the modulus 4 N/m of [surface.red]"};
    for (const double time : {1.0, 2.0}) {
      length.adapt(time, 0, stiffer);
      const std::vector<std::string> notices = test::texts_of(length.take_notices());
      CHECK(notices.size() == (time == 1 && !adaptive ? 1 : 0));
      for (const std::string& notice : notices)
        CHECK_THAT(notice, ContainsSubstring("at 1 s: steps above 0.002 s may blow up, because of the modulus 4 N/m"));
    }
    CHECK(length.next() <= (adaptive ? 2e-3 : 3e-3));
    CHECK((length.next() == 3e-3) == !adaptive);
  }
}

TEST_CASE("A step in which the fluid crosses more than twice time.courant ends the run with what bounds it") {
  for (const bool adaptive : {false, true}) {
    const MembraneSetup setup = setup_of(adaptive);
    run::Registry registry(setup.make_grid());
    const StepLength length(setup, stable, registry);
    length.check(1e-3, 999);
    for (const double rate : {2e3, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      std::string said;
      try {
        length.check(1e-3, rate);
      } catch (const Error& e) {
        said = e.what();
      }
      CHECK_THAT(said, ContainsSubstring(rate < 1e9 ? "crosses 2 cells in a step of 0.001 s" : "blown up in a step of 0.001 s"));
      CHECK_THAT(said, ContainsSubstring("0.004 s, because of the modulus") && ContainsSubstring("set time.dt to"));
      CHECK(said.ends_with("time.step = adaptive") == !adaptive);
      CHECK(said.find("nan") == said.npos);
    }
  }
}

} // namespace corral::membrane
