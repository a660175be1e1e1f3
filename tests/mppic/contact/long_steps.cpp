#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using mppic::Setup;

struct Grains {
  double diameter; ///< [m]
  std::vector<double> densities;
  bool blended;
  double pressure = 1; ///< Ps [Pa]
};

/// 90 mm of grains in air, at random in cells of 5 mm: they lie as high as the centres of a layer of cells.
Setup deep_bed(const Grains& grains) {
  const std::vector<double>& densities = grains.densities;
  Setup s = empty_box({4, 4, 24}, {0.02, 0.02, 0.12});
  s.sides[5] = fluid::SideKind::outlet;
  s.solids.stress.ps = grains.pressure;
  s.collisions.blended = grains.blended;
  if (grains.blended) s.solids.friction = 0.3; // chance makes columns heavier than others by more than .1
  s.solids.rho = *std::min_element(densities.begin(), densities.end());
  for (std::size_t i = 0; i < densities.size(); ++i) {
    if (densities.size() > 1) s.solids.several.push_back({std::to_string(i), densities[i], s.solids.drag});
    s.seeds.push_back(bed(s, 0.09, 0.55 / static_cast<double>(densities.size()), 4600, grains.diameter));
    s.seeds.back().name = std::to_string(i);
    s.seeds.back().solid = static_cast<int>(i);
  }
  return s;
}

} // namespace

/// In a step of 5 ms solids would fall by a twentieth of a cell, and faces of unequal solids fraction make some cells
/// emptier by that. Contact must not take it for room: of a bed that lies, faces carry nothing.
TEST_CASE("a bed lies as still with long steps", "[physics]") {
  const std::vector<Grains> all{{1e-3, {2500}, false},
                                {1e-3, {2500}, false, 10},
                                {2e-4, {7800}, false},
                                {1e-3, {2500, 2500}, true},
                                {1e-3, {1250, 2500}, true},
                                {2e-4, {1050, 7800}, true}};
  for (const Grains& grains : sanitized ? std::vector{all.back()} : all)
    for (const double dt : sanitized || !thorough() ? std::vector{5e-3} : std::vector{1e-3, 5e-3}) {
      Setup s = deep_bed(grains);
      s.time.dt = dt;
      Bed b(s);
      b.run(std::lround(0.9 / dt));
      double fastest = 0, fullest = 0, paid = 0;
      for (int i = 0; i < 20; ++i) {
        b.run(1);
        fastest = std::max(fastest, std::sqrt(b.step.report().moved.speed_squared));
        fullest = std::max(fullest, b.step.report().theta_max);
        paid += b.step.report().paid / 20;
      }
      INFO(grains.pressure << " Pa, " << grains.diameter << " m, " << grains.densities.front() << " to "
                           << grains.densities.back() << " kg/m3, step " << dt);
      CHECK(fastest < (grains.blended ? 3e-3 : 5e-4));
      CHECK(paid > 0.9); // nor does displacement ask for a lift that nothing pays for
      CHECK(fullest < 0.605);
    }
}

/// Steps so long that a falling bed is packed twice as dense as it can be: what nothing pays for parts all the same, and is
/// told.
TEST_CASE("a bed that lands in too long steps parts again, by what it was given", "[physics]") {
  Setup s = empty_box({4, 4, 60}, {0.01, 0.01, 0.15});
  s.sides[5] = fluid::SideKind::outlet;
  s.solids.stress.theta_cp = 0.6;
  s.seeds.push_back(bed(s, 0.12, 0.55, 4 * 4 * 24 * 8, 1e-3));
  s.seeds.back().seeding.region.low[2] = 0.06;
  s.time.dt = 5e-3; // 2.2 cells at 1.1 m/s
  Bed b(s);
  double fullest = 0, given = 0;
  for (int i = 0; i < 250; ++i) {
    b.run(1);
    fullest = std::max(fullest, b.step.report().theta_max);
    given += b.step.report().given;
  }
  CHECK(fullest > 1.5 * 0.6);
  CHECK(given > 0);
  CHECK(b.step.report().theta_max < 0.605);
  CHECK(std::sqrt(b.step.report().moved.speed_squared) < 1e-2);
}

} // namespace corral::test
