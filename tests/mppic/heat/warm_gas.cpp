#include "tests/catch.hpp"
#include "tests/mppic/heat/scene.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

/// How gas whose density and viscosity follow its temperature flows, conducts and drags.
namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::HeatSide;
using mppic::NusseltLaw;
using mppic::Setup;

} // namespace

TEST_CASE("ideal gas between two walls conducts, and its pressure is that of its mass, in any step", "[heat][physics]") {
  for (const double dt : {1e-3, 1e4}) {
    Setup s = empty_box({1, 1, 10}, {0.01, 0.01, 0.01});
    s.gravity = {0, 0, 0};
    let_be_ideal(s, 300);
    s.heat.sides[4] = {HeatSide::Kind::conducting, 900, 0};
    s.heat.sides[5] = {HeatSide::Kind::conducting, 300, 0};
    warm(s, 2);
    s.time.dt = dt;
    Bed b(s);
    b.run(dt > 1 ? 150 : 8000);
    CHECK(b.step.heat()->gas().conducts_implicitly() == (dt > 1));
    double inverse = 0;
    for (std::int64_t c = 0; c < 10; ++c) {
      const double T = 870 - 60 * static_cast<double>(c);
      CHECK(b.field("gas_temperature")[c] == Approx(T).margin(1e-3));
      CHECK(b.field("gas_mass")[c] == Approx(gas(b).pressure() / (s.gas.laws.gas_constant * T)).epsilon(1e-5));
      inverse += 300 / (10 * T);
    }
    CHECK(gas(b).pressure() == Approx(101325 / inverse).epsilon(1e-5));
    CHECK(b.step.heat()->books().residual < 1e-12);
  }
}

TEST_CASE("what inlets that share faces let in has the mass of each at its own temperature", "[heat]") {
  Setup s = empty_box({2, 2, 4}, {0.02, 0.02, 0.04});
  let_be_ideal(s, 300);
  warm(s, 2);
  let_in(s, 0.1, 400);
  let_in(s, 0.3, 320);
  s.heat.inlet_temperatures = {400, 320};
  Bed b(s);
  b.run(1);
  const double carried = s.time.dt * 4e-4 * 101325 / s.gas.laws.gas_constant;
  CHECK(gas(b).books().entered[4] == Approx(carried * (0.1 / 400 + 0.3 / 320)).epsilon(1e-12));
  CHECK(b.step.heat()->books().carried_by_gas[4] == Approx(1005 * carried * 0.4).epsilon(1e-12));
}

TEST_CASE("warm gas that displaces cold takes no room, nor cold that displaces warm", "[heat][physics]") {
  for (const double dt : {1e-3, 4e-2, 0.15})
    for (const bool van_leer : {false, true})
      for (const auto& [before, after] : {std::pair{300.0, 900.0}, {900.0, 300.0}}) {
        Setup s = empty_box({1, 1, 100}, {0.01, 0.01, 1});
        s.gravity = {0, 0, 0};
        s.heat.gas_conductivity = 1e-12;
        s.heat.van_leer = van_leer;
        let_be_ideal(s, before);
        warm(s, 2);
        let_in(s, 1, after);
        s.time.dt = dt;
        Bed b(s);
        b.run(static_cast<std::int64_t>(0.6 / dt));
        const double out = s.gas.rho;
        CHECK((*gas(b).mass_flux()[2])[100] == Approx(out).epsilon(1e-6));
        for (const double u : b.gas(2)) CHECK(u == Approx(1).epsilon(1e-6));
        CHECK(b.field("gas_temperature")[0] == Approx(after).epsilon(1e-3));
        CHECK(gas(b).volume_drift(Cpu{}, b.step.heat()->gas().mass(), b.field("gas_temperature"), b.step.flow()) < 1e-6);
      }
}

TEST_CASE("of two columns of gas the hot one rises, by the difference of densities over their sum", "[heat]") {
  for (const auto form : {mppic::MomentumForm::advective, mppic::MomentumForm::conservative})
    for (const double hot : {330.0, 900.0}) {
      Setup s = empty_box({2, 1, 60}, {0.002, 0.001, 0.06});
      s.gas.momentum = form;
      s.gas.tolerance = 1e-12;
      s.time.dt = 1e-4;
      let_be_ideal(s, 300);
      warm(s, 2);
      Bed b(s);
      for (std::int64_t c = 0; c < 120; c += 2) {
        b.field("gas_temperature")[c] = hot;
        b.field("gas_mass")[c] = s.gas.rho * 300 / hot;
      }
      for (run::Entry& e : b.registry.entries()) // as if it had begun so
        if (e.name == "mass_of_gas") *e.real() *= 0.5 * (1 + 300 / hot);
      b.run(1);
      const double rise = 9.81 * s.time.dt * (hot - 300) / (hot + 300);
      CHECK(b.gas(2)[60] == Approx(rise).epsilon(1e-6));
      CHECK(b.gas(2)[61] == Approx(-rise).epsilon(1e-6));
    }
}

