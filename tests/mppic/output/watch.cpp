#include "mppic/output/watch.hpp"

#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/texts_of.hpp"

#include <string>
#include <vector>

namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::Setup;

/// What is said of a run of `steps`.
std::vector<std::string> said(const Setup& setup, int steps) {
  Bed b(setup);
  mppic::TimeStepper stepper(b.setup, b.domain, b.registry);
  mppic::Watch watch(b.setup, b.domain);
  stepper.start(b.step);
  std::vector<std::string> all;
  for (int i = 0; i < steps; ++i) {
    b.run(1);
    stepper.adapt(b.step, setup.time.dt * (i + 1));
    watch.look(b.step, stepper.parcel(), setup.time.dt * i, setup.time.dt);
    for (std::string& text : texts_of(watch.take())) all.push_back(std::move(text));
  }
  return all;
}

/// A cloud of 1000 parcels in a box of ten cells of 1 cm a side, in gas at rest that they do not feel.
Setup cloud(std::array<double, 3> velocity) {
  Setup s = empty_box({10, 10, 10}, {0.1, 0.1, 0.1});
  s.gravity = {0, 0, 0};
  s.gas.solved = false;
  s.solids.drag = {mppic::DragLaw::constant, s.gas.rho, s.gas.mu, 1e-6};
  s.seeds.push_back(bed(s, 0.1, 0.01, 1000, 1e-3));
  s.seeds.back().velocity = velocity;
  return s;
}

/// Gas that enters through the floor and leaves through the top, with the cloud in it.
Setup blown(double U, std::array<double, 3> velocity) {
  Setup s = cloud(velocity);
  s.gas.solved = true;
  s.gas.velocity = {0, 0, U};
  s.sides[5] = SideKind::outlet;
  let_in(s, U, {0, 0, 0}, {0.1, 0.1, 0.1});
  return s;
}

} // namespace

TEST_CASE("parcels that cross more than a cell in a step are warned of, once") {
  CHECK(said(cloud({9, 0, 0}), 3).empty());
  const std::vector<std::string> fast = said(cloud({12, 0, 0}), 3);
  REQUIRE(fast.size() == 1);
  CHECK(fast[0].find("1000 parcels cross more than a cell in a step of 0.001 s, the fastest 1.2") != std::string::npos);
  Setup along_thin = cloud({0, 0, 0});
  along_thin.cells = {1, 10, 10};
  along_thin.seeds[0].velocity = {200, 0, 0}; // through a single cell nothing is passed
  CHECK(said(along_thin, 1).empty());
  Setup stray = cloud({0, 0, 0});
  stray.time.outliers = 1e-3;
  mppic::Seed one = bed(stray, 0.1, 1e-5, 1, 1e-3);
  one.velocity = {12, 0, 0};
  stray.seeds.push_back(one);
  CHECK(said(stray, 1).empty());
}

TEST_CASE("solids that leave though nothing blows them out are warned of") {
  const std::vector<std::string> thrown = said(blown(1e-4, {0, 0, 3}), 20);
  REQUIRE(thrown.size() == 1);
  CHECK(thrown[0].find("more than is blown in: they are thrown out") != std::string::npos);
  CHECK(said(blown(3, {0, 0, 3}), 20).empty()); // carried out
  CHECK(said(blown(1e-4, {0, 0, 0.01}), 20).empty());
  Setup falling = blown(1e-4, {0, 0, 3});
  falling.gravity = {0, 0, 9.81}; // out through the top
  CHECK(said(falling, 20).empty());
}

TEST_CASE("solids that stay without room end the run, with the place") {
  Setup s = empty_box({4, 4, 4}, {0.04, 0.04, 0.04}); // more than the box can hold: nobody can part them
  s.seeds.push_back(bed(s, 0.04, 0.6, 4 * 4 * 4 * 32, 1e-3));
  s.seeds.push_back(bed(s, 0.04, 0.05, 4 * 4 * 4 * 4, 1e-3));
  CHECK_NOTHROW(said(s, 99));
  CHECK_THROWS_WITH(said(s, 101), Catch::Matchers::ContainsSubstring("packed beyond 1.05 of close packing for 100 steps") &&
                                      Catch::Matchers::ContainsSubstring("m, and close packing is 0.6"));
}

TEST_CASE("solids without room are warned of") {
  Setup s = empty_box({4, 4, 4}, {0.04, 0.04, 0.04});
  s.seeds.push_back(bed(s, 0.02, 0.6, 4 * 4 * 2 * 32, 1e-3));
  CHECK(said(s, 1).empty());
  s.seeds.push_back(s.seeds[0]); // in the same place
  const std::vector<std::string> overfull = said(s, 1);
  REQUIRE(overfull.size() == 1);
  CHECK(overfull[0].find("there is no room for them") != std::string::npos);
  s.solids.packing = false;
  CHECK(said(s, 1).empty());
}

TEST_CASE("adaptive steps that something holds down for long are noticed, with the cause") {
  Setup s = cloud({9, 0, 0});
  s.time.adaptive = true;
  Bed b(s);
  mppic::TimeStepper stepper(b.setup, b.domain, b.registry);
  stepper.start(b.step);
  REQUIRE(stepper.next() < 0.25 * s.time.dt);
  for (std::int64_t i = 0; i < run::ShortSteps::for_long; ++i) stepper.look(0, stepper.next());
  const std::vector<std::string> notices = texts_of(stepper.take_notices());
  REQUIRE(notices.size() == 1);
  CHECK(notices.front().find("because parcels move at up to 9 m/s") != std::string::npos);
}

} // namespace corral::test
