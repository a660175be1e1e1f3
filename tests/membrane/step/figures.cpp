#include "membrane/output/figures.t.hpp"
#include "membrane/step/stable_step.hpp"
#include "tests/catch.hpp"
#include "tests/membrane/step/membrane_run.hpp"
#include "tests/texts_of.hpp"

#include <cmath>
#include <numbers>

namespace corral::membrane {

using namespace structure;

TEST_CASE("An ellipsoid's ellipse of shear has its half axes and its inclination, in either plane") {
  const double a = 3e-6, b = 2e-6, c = 1e-6, volume = 4 * std::numbers::pi / 3 * a * b * c;
  for (const int along : {0, 2})
    for (const double angle : {0.4, -1.2, 0.0}) {
      // Half axes a and c in the plane of `along` and y, a turned by the angle; b across.
      const double C = std::cos(angle), S = std::sin(angle), k = volume / 5;
      const double ss = k * (a * a * C * C + c * c * S * S), yy = k * (a * a * S * S + c * c * C * C);
      const double sy = k * (a * a - c * c) * C * S, tt = k * b * b;
      MembraneMeasures m;
      m.volume = volume;
      m.second_moments = along == 0 ? std::array<double, 6>{ss, yy, tt, sy, 0, 0} : std::array<double, 6>{tt, yy, ss, 0, 0, sy};
      const ShearEllipse e = shear_ellipse(m, along);
      CHECK(e.long_axis == Approx(a));
      CHECK(e.short_axis == Approx(c));
      CHECK(e.inclination == Approx(angle).margin(1e-12));
      CHECK(e.deformation() == Approx(0.5));
    }
  MembraneMeasures ball;
  ball.volume = volume;
  ball.second_moments = {1, 1, 1, 0, 0, 0};
  CHECK(shear_ellipse(ball, 2).deformation() == 0);
}

TEST_CASE("Stiffer membranes, finer grids and lighter fluids bound the step more tightly") {
  MembraneSetup setup;
  setup.cells = {64, 64, 64};
  setup.size = {16e-6, 16e-6, 16e-6};
  CHECK(std::isinf(StepBounds(setup).at_start().dt));
  SurfaceModel kind;
  kind.name = "red";
  kind.radius = 4e-6;
  kind.vertices = 642;
  kind.material.shear_modulus = 2.5e-6;
  kind.material.area_ratio = 100;
  setup.surfaces = {kind};
  const StableStep first = StepBounds(setup).at_start();
  CHECK(first.dt > 0);
  CHECK(first.cause.find("[surface.red]") != std::string::npos);
  MembraneSetup other = setup;
  other.surfaces[0].material.area_ratio = 1000;
  CHECK(StepBounds(other).at_start().dt < 0.7 * first.dt);
  other = setup;
  other.cells = {128, 128, 128};
  CHECK(StepBounds(other).at_start().dt < 0.7 * first.dt);
  other = setup;
  other.fluid.rho = 1;
  CHECK(StepBounds(other).at_start().dt < 0.7 * first.dt);
  other.fluid.inertia = false; // then viscosity alone counts
  const double slow = StepBounds(other).at_start().dt;
  other.fluid.rho = 1000;
  CHECK(StepBounds(other).at_start().dt == slow);
  other.fluid.mu *= 2;
  CHECK(StepBounds(other).at_start().dt == Approx(2 * slow));
  other = setup;
  other.surfaces[0].material.bending_modulus = 1e-15;
  CHECK(StepBounds(other).at_start().cause.find("bending") != std::string::npos);
  other = setup;
  other.surfaces[0].material.tether_stiffness = 1e20;
  CHECK(StepBounds(other).at_start().cause.find("tethers") != std::string::npos);
}

TEST_CASE("A membrane whose volume has drifted far is told of once") {
  MembraneSetup setup = test::box_of_water({16, 16, 16}, 0.5 * test::um);
  setup.fluid.inertia = false;
  setup.coupling.kernel = "nearest";
  SurfaceModel drop = test::stiff_sphere(162, 2 * test::um);
  drop.material = {};
  drop.material.law = ElasticLaw::none;
  drop.material.tension = 1e-5;
  test::put_in_the_middle(setup, drop);
  test::MembraneRun run(setup);
  MembraneFigures figures(run.setup, run.step.membranes());
  figures.start(run.step);
  CHECK(figures.take_notices().empty());
  run.advance(4e-5, 10);
  figures.add(run.step, run.time, 4e-5);
  figures.add(run.step, run.time, 4e-5);
  const std::vector<std::string> notices = test::texts_of(figures.take_notices());
  REQUIRE(notices.size() == 1);
  CHECK_THAT(notices[0], Catch::Matchers::ContainsSubstring("membrane 0 encloses 0.") && Catch::Matchers::ContainsSubstring("at 0.0004 s"));
}

TEST_CASE("Books of energy that do not close are told of once, and none that close") {
  for (const double dt : {1 * test::us, 5.5 * test::us}) {
    MembraneSetup setup = test::box_of_water({16, 16, 16}, 1 * test::um, true);
    test::shear(setup, 5e2);
    setup.coupling.scheme = Coupling::predictor;
    test::put_in_the_middle(setup, test::stiff_sphere(162));
    test::MembraneRun run(setup);
    MembraneFigures figures(run.setup, run.step.membranes());
    figures.start(run.step);
    figures.row(run.step);
    CHECK(figures.take_notices().empty());
    run.advance(dt, static_cast<int>(std::lround(300 * test::us / dt)));
    figures.row(run.step);
    figures.row(run.step);
    const std::vector<std::string> notices = test::texts_of(figures.take_notices());
    INFO(run.residual() << " J of " << run.step.work().done << " and " << run.step.work().dissipated);
    CHECK(notices.size() == (dt > 2 * test::us ? 1 : 0));
    if (!notices.empty()) CHECK_THAT(notices[0], Catch::Matchers::ContainsSubstring("the books of energy"));
  }
}

} // namespace corral::membrane
