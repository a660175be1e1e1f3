#include "mppic/solids/joint_answer.hpp"

#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/mppic/small_beds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

/// Packed solids whose accelerations are blended answer gas and contact jointly.
namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::Setup;

/// Parcels of two sizes, and of two densities where they are `mixed`, that move at random and fill the box to `theta`.
struct Stirred : Bed {
  Stirred(std::array<std::int64_t, 3> cells, SideKind side, double theta, bool mixed, bool blended)
      : Bed(box(cells, side, theta, mixed, blended)) {
    Random random(17);
    for (int d = 0; d < 3; ++d)
      for (double& u : field("velocity", d)) u += random.uniform(-0.1, 0.1);
    for (double& rate : field("drag_rate")) rate = std::pow(10, random.uniform(0, 4));
  }
  static Setup box(std::array<std::int64_t, 3> cells, SideKind side, double theta, bool mixed, bool blended) {
    Setup s = empty_box(cells, {0.01 * static_cast<double>(cells[0]), 0.01 * static_cast<double>(cells[1]), 0.01 * static_cast<double>(cells[2])});
    s.sides.fill(side);
    s.collisions = {.damping = false, .blended = blended};
    s.audit = true;
    if (mixed) {
      s.solids.several = {{"steel", 7800, s.solids.drag}, {"nylon", 1050, s.solids.drag}};
      s.solids.rho = 1050;
    }
    const std::int64_t parcels = 10 * cells[0] * cells[1] * cells[2];
    s.seeds = {bed(s, s.size[2], theta / 2, parcels, 1e-3), bed(s, s.size[2], theta / 2, parcels, 3e-4)};
    s.seeds[1].solid = mixed ? 1 : 0;
    return s;
  }
};

} // namespace

TEST_CASE("the share that answers jointly is nothing where particles are loose and all where they are packed") {
  CHECK(mppic::joint_share(0.3, 0.6) == 0);
  CHECK(mppic::joint_share(0.85 * 0.6, 0.6) < 1e-12);
  CHECK(mppic::joint_share(0.9 * 0.6, 0.6) == Approx(0.5));
  CHECK(mppic::joint_share(0.96 * 0.6, 0.6) == 1);
  CHECK(mppic::joint_share(0.7, 0.6) == 1);
  for (double theta = 0.5; theta < 0.6; theta += 0.01)
    CHECK(mppic::joint_share(theta + 0.01, 0.6) >= mppic::joint_share(theta, 0.6));
}

TEST_CASE("gas and parcels that answer it jointly, in part or all, exchange momentum to round-off") {
  for (const auto& cells : {std::array<std::int64_t, 3>{4, 5, 3}, {1, 1, 6}, {1, 1, 1}})
    for (const SideKind side : {SideKind::no_slip, SideKind::periodic})
      for (const double theta : {0.4, 0.54, 0.59})
        for (const bool mixed : {false, true}) {
          INFO(cells[2] << " cells, theta " << theta << ", mixed " << mixed << ", periodic " << (side == SideKind::periodic));
          Stirred b(cells, side, theta, mixed, true);
          for (int step = 0; step < 4; ++step) {
            b.run(1);
            CHECK(b.step.report().momentum_residual <= 1e-13);
            CHECK(b.step.audit().books().momentum_residual <= 1e-13);
            CHECK(b.step.audit().books().energy_residual <= 1e-13);
          }
        }
}

TEST_CASE("packed parcels take the same of everything, and drag stills how each moves among the others") {
  for (const bool mixed : {false, true})
    for (const bool blended : {true, false}) {
      Stirred b({1, 1, 1}, SideKind::periodic, 0.599, mixed, blended);
      const mppic::Parcels& p = b.step.parcels();
      const std::vector<double> drag = p.drag.values();
      std::array<std::vector<double>, 3> before;
      for (std::size_t d = 0; d < 3; ++d) before[d] = p.velocity[d]->values();
      b.run(1);
      for (std::size_t d = 0; d < 3; ++d) {
        double mass = 0, mean = 0;
        for (std::int64_t i = 0; i < p.size(); ++i) {
          const double m = p.density()[i] * p.volume[i];
          mass += m;
          mean += m * before[d][i];
        }
        mean /= mass;
        double least = INFINITY, most = -INFINITY;
        for (std::int64_t i = 0; i < p.size(); ++i) {
          const double left = (before[d][i] - mean) / (1 + b.setup.time.dt * drag[i]), common = (*p.velocity[d])[i] - left;
          least = std::min(least, common), most = std::max(most, common);
        }
        if (blended) CHECK(most - least <= 1e-13);
        else CHECK(most - least > 1e-3);
      }
    }
}

} // namespace corral::test
