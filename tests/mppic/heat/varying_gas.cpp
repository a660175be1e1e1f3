#include "tests/catch.hpp"
#include "tests/mppic/heat/scene.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

/// Gas whose density and viscosity follow its temperature.
namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::HeatSide;
using mppic::MassBooks;
using mppic::NusseltLaw;
using mppic::Setup;

/// Inner energy of gas and parcels, that of the gas by its pressure [J].
double energy(Bed& b) {
  const double R = b.setup.gas.laws.gas_constant, c = b.setup.heat.gas_capacity;
  double room = 0;
  for (const double theta : b.field("solids_fraction")) room += b.domain.grid().cell_volume() * (1 - theta);
  return gas(b).pressure() * room * (c - R) / R + b.step.heat()->stored(Cpu{}, b.step.parcels());
}

/// A bed that air of 300 K is blown through, with grains of 600 K, a wall that is hot and one that is cold.
Setup busy_ideal_gas() {
  Setup s = empty_box({4, 3, 10}, {0.04, 0.03, 0.1});
  s.time.dt = 2e-4;
  s.seeds.push_back(bed(s, 0.05, 0.5, 960, 1e-3));
  s.seeds[0].temperature = 600;
  let_be_ideal(s, 500);
  let_in(s, 1.2, 300);
  s.gas.laws.sutherland = true;
  s.gas.laws.prandtl = 0.7;
  s.gas.mu = s.solids.drag.mu = s.gas.laws.viscosity(500);
  s.heat.gas_conductivity = s.gas.mu * 1005 / 0.7;
  s.heat.nusselt = {NusseltLaw::gunn, 2, std::cbrt(0.7)};
  s.heat.sides[0] = {HeatSide::Kind::transferring, 900, 300};
  s.heat.sides[3] = {HeatSide::Kind::conducting, 250, 0};
  return s;
}

} // namespace

TEST_CASE("hot grains in a closed box of cold ideal gas keep the energy, in any step", "[heat]") {
  constexpr double t_h = 2500 * 840 * 1e-6 / (6 * 2 * 0.026);
  for (const double dt : {0.01, 0.3, 100 * t_h}) {
    Setup s = still({2, 2, 2}, {0.02, 0.02, 0.02}, 1e-3, 1e-3);
    let_be_ideal(s, 300);
    s.seeds[0].temperature = 600;
    warm(s, 2);
    s.time.dt = dt;
    Bed b(s);
    const double before = energy(b);
    b.run(1);
    CHECK(b.step.heat()->books().by_pressure > 0);
    b.run(dt > t_h ? 20 : dt > 0.1 ? 100 : 3000);
    CHECK(b.field("gas_temperature")[0] == Approx(514.001).margin(6e-4));
    CHECK((*b.step.parcels().temperature)[0] == Approx(b.field("gas_temperature")[0]).epsilon(1e-6));
    CHECK(gas(b).pressure() == Approx(173604).margin(0.6));
    CHECK(energy(b) == Approx(before).epsilon(1e-12));
    for (const double u : b.gas(2)) CHECK(std::abs(u) < 1e-12);
  }
}

TEST_CASE("gas that a hot bed heats leaves faster by the ratio of temperatures", "[heat][physics]") {
  constexpr double rate = 0.6; // kg/(m2 s)
  for (const double dt : {1e-3, 4e-3, 2e-2})
    for (const auto& [cells, expected] : {std::pair<std::int64_t, double>{40, 567.932}, {160, 569.415}}) {
      if (sanitized && cells > 40) continue;
      Setup s = still({1, 1, cells}, {0.003, 0.003, 0.02}, 0.4, 3e-3);
      let_be_ideal(s, 300);
      s.heat.capacities = {2500 * 840e6}; // grains do not cool
      s.heat.gas_conductivity = 0.026e-6; // nothing is conducted along the bed
      s.seeds[0].temperature = 600;
      warm(s, 10e6);
      const double u_in = rate / s.gas.rho;
      let_in(s, u_in, 300);
      s.time.dt = dt;
      Bed b(s);
      b.run(std::max<std::int64_t>(150, static_cast<std::int64_t>(std::ceil(0.3 / dt))));
      const double T = b.field("gas_temperature")[cells - 1];
      CHECK(T == Approx(expected).margin(0.02));
      const double theta = b.field("solids_fraction")[0];
      CHECK((1 - theta) * b.gas(2)[cells] / u_in == Approx(T / 300).epsilon(1e-5));
      CHECK((*gas(b).mass_flux()[2])[cells] == Approx(rate).epsilon(1e-5));
      CHECK(b.step.heat()->books().residual < 1e-12);
      CHECK(gas(b).books().residual < 1e-13);
      CHECK(gas(b).volume_drift(Cpu{}, b.step.heat()->gas().mass(), b.field("gas_temperature"), b.step.flow()) < 1e-5);
    }
}

