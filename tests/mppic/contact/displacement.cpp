#include "mppic/contact/displacement.hpp"
#include "mppic/contact/displacement_laws.hpp"
#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"

#include <algorithm>
#include <cmath>

namespace corral::test {
namespace {

using mppic::Setup;

/// Weightless solids at theta = .645 in the lower half of a box, close to their packing at .65.
Setup floating_bed() {
  Setup s = empty_box({4, 4, 8}, {0.04, 0.04, 0.08});
  s.gravity = {0, 0, 0};
  s.solids.stress.theta_cp = 0.65;
  s.seeds.push_back(bed(s, 0.04, 0.645, 0, 2e-3));
  s.seeds[0].seeding.arrangement = mppic::Arrangement::cell_lattice; // even, also as mapped
  s.seeds[0].seeding.lattice = {3, 3, 3};
  return s;
}

/// Beads in air, packed.
Setup packed_beads() {
  Setup s = empty_box({6, 1, 10}, {0.03, 0.005, 0.05});
  s.solids.stress.theta_cp = 0.6;
  s.time.dt = 5e-4;
  s.seeds.push_back(bed(s, 0.025, 0.58, 0, 5e-4));
  s.seeds[0].seeding.arrangement = mppic::Arrangement::cell_lattice;
  s.seeds[0].seeding.lattice = {3, 3, 3};
  return s;
}

double largest(const Array<double>& values) { return *std::max_element(values.begin(), values.end()); }

} // namespace

TEST_CASE("an excess that appears in a bed at rest is gone soon") {
  Bed b(packed_beads());
  b.run(600);
  REQUIRE(largest(b.field("solids_fraction")) < 0.601);
  const mppic::Parcels& p = b.step.parcels(); // solids that swell in the middle of the surface
  for (std::int64_t i = 0; i < p.size(); ++i)
    if (std::abs((*p.position[0])[i] - 0.0125) < 0.0025 && (*p.position[2])[i] > 0.0125) b.field("volume")[i] *= 1.3;
  b.run(1);
  CHECK(largest(b.field("solids_fraction")) > 0.65);
  b.run(400);
  CHECK(largest(b.field("solids_fraction")) < 0.605);
}

TEST_CASE("beds of powder are even ones, those of beads bubble") {
  const mppic::HarrisCrighton stress{.ps = 10, .beta = 2, .theta_cp = 0.62};
  const auto evens = [&](double theta, double rho_p, double terminal) {
    return mppic::displaced::evens(stress.derivative(theta) / rho_p, theta, 9.81, 9.81 / terminal);
  };
  CHECK(evens(0.5, 1500, 0.02) == 1);
  CHECK(evens(0.5, 1150, 1.8) == 0);
  CHECK(evens(0.619, 1150, 1.8) == 1); // next to packing nothing is stiffer
  // tau' = 10 (2 .5/.12 + .25/.0144) = 256.94 Pa; even to (3 .5 u)^2 = .25694, u = .33794 m/s, and for sqrt(2) of that
  CHECK(evens(0.5, 1000, 0.3379) == 1);
  CHECK(evens(0.5, 1000, 0.3379 * std::sqrt(1.5)) == Approx(0.5).epsilon(1e-3));
  CHECK(evens(0.5, 1000, 0.3380 * std::sqrt(2.0)) == 0);
}

TEST_CASE("what fluxes have just missed of a cell has room made for it in advance") {
  Bed surprised(floating_bed()), usual(floating_bed());
  const std::int64_t cell = 1 + 4 * (1 + 4 * 2);
  const double before = usual.field("solids_fraction")[cell];
  surprised.field("predicted_fraction")[cell] -= 0.05;
  usual.field("predicted_fraction")[cell] -= 0.01; // no more than fluxes always miss
  surprised.run(1);
  usual.run(1);
  const double asked = 0.05 - 0.015 - (0.65 - before);
  CHECK(std::abs(usual.field("predicted_fraction")[cell] - before) <= 1e-4);
  CHECK(surprised.field("predicted_fraction")[cell] <= before - asked);
  surprised.run(1);
  CHECK(surprised.field("solids_fraction")[cell] <= before - 0.4 * asked); // maps pass on half of what one cell asks for
}

using mppic::DisplacementBudget;

TEST_CASE("what lifts has to be paid for, what sinks has not") {
  const Setup s = empty_box({2, 2, 4}, {0.02, 0.02, 0.04});
  const fluid::Domain domain = s.make_domain();
  DisplacementBudget budget(domain, s);
  CHECK(budget.pay_for_room({1e-6, 0}, 1) == 0);
  CHECK(budget.pay_for_drift(1e-6) == 0);
  CHECK(budget.pay_for_room({0, -1e-6}, 1) == 1);
  CHECK(budget.pay_for_room({4e-6, -1e-6}, 1) == Approx(0.25)); // what sinks pays for what rises
  CHECK(budget.pay_for_room({4e-6, -1e-6}, 0) == 0); // where what sinks waits as well, nothing sinks to pay
  CHECK(budget.pay_for_room({4e-6, -1e-6}, 0.5) == Approx(0.5 / 3.5));
  CHECK(budget.pay_for_drift(-1e-6) == 1);
  CHECK(budget.pay_for_room({0, 0}, 1) == 1);
  CHECK(budget.pay_for_room({1e-9, 0}, 1) == 0); // what sank before lifts nothing later
}

TEST_CASE("lift is against gravity, along any axis, less what the gas buoys") {
  for (int d = 0; d < 3; ++d) {
    Setup s = empty_box({2, 3, 4}, {0.02, 0.06, 0.16});
    s.gravity = {0, 0, 0};
    s.gravity[d] = 2;
    s.gas.rho = 0.25 * s.solids.rho;
    const fluid::Domain domain = s.make_domain();
    DisplacementBudget budget(domain, s);
    fluid::FaceArrays theta = fluid::make_face_arrays(domain.grid()), dx = fluid::make_face_arrays(domain.grid(), 1e-3);
    theta[d][1] = 0.5;
    Array<double> cells(domain.grid().cells(), 0.0);
    cells[3] = 0.4;
    const std::array<Array<double>, 3> shift{Array<double>(cells.size(), 1e-3), Array<double>(cells.size(), 1e-3),
                                             Array<double>(cells.size(), 1e-3)};
    const mppic::Lifts lifts = budget.lift(Cpu{}, fluid::Planes(), theta, dx, cells, shift);
    CHECK(lifts.faces.down == Approx(-0.5 * 1e-3 * 2 * 0.75));
    CHECK(lifts.faces.up == 0);
    CHECK(lifts.cells == Approx(-0.4 * 1e-3 * 2 * 0.75));
    CHECK(budget.height() == Approx(0.01 * (d == 0 ? 1 : d == 1 ? 2 : 4)));
  }
}

TEST_CASE("gas that nothing blows supplies nothing, however the solids fall through it") {
  Setup s = empty_box({2, 2, 12}, {0.01, 0.01, 0.06});
  s.solids.rho = 1500;
  s.time.dt = 5e-3;
  s.seeds.push_back(bed(s, 0.04, 0.55, 2000, 30e-6));
  Bed b(s);
  double turned_over = 0;
  const auto look = [&] {
    turned_over = 0;
    for (int d = 0; d < 3; ++d) {
      const Array<double>& G = b.step.gas().pressure_gradient()[d];
      for (std::int64_t f = 0; f < G.size(); ++f)
        if (b.domain.kind(d, f) == fluid::FaceKind::interior)
          turned_over += s.time.dt / s.solids.rho * std::abs((s.gas.rho * s.gravity[d] - G[f]) * b.gas(d)[f]);
    }
  };
  for (int i = 0; i < 4; ++i) {
    b.run_and_look(mppic::StepPlace::gas_with_pressure, look);
    INFO("step " << i + 1);
    double supplied = 0;
    for (const double along_axis : b.step.gas().report().supply) supplied += along_axis;
    CHECK(std::abs(supplied) <= 1e-6 * turned_over);
  }
}

TEST_CASE("what is blown into a column supplies its flux times the drop of pressure, beyond the weight of what it fills") {
  Setup s = empty_box({1, 1, 12}, {0.01, 0.01, 0.12});
  s.solids.rho = 1500;
  let_liquid_rise(s, 1000, 1e-3, 0.02);
  s.seeds.push_back(bed(s, 0.08, 0.5, 2000, 1e-3));
  Bed b(s);
  double supplied = 0;
  const auto look = [&] {
    supplied = 0;
    const Array<double>& G = b.step.gas().pressure_gradient()[2];
    for (std::int64_t f = 0; f < G.size(); ++f) {
      const double share = f == 0 || f == G.size() - 1 ? 0.5 : 1;
      supplied += share * s.time.dt / s.solids.rho * (s.gas.rho * s.gravity[2] - G[f]) * 0.02;
    }
  };
  for (int i = 0; i < 3; ++i) {
    b.run_and_look(mppic::StepPlace::gas_with_pressure, look);
    CHECK(supplied > 0);
    CHECK(b.step.gas().report().supply[2] == Approx(supplied).epsilon(1e-6));
  }
}

} // namespace corral::test
