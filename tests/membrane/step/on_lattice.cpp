#include "tests/catch.hpp"
#include "tests/membrane/step/membrane_run.hpp"
#include "tests/sanitized.hpp"

#include <cmath>
#include <numbers>
#include <vector>

/// Membranes in a lattice fluid, beside the same in the spectral one.
namespace corral::test {
namespace {

using namespace membrane;

/// Neo-Hookean, Ca = .1, at a Reynolds number of .1, four cells to a radius.
MembraneSetup capsule_with_inertia() {
  MembraneSetup setup = sheared_capsule(stiff_sphere(362), 0.1);
  setup.fluid.inertia = true;
  setup.fluid.rho = 1e4;
  return setup;
}

} // namespace

TEST_CASE("A capsule in shear is on a lattice what it is in the spectral fluid", "[physics]") {
  if (sanitized) return;
  MembraneRun spectral(capsule_with_inertia());
  spectral.advance(40 * us, 60); // 1.5 units of strain
  MembraneSetup setup = capsule_with_inertia();
  const double mu = setup.fluid.mu;
  on_lattice(setup, 5 * us, 2);
  CHECK(setup.fluid.mu == Approx(mu));
  MembraneRun lattice(setup);
  lattice.advance(5 * us, 480);
  const ShearEllipse as = shear_ellipse(spectral.step.measures()[0], 2), is = shear_ellipse(lattice.step.measures()[0], 2);
  CHECK(as.deformation() > 0.3);
  CHECK(is.deformation() == Approx(as.deformation()).epsilon(0.01));
  CHECK(std::abs(is.inclination - as.inclination) * 180 / std::numbers::pi < 0.5);
  const structure::MembraneMeasures& m = lattice.step.measures()[0];
  CHECK(m.volume == Approx(spectral.step.measures()[0].volume).epsilon(0.005)); // the membrane presses it together
  CHECK(std::abs(m.centroid[0] - 12 * um) < 1e-9 * um);
  // Energy: of the membrane alone, and of all, beside what viscosity took.
  const EnergyMoment now = lattice.step.energy_moment();
  CHECK(std::abs(now.residual) < 3e-3 * now.membranes);
  CHECK(std::abs(lattice.residual()) < 2e-3 * lattice.step.work().dissipated);
  // A steady shear dissipates mu rate^2 in any case; the capsule adds some percent.
  const double empty = mu * 625 * 625 * 24 * 32 * 24 * um * um * um * lattice.time;
  CHECK(lattice.step.work().dissipated > 1.005 * empty);
}

TEST_CASE("A membrane on a lattice that is viscous itself dissipates what the fluid gives it") {
  MembraneSetup setup = capsule_with_inertia();
  setup.surfaces[0].material.shear_viscosity = 4e-9; // a Boussinesq number of 1
  on_lattice(setup, 5 * us, 2);
  MembraneRun run(setup);
  run.advance(5 * us, sanitized ? 5 : 60);
  CHECK(run.step.work().in_membranes > 0);
  const EnergyMoment now = run.step.energy_moment();
  CHECK(std::abs(now.residual) < 2e-3 * (now.membranes + run.step.work().in_membranes));
}

TEST_CASE("A look at the stiffest motion leaves a lattice fluid's forces, of which files show half") {
  MembraneSetup setup = capsule_with_inertia();
  on_lattice(setup, 5 * us, 2);
  MembraneRun run(setup);
  run.advance(5 * us, 2);
  const auto shown = [&] {
    run.step.before_output();
    std::vector<double> all;
    for (int d = 0; d < 3; ++d) {
      const std::vector<double> of_axis = run.registry.find("velocity", d)->reals()->values();
      all.insert(all.end(), of_axis.begin(), of_axis.end());
    }
    return all;
  };
  const std::vector<double> before = shown();
  static_cast<void>(run.step.stiffest());
  static_cast<void>(run.step.fluid().velocity()); // what was shown is found anew
  CHECK(shown() == before);
}

} // namespace corral::test