TEST_CASE("ideal gas of one temperature stays at rest in a closed box, with gravity", "[heat]") {
  for (const auto form : {mppic::MomentumForm::advective, mppic::MomentumForm::conservative}) {
    Setup s = empty_box({4, 3, 6}, {0.04, 0.03, 0.06});
    s.gas.momentum = form;
    s.gas.tolerance = 1e-13;
    let_be_ideal(s, 400);
    warm(s, 2);
    Bed b(s);
    b.run(20);
    for (int d = 0; d < 3; ++d)
      for (const double u : b.gas(d)) CHECK(std::abs(u) < 1e-10);
    CHECK(gas(b).pressure() == Approx(101325).epsilon(1e-13));
  }
}

/// What is heated alike presses alike: nothing flows from where grains leave little room to where they leave much.
TEST_CASE("gas of a closed box that grains heat evenly stays at rest, however much of it they fill", "[heat]") {
  constexpr double dense = 0.4, thin = 0.1, diameter = 1e-3;
  const auto surfaces = [](double theta) { return theta / (1 - theta); }; // of grains of one size in a volume of gas
  for (const double dt : {1e-4, 1e-2}) {
    Setup s = still({2, 2, 8}, {0.02, 0.02, 0.08}, dense, diameter);
    s.seeds.push_back(bed(s, 0.08, thin, 1, diameter * std::sqrt(surfaces(thin) / surfaces(dense))));
    s.seeds[1].seeding = s.seeds[0].seeding;
    s.seeds[0].seeding.region.high[2] = s.seeds[1].seeding.region.low[2] = 0.04;
    s.seeds[1].seeding.solids_fraction = thin;
    s.gas.tolerance = 1e-13;
    let_be_ideal(s, 300);
    s.seeds[0].temperature = s.seeds[1].temperature = 600;
    s.heat.capacities = {2500 * 840e6}; // grains do not cool
    warm(s, 2);
    s.time.dt = dt;
    Bed b(s);
    b.run(10);
    const Array<double>& T = b.field("gas_temperature");
    CHECK(T[0] > 310);
    // Heat's implicit solve ends at some 1e-9.
    for (std::int64_t c = 0; c < T.size(); ++c) CHECK(T[c] == Approx(T[0]).epsilon(1e-8));
    for (const double u : b.gas(2)) CHECK(std::abs(u) < 1e-7);
  }
}

TEST_CASE("books of a moving bed in gas that varies close in every step, and not without one of their terms", "[heat]") {
  for (const auto form : {mppic::MomentumForm::advective, mppic::MomentumForm::conservative}) {
    Setup s = busy_ideal_gas();
    s.gas.momentum = form;
    s.heat.van_leer = form == mppic::MomentumForm::conservative;
    Bed b(s);
    double worst = 0, mass = 0, drift = 0, momentum = 0;
    for (int i = 0; i < 200; ++i) {
      const double mass_before = gas(b).books().mass;
      b.run(1);
      worst = std::max({worst, b.step.heat()->books().residual, b.step.heat()->books().store_residual});
      mass = std::max(mass, gas(b).books().residual);
      momentum = std::max({momentum, b.step.report().gas.books.residual, b.step.report().momentum_residual});
      if (i > 100)
        drift = std::max(drift, gas(b).volume_drift(Cpu{}, b.step.heat()->gas().mass(), b.field("gas_temperature"), b.step.flow()));
      if (i == 0) continue;
      for (const std::size_t side : {4, 5}) {
        MassBooks copy = gas(b).books();
        copy.entered[side] = 0;
        copy.close(mass_before);
        CHECK(copy.residual > 1e-6);
      }
    }
    CHECK(worst < 1e-12);
    CHECK(mass < 1e-13);
    CHECK(momentum < 1e-12);
    CHECK(drift < 0.1);
    const auto& T = b.field("gas_temperature");
    CHECK(*std::min_element(T.begin(), T.end()) >= 250);
    CHECK(*std::max_element(T.begin(), T.end()) <= 900);
  }
}

} // namespace corral::test
