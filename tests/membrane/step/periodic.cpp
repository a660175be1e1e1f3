#include "tests/catch.hpp"
#include "tests/membrane/step/membrane_run.hpp"

#include <cmath>

namespace corral::test {

using namespace membrane;
using namespace structure;

TEST_CASE("A membrane that leaves through a periodic side comes in at the other one, whole") {
  constexpr double radius = 3 * um, speed = 1e-3;
  for (std::size_t d = 0; d < 3; ++d)
    for (const double way : {10 * um, -10 * um}) {
      MembraneSetup setup = box_of_water({16, 16, 16}, um);
      setup.fluid.inertia = false;
      setup.drive.velocity[d] = std::copysign(speed, way);
      SurfaceModel kind = stiff_sphere(162, radius);
      kind.material.area_ratio = 1;
      kind.material.shear_modulus = 1e-7;
      put_in_the_middle(setup, kind);
      MembraneRun run(setup);
      const MembraneMeasures before = run.step.measures()[0];
      run.advance(std::abs(way) / speed / 100, 100);
      const MembraneMeasures& m = run.step.measures()[0];
      const ConstPoints x = run.step.populations().front().at();
      for (std::size_t e = 0; e < 3; ++e) {
        const double gone = before.centroid[e] + (e == d ? way : 0);
        CHECK(m.centroid[e] == Approx(gone - 16 * um * std::floor(gone / (16 * um))).epsilon(1e-6));
        for (std::int64_t i = 0; i < 162; ++i) REQUIRE(std::abs(x[e][i] - m.centroid[e]) < 1.01 * radius);
      }
      CHECK(m.volume == Approx(before.volume).epsilon(1e-6));
    }
}

} // namespace corral::test
