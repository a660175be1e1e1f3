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

} // namespace corral::test
