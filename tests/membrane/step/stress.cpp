#include "tests/catch.hpp"
#include "tests/membrane/step/membrane_run.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace corral::test {
namespace {

using namespace membrane;
using namespace structure;

/// Of the box, its membranes' share alone, what they enclose included [Pa].
double stress_of(const MembraneRun& run, std::size_t component) {
  double sum = run.step.viscous_stresslet()[component];
  for (const Stresslet& s : run.step.stresslets()) sum += s[component];
  return sum / (run.setup.size[0] * run.setup.size[1] * run.setup.size[2]);
}

} // namespace

TEST_CASE("What drives a shear flow works against the fluid's stress and that of the membranes") {
  const int along = GENERATE(0, 2);
  const bool radial = GENERATE(false, true);
  const double ratio = GENERATE(1., 6.), rate = 500, dt = 2 * us;
  MembraneSetup setup = box_of_water({16, 32, 16}, um, true);
  setup.fluid.inertia = false;
  setup.drive.along = along;
  shear(setup, rate);
  SurfaceModel kind = stiff_sphere(642);
  if (ratio != 1) kind.viscosity_ratio = ratio;
  put_in_the_middle(setup, radial ? by_radial_functions(kind, 200, 800) : kind).position[1] += 1.7 * um;
  MembraneRun run(setup);
  run.advance(dt, 20);
  const double before = run.step.work().done;
  run.advance(dt);
  const double volume = setup.size[0] * setup.size[1] * setup.size[2];
  const double stress = (run.step.work().done - before) / (dt * rate * volume), of_fluid = setup.fluid.mu * rate;
  const double of_membrane = stress_of(run, along == 0 ? 3 : 5);
  INFO("along " << along << ", " << stress << " Pa, " << of_fluid << " of them the fluid's");
  CHECK(of_membrane > 0.01 * of_fluid);
  CHECK((run.step.viscous_stresslet()[along == 0 ? 3 : 5] > 0) == (ratio != 1));
  CHECK(stress - of_fluid == Approx(of_membrane).epsilon(1e-4));
}

TEST_CASE("A suspension of spheres that hardly yield has Einstein's viscosity, and normal stresses of Batchelor's signs") {
  const double rate = 500, dt = 20 * us, h = um, a = 4 * h;
  MembraneSetup setup = box_of_water({32, 32, 32}, h);
  setup.fluid.inertia = false;
  shear(setup, rate);
  SurfaceModel kind = stiff_sphere(642, a);
  kind.material.shear_modulus = 1e-4; // mu rate a/G_s = .02
  kind.material.area_ratio = 1;
  put_in_the_middle(setup, kind);
  MembraneRun run(setup);
  run.advance(dt, 50);
  // Forces that spread over cells move the fluid as a larger sphere would, by .4 cells here (.3 with 8 to a radius).
  const double share = 4 * std::numbers::pi / 3 * std::pow((a + 0.4 * h) / setup.size[1], 3);
  CHECK(stress_of(run, 5) / (setup.fluid.mu * rate * share) == Approx(2.5).epsilon(0.04));
  CHECK(stress_of(run, 2) > stress_of(run, 1)); // along the flow it pulls
  CHECK(stress_of(run, 1) < stress_of(run, 0));
}

} // namespace corral::test
