#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"

#include <algorithm>

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

/// A bed at rest in air with a cell of its uppermost layer overfull; nothing that happens in it pays for lifting.
Setup uneven_surface() {
  Setup s = empty_box({6, 1, 10}, {0.03, 0.005, 0.05});
  s.solids.stress.theta_cp = 0.6;
  s.time.dt = 5e-4;
  s.seeds.push_back(bed(s, 0.025, 0.57, 0, 5e-4));
  s.seeds[0].seeding.arrangement = mppic::Arrangement::cell_lattice;
  s.seeds[0].seeding.lattice = {3, 3, 3};
  s.seeds.push_back(s.seeds[0]);
  s.seeds[1].seeding.region = {{0.01, 0, 0.02}, {0.015, 0.005, 0.025}};
  s.seeds[1].seeding.solids_fraction = 0.12;
  return s;
}

} // namespace

TEST_CASE("what nothing pays to lift moves aside") {
  Bed b(uneven_surface());
  double before = 0, after = 0;
  for (const double theta : b.field("solids_fraction")) before = std::max(before, theta);
  b.run(400);
  for (const double theta : b.field("solids_fraction")) after = std::max(after, theta);
  CHECK(before > 0.65);
  CHECK(after < 0.605);
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