TEST_CASE("grains feel drag and exchange heat by the gas around them", "[heat]") {
  for (const bool prandtl : {false, true}) {
    Setup s = still({2, 2, 6}, {0.012, 0.012, 0.036}, 0.5, 1e-3);
    let_be_ideal(s, 300);
    s.gas.laws.sutherland = true;
    s.gas.laws.prandtl = prandtl ? 0.8 : 0;
    s.gas.mu = s.solids.drag.mu = s.gas.laws.viscosity(300);
    if (prandtl) s.heat.gas_conductivity = s.gas.mu * 1005 / 0.8;
    s.heat.capacities = {1e15};
    s.seeds[0].temperature = 900;
    s.solids.drag.law = mppic::DragLaw::ergun;
    warm(s, 0);
    s.heat.nusselt.law = NusseltLaw::gunn;
    let_in(s, 0.4, 900);
    s.time.dt = 2e-3;
    Bed b(s);
    b.run(300);
    CHECK(b.field("gas_temperature")[12] == Approx(900).epsilon(1e-6));
    const double rho = s.gas.laws.density(101325, 900), mu = s.gas.laws.viscosity(900);
    const double k = prandtl ? mu * 1005 / 0.8 : 0.026, re = rho * 0.4 * 1e-3 / mu; // eps |u - u_p| is .4 m/s
    const mppic::NusseltModel gunn{NusseltLaw::gunn, 2, std::cbrt(mu * 1005 / k)};
    CHECK(b.field("heat_rate")[12] == Approx(6 * mppic::nusselt(gunn, 0.5, re) * k / (1e15 * 1e-6)).epsilon(1e-5));
    const mppic::DragModel drag{mppic::DragLaw::ergun, rho, mu, 0.44};
    CHECK(b.step.parcels().drag[12] == Approx(mppic::drag_per_volume(drag, 0.5, 0.8, 1e-3) / 2500).epsilon(1e-5));
  }
}

TEST_CASE("Sutherland's law gives the viscosity of air", "[heat]") {
  const mppic::GasLaws laws;
  CHECK(laws.viscosity(290) == Approx(1.8e-5).epsilon(1e-15));
  // 1.716e-5 Pa s at 273.15 K (White, Viscous Fluid Flow); tables of air at 1000 K give 4.24e-5
  CHECK(laws.viscosity(273.15) == Approx(1.716e-5).epsilon(2e-3));
  CHECK(laws.viscosity(1000) == Approx(4.24e-5).epsilon(0.02));
  CHECK(laws.density(101325, 300) == Approx(1.17662).epsilon(1e-5));
}

TEST_CASE("hot gas in a periodic duct is slowed down by its own viscosity and density", "[heat]") {
  // Between two walls, driven by gravity: mean velocity rho g a^2/(12 mu) of plane Poiseuille flow.
  for (const auto form : {mppic::MomentumForm::advective, mppic::MomentumForm::conservative})
    for (const double T : {300.0, 900.0}) {
      Setup s = empty_box({1, 10, 1}, {0.001, 0.01, 0.001});
      s.sides = {SideKind::periodic, SideKind::periodic, SideKind::no_slip,
                 SideKind::no_slip,  SideKind::periodic, SideKind::periodic};
      s.gravity = {0, 0, 0.01};
      s.gas.momentum = form;
      s.gas.laws.sutherland = true;
      let_be_ideal(s, T);
      warm(s, 2);
      s.time.dt = 0.005;
      Bed b(s);
      b.run(1000);
      double mean = 0;
      for (const double u : b.gas(2)) mean += u / 10;
      const double exact = s.gas.laws.density(s.gas.laws.pressure, T) * 0.01 * 1e-4 / (12 * s.gas.laws.viscosity(T));
      CHECK(mean == Approx(exact).epsilon(0.03)); // 2 / 10^2 are the grid's
    }
}

} // namespace corral::test
