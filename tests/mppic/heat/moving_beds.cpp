#include "mppic/heat/heat.hpp"
#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::HeatBooks;
using mppic::HeatSide;
using mppic::NusseltLaw;
using mppic::Setup;

/// A bed that air is blown through, with walls that warm it, solids that come in and some that leave.
Setup heated(double temperature) {
  Setup s = empty_box({4, 3, 10}, {0.04, 0.03, 0.1});
  s.sides[5] = SideKind::outlet;
  let_in(s, 1.5);
  s.gas.velocity = {0, 0, 1.5};
  s.time.dt = 2e-4;
  s.seeds.push_back(bed(s, 0.05, 0.5, 960, 1e-3));
  s.seeds[0].temperature = temperature;
  s.heat.nusselt = {NusseltLaw::gunn, 2, std::cbrt(1.8e-5 * 1005 / 0.026)};
  s.heat.inlet_temperatures = {temperature};
  s.heat.gas_temperature = s.heat.outside_temperature = temperature;
  return s;
}

/// Everything at a temperature of its own.
Setup busy() {
  Setup s = heated(300);
  s.heat.inlet_temperatures = {450};
  s.heat.sides[0] = {HeatSide::Kind::transferring, 700, 300};
  s.heat.sides[3] = {HeatSide::Kind::conducting, 250, 0};
  const double mass = 5 * std::numbers::pi / 6 * 1e-9 * s.solids.rho;
  s.solids_inlets.push_back({s.inlets[0], 2 * mass / s.time.dt, 0.5, 5, mppic::SizeDistribution::one_size(1e-3), 380});
  mppic::Seed spray = bed(s, 0.1, 1e-3, 40, 3e-4); // that is blown out
  spray.name = "spray";
  spray.seeding.region.low[2] = 0.08;
  spray.velocity = {0, 0, 3};
  spray.temperature = 600;
  s.seeds.push_back(spray);
  s.heat.gas_source = -2e4;
  s.heat.sources = {3e6};
  return s;
}

} // namespace

TEST_CASE("what is of one temperature stays so, however it moves", "[heat]") {
  Bed b(heated(400));
  b.run(200);
  for (const double T : b.field("gas_temperature")) CHECK(T == Approx(400).epsilon(1e-12));
  for (const double T : *b.step.parcels().temperature) CHECK(T == Approx(400).epsilon(1e-12));
}

TEST_CASE("the books of heat close in every step", "[heat]") {
  Bed b(busy());
  double left = 0, entered = 0, worst = 0, drift = 0;
  for (int i = 0; i < 300; ++i) {
    b.run(1);
    const HeatBooks& books = b.step.heat()->books();
    worst = std::max(worst, books.residual);
    drift = std::max(drift, books.store_residual);
    left -= books.carried_by_solids[5];
    entered += books.carried_by_solids[4];
    CHECK(books.exchanged > 0);
  }
  CHECK(worst < 1e-12);
  CHECK(drift < 1e-12);
  CHECK(left > 0);
  CHECK(entered > 0);
  const HeatBooks& books = b.step.heat()->books();
  CHECK(books.gas == Approx(b.step.heat()->gas().stored(Cpu{})).epsilon(1e-13));
  CHECK(books.solids == Approx(b.step.heat()->stored(Cpu{}, b.step.parcels())).epsilon(1e-13));
  const auto& T = b.field("gas_temperature");
  CHECK(*std::min_element(T.begin(), T.end()) >= 250);
  CHECK(*std::max_element(T.begin(), T.end()) <= 700);
}

TEST_CASE("books of heat that lack one term do not close", "[heat]") {
  Bed b(busy());
  int looked_at = 0;
  for (int i = 0; i < 300; ++i) {
    const double gas = b.step.heat()->books().gas, solids = b.step.heat()->books().solids;
    b.run(1);
    if (i == 0) continue; // before it there are no books
    const HeatBooks& books = b.step.heat()->books();
    const auto residuals = [&](auto leave_out) {
      HeatBooks copy = books;
      leave_out(copy);
      copy.close(gas, solids);
      return std::max(copy.residual, copy.store_residual);
    };
    CHECK(residuals([](HeatBooks&) {}) < 1e-12);
    if (books.carried_by_solids[5] == 0) continue; // until one leaves
    ++looked_at;
    CHECK(residuals([](HeatBooks& c) { c.carried_by_gas[4] = 0; }) > 1e-9);
    CHECK(residuals([](HeatBooks& c) { c.carried_by_gas[5] = 0; }) > 1e-9);
    CHECK(residuals([](HeatBooks& c) { c.carried_by_solids[4] = 0; }) > 1e-9);
    CHECK(residuals([](HeatBooks& c) { c.carried_by_solids[5] = 0; }) > 1e-9);
    CHECK(residuals([](HeatBooks& c) { c.through_wall[0] = 0; }) > 1e-9);
    CHECK(residuals([](HeatBooks& c) { c.through_wall[3] = 0; }) > 1e-10);
    CHECK(residuals([](HeatBooks& c) { c.to_solids = 0; }) > 1e-9);
    CHECK(residuals([](HeatBooks& c) { c.gas_source = 0; }) > 1e-9);
    CHECK(residuals([](HeatBooks& c) { c.solids_source = 0; }) > 1e-9);
    CHECK(residuals([](HeatBooks& c) { c.gas_change = 0; }) > 1e-9);
    CHECK(residuals([](HeatBooks& c) { c.solids_change = 0; }) > 1e-9);
  }
  CHECK(looked_at > 0);
}

TEST_CASE("a run whose heat changes behind its books is stopped", "[heat]") {
  Bed gas(busy()), solids(busy());
  gas.run(2);
  gas.field("gas_temperature")[7] += 1;
  CHECK_THROWS_AS(gas.run(1), Error);
  solids.run(2);
  (*solids.step.parcels().temperature)[7] += 1;
  CHECK_THROWS_AS(solids.run(1), Error);
}

TEST_CASE("the gas's mass follows the room that parcels leave it", "[heat][physics]") {
  Bed b(heated(300));
  double worst = 0;
  for (int i = 0; i < 1000; ++i) {
    b.run(1);
    if (i < 100) continue;
    double sum = 0;
    const auto& mass = b.step.heat()->gas().mass();
    for (std::int64_t c = 0; c < mass.size(); ++c) {
      sum += std::abs(mass[c] / 1.2 - (1 - b.field("predicted_fraction")[c]));
    }
    worst = std::max(worst, sum / static_cast<double>(mass.size()));
  }
  CHECK(worst < 0.01);
}

TEST_CASE("without heat there is nothing of it", "[heat]") {
  Setup s = heated(300);
  s.heat = {};
  Bed b(s);
  b.run(3);
  CHECK(b.step.heat() == nullptr);
  CHECK(b.step.parcels().temperature == nullptr);
  CHECK(b.registry.find("gas_temperature") == nullptr);
}

} // namespace corral::test
