#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"

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

} // namespace

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
