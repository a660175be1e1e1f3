#include "membrane/step/stable_step.hpp"
#include "tests/catch.hpp"
#include "tests/membrane/step/swing.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

/// Membranes that are viscous themselves.
namespace corral::test {
namespace {

using namespace membrane;
using namespace structure;

/// By its Boussinesq number, the viscosity of a membrane over that of the fluid times the radius.
SurfaceModel viscous(SurfaceModel kind, double boussinesq, double dilatation = 0) {
  kind.material.shear_viscosity = boussinesq * 1e-3 * kind.radius;
  kind.material.dilatation_viscosity = dilatation * 1e-3 * kind.radius;
  return kind;
}

/// A sphere turned about z by `by` times z over its radius: sheared in its plane alone.
void twist(MembraneRun& run, double by) {
  auto& p = run.step.populations().front();
  const std::array<double, 3> centre = run.setup.groups[0].position;
  for (std::int64_t i = 0; i < p.markers(); ++i) {
    const double x = p.at()[0][i] - centre[0], y = p.at()[1][i] - centre[1], z = p.at()[2][i] - centre[2];
    const double angle = by * z / run.setup.surfaces[0].radius, c = std::cos(angle), s = std::sin(angle);
    (*p.position[0])[i] = centre[0] + c * x - s * y;
    (*p.position[1])[i] = centre[1] + s * x + c * y;
  }
}

/// How far it is twisted, where each marker was at the start.
double twisted(const MembraneRun& run, const std::array<std::vector<double>, 3>& start) {
  const auto& p = run.step.populations().front();
  const std::array<double, 3> centre = run.setup.groups[0].position;
  double turned = 0, squares = 0;
  for (std::int64_t i = 0; i < p.markers(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double x = start[0][k] - centre[0], y = start[1][k] - centre[1], z = start[2][k] - centre[2];
    const double moved = x * (p.at()[1][i] - centre[1]) - y * (p.at()[0][i] - centre[0]); // r^2 sin(angle)
    turned += moved * z, squares += (x * x + y * y) * z * z;
  }
  return turned / squares * run.setup.surfaces[0].radius;
}

constexpr double modulus = 2.5e-6; // [N/m]

/// The time in which the twist of a sphere of `cells` cells goes back to 1/e of it in Stokes flow [s].
double time_to_untwist(std::int64_t cells, double boussinesq) {
  MembraneSetup setup = box_of_water({6 * cells, 6 * cells, 6 * cells}, um);
  setup.fluid.inertia = false;
  SurfaceModel sphere = stiff_sphere(10 * cells * cells + 2, static_cast<double>(cells) * um);
  sphere.material.shear_modulus = modulus, sphere.material.area_ratio = 1;
  put_in_the_middle(setup, viscous(sphere, boussinesq));
  MembraneRun run(setup);
  std::array<std::vector<double>, 3> start;
  const auto& p = run.step.populations().front();
  for (std::size_t d = 0; d < 3; ++d) start[d].assign(p.at()[d], p.at()[d] + p.markers());
  twist(run, 0.02);
  const double expected = 1e-3 * sphere.radius / modulus * (5 + 4 * boussinesq) / 4;
  const auto part = std::llround(std::ceil(0.1 * expected / (0.9 * StepBounds(run.setup).at_start().dt)));
  const double dt = 0.1 * expected / static_cast<double>(part);
  run.advance(dt, part);
  const double before = twisted(run, start);
  run.advance(dt, 4 * part);
  return 0.4 * expected / std::log(before / twisted(run, start));
}

/// Of the theory, in a fluid without bounds: shear of the order l = 2 in a sphere's surface, which stays where it is, costs
/// 5 mu/a and 4 mu_s/a^2 of velocity, and pulls back with 4 G/a^2.
double theory_of_untwisting(std::int64_t cells, double boussinesq) {
  return 1e-3 * static_cast<double>(cells) * um / modulus * (5 + 4 * boussinesq) / 4;
}

MembraneSetup sheared(bool inertia, bool walls, double ratio, Coupling scheme = Coupling::midpoint) {
  MembraneSetup setup = box_of_water({16, 18, 16}, um, walls);
  setup.fluid.inertia = inertia;
  setup.coupling.scheme = scheme;
  shear(setup, 1000);
  SurfaceModel sphere = viscous(stiff_sphere(362, 4 * um), 20, 7);
  sphere.stretch = {1.05, 1, 0.96};
  if (ratio != 1) sphere.viscosity_ratio = ratio;
  put(setup, sphere, {8 * um, 8.7 * um, 8.2 * um});
  return setup;
}

} // namespace

TEST_CASE("Forces of a membrane's viscosity are those of the velocity that it has under them") {
  for (const bool inertia : {true, false})
    for (const bool walls : {true, false})
      for (const double ratio : {1., 3.}) {
        MembraneSetup setup = sheared(inertia, walls, ratio);
        put(setup, stiff_sphere(162, 1.5 * um), {3 * um, 3 * um, 3 * um});                        // one that is not
        put(setup, by_radial_functions(stiff_sphere(100, 1.5 * um), 100, 300), {13 * um, 14 * um, 3 * um});
        MembraneRun run(setup);
        run.advance(0.5 * us, 4);
        auto& p = run.step.populations().front();
        const auto& only = p;
        std::array<std::vector<double>, 3> found;
        for (std::size_t d = 0; d < 3; ++d) found[d].assign(only.forces()[d], only.forces()[d] + p.markers());
        std::array<std::vector<double>, 3> expected = found;
        p.find_viscous_forces(Cpu{}, only.velocities(), {expected[0].data(), expected[1].data(), expected[2].data()});
        p.find_forces(Cpu{});
        double most = 0, error = 0, power = 0;
        for (std::size_t d = 0; d < 3; ++d)
          for (std::int64_t i = 0; i < p.markers(); ++i) {
            const auto k = static_cast<std::size_t>(i);
            most = std::max(most, std::abs(expected[d][k]));
            error = std::max(error, std::abs(found[d][k] - only.forces()[d][i] - expected[d][k]));
            power -= expected[d][k] * only.velocities()[d][i];
            if (i >= 362) CHECK(expected[d][k] == 0);
          }
        INFO("inertia " << inertia << ", walls " << walls << ", ratio " << ratio << ": " << run.step.mean_viscous_iterations() << " iterations");
        CHECK(most > 0);
        CHECK(error < 1e-4 * most);
        CHECK(power > 0);
        const double before = run.step.work().in_membranes;
        run.advance(0.5 * us);
        CHECK(run.step.work().in_membranes - before == Approx(0.5 * us * power).epsilon(0.1));
      }
}

TEST_CASE("A twisted sphere goes back the later, by its viscosity over its modulus", "[physics]") {
  const double plain = time_to_untwist(4, 0);
  for (const double boussinesq : sanitized ? std::vector<double>{1.} : std::vector<double>{0.5, 1., 10., 100.}) {
    const double later = (time_to_untwist(4, boussinesq) - plain) * modulus / (boussinesq * 1e-3 * 4 * um);
    INFO("Boussinesq number " << boussinesq << ": later by " << later << " of the theory's time");
    CHECK(later == Approx(1).margin(0.01)); // what grid and kernel make of the fluid is the same in both
  }
}

TEST_CASE("spheres of four and eight cells to a radius untwist", "[.][long]") {
  for (const std::int64_t cells : {4, 8}) {
    const double plain = time_to_untwist(cells, 0);
    for (const double boussinesq : {0., .1, 1., 10., 100.}) {
      const double found = time_to_untwist(cells, boussinesq), theory = theory_of_untwisting(cells, boussinesq);
      const double of_viscosity = (found - plain) / (theory - theory_of_untwisting(cells, 0));
      std::printf("%lld cells to a radius, Boussinesq number %g: %.3f of the theory's rate, what viscosity adds to the time %.4f of the theory's\n",
                  static_cast<long long>(cells), boussinesq, theory / found, of_viscosity);
      if (boussinesq > 0) CHECK(of_viscosity == Approx(1).margin(0.05));
    }
  }
}

// The check of cases/capsule_in_shear has this theory; its README the equations.
TEST_CASE("A capsule with a viscous membrane is sheared less, and leans farther over, as linear theory has it", "[physics]") {
  if (sanitized) return;
  MembraneRun run(sheared_capsule(viscous(stiff_sphere(162, 4 * um), 20), 0.02));
  run.advance(40 * us, 200); // 5 units of strain
  const ShearEllipse shape = shear_ellipse(run.step.measures()[0], 2);
  INFO(run.step.mean_viscous_iterations() << " iterations a step");
  // Without it .1215, at 38.2 degrees. Four cells to a radius deform it by a fifth too much, and eight by a tenth.
  CHECK(shape.deformation() == Approx(0.0729).epsilon(0.25));
  CHECK(shape.inclination * 180 / std::numbers::pi == Approx(20.2).margin(2));
}

TEST_CASE("A membrane's own viscosity makes no step too long", "[physics]") {
  for (const bool inertia : {true, false})
    for (const double boussinesq : {1., 100.})
      for (const Coupling scheme : {Coupling::midpoint, Coupling::predictor}) {
        if (sanitized && (boussinesq > 1 || scheme != Coupling::midpoint)) continue;
        const double h = 0.25 * um;
        MembraneSetup setup = box_of_water({20, 20, 20}, h);
        setup.fluid.inertia = inertia;
        setup.coupling.scheme = scheme;
        put(setup, viscous(stiff_sphere(362, 6 * h), boussinesq, boussinesq), {10.13 * h, 9.9 * h, 10.37 * h});
        const double bound = StepBounds(setup).at_start().dt;
        INFO("Boussinesq number " << boussinesq << (inertia ? ", inertia" : ", Stokes flow") << (scheme == Coupling::midpoint ? "" : ", predictor"));
        CHECK_FALSE(blows_up(setup, bound, 60));
      }
}

TEST_CASE("Viscous membranes make the same bits for any number of threads") {
  const auto bits = [](int threads) {
    std::vector<double> all;
    run_with_threads(threads, [&] {
      MembraneRun run(sheared(false, true, 1));
      run.advance(0.5 * us, 3);
      all.push_back(run.step.stiffest());
      all.push_back(run.step.work().in_membranes);
      const auto& p = run.step.populations().front();
      for (const double* x : p.at()) all.insert(all.end(), x, x + p.markers());
    });
    return all;
  };
  const std::vector<double> one = bits(1);
  for (const int threads : {2, 3}) CHECK(one == bits(threads));
}

TEST_CASE("A viscous membrane that goes with the stream asks for few iterations, and takes nothing") {
  for (const bool inertia : {true, false}) {
    MembraneSetup setup = box_of_water({16, 16, 16}, um);
    setup.fluid.inertia = inertia;
    setup.drive.keeps_mean = true;
    setup.drive.velocity = {0.05, -0.02, 0.01};
    put_in_the_middle(setup, viscous(stiff_sphere(362, 4 * um), 50));
    MembraneRun run(setup);
    run.advance(1 * us, 10);
    CHECK(run.step.mean_viscous_iterations() < 5); // against round-off, which the last velocity alone would let grow
    CHECK(std::abs(run.step.work().in_membranes) < 1e-20 * 50 * 1e-3 * 4e-6 * 0.05 * 0.05 * 10 * us);
  }
}

} // namespace corral::test
