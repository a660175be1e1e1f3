#include "membrane/step/stable_step.hpp"
#include "tests/catch.hpp"
#include "tests/membrane/step/stiff_cases.hpp"
#include "tests/membrane/step/swing.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using namespace membrane;
using namespace structure;

/// A case, and how far its bound may lie below the limit that is found.
struct StiffCase {
  std::string name;
  MembraneSetup setup;
  double most = 2;
};

double bound_of(const MembraneSetup& setup) { return StepBounds(setup).at_start().dt; }

/// The longest step that does not blow up, over the bound, within 5 %.
double limit_over_bound(const MembraneSetup& setup, std::int64_t steps) {
  const double bound = bound_of(setup);
  double good = 1, bad = 1;
  while (good > 0.05 && blows_up(setup, good * bound, steps)) bad = good, good /= 1.5;
  while (bad < 20 && (bad == good || !blows_up(setup, bad * bound, steps))) good = bad, bad *= 1.5;
  while (bad > 1.05 * good) {
    const double middle = std::sqrt(good * bad);
    (blows_up(setup, middle * bound, steps) ? bad : good) = middle;
  }
  return good;
}

std::vector<StiffCase> typical() {
  const double h = 0.25 * um;
  std::vector<StiffCase> all;
  const auto add = [&](std::string name, MembraneSetup setup, double most = 2) {
    all.push_back({std::move(name), std::move(setup), most});
  };
  const auto bends = [](Material& m) { m.shear_modulus = 0, m.bending_modulus = 2e-19, m.bending_law = BendingLaw::helfrich; };
  const auto capsule = [](Material& m) { m.law = ElasticLaw::neo_hookean; };
  const auto tense = [](Material& m) { m.shear_modulus = 0, m.tension = 2.5e-4; };
  const auto tied = [](Material& m) { m.shear_modulus = 0, m.tether_stiffness = 1e12; };
  const auto tough = [](Material& m) { m.area_ratio = 100; };
  add("red cell, C = 1", in_box(red_cell(1, 0), 2 * h, true), 2.5);
  add("red cell, C = 100, bending", in_box(red_cell(100, 2e-19), 2 * h, true));
  add("capsule", in_box(soft(h, 6, capsule), h, true), 2.5);
  SurfaceModel inflated = soft(h, 6, tough), squeezed = soft(h, 6, capsule);
  inflated.inflation = 1.1, squeezed.inflation = 0.7;
  add("inflated, C = 100", in_box(std::move(inflated), h, true), 4);
  add("squeezed capsule", in_box(std::move(squeezed), h, true), 6);
  add("bending", in_box(soft(h, 6, bends), h, true, 0.5));
  add("tension", in_box(soft(h, 6, tense), h, true));
  add("tethers", in_box(soft(h, 4, tied), h, true));
  add("C = 100, Stokes", in_box(soft(0.5 * h, 6, tough), 0.5 * h, false));
  add("bending, Stokes", in_box(soft(h, 6, bends), h, false, 0.5));
  add("tension, Stokes", in_box(soft(h, 6, tense), h, false, 0.5));
  add("tethers, Stokes", in_box(soft(h, 2, tied), h, false), 4); // images in the periodic box hold one another back
  MembraneSetup predictor = in_box(soft(h, 6, tough), h, true);
  predictor.coupling.scheme = Coupling::predictor;
  add("C = 100, predictor", std::move(predictor));
  MembraneSetup wide = in_box(soft(h, 6, tough), h, true);
  wide.coupling.kernel = "ib6";
  add("C = 100, ib6", std::move(wide));
  add("repulsion", nested(h, true), 4);
  return all;
}

/// What else the bound counts, and shapes, kernels and grids that typical ones lie between.
std::vector<StiffCase> more() {
  std::vector<StiffCase> all;
  const auto add = [&](std::string name, MembraneSetup setup, double most = 2) {
    all.push_back({std::move(name), std::move(setup), most});
  };
  const auto grid = [](double h) { return ", h = " + std::to_string(h / um).substr(0, 5) + " um"; };
  for (const bool inertia : {true, false}) {
    const std::string flow = inertia ? "" : ", Stokes";
    for (const double h : {0.5 * um, 0.125 * um})
      for (const double C : {1.0, 100.0})
        for (const double kappa : {0.0, 2e-19}) {
          const auto law = [&](Material& m) {
            m.area_ratio = C, m.bending_modulus = kappa;
            if (kappa > 0) m.bending_law = BendingLaw::helfrich;
          };
          add("sphere, C = " + std::to_string(C).substr(0, 3) + (kappa > 0 ? ", bending" : "") + grid(h) + flow,
              in_box(soft(h, 6, law), h, inertia), 3);
        }
    const double h = 0.25 * um;
    for (const char* kernel : {"nearest", "linear", "roma3", "peskin4", "bspline6"}) {
      MembraneSetup setup = in_box(soft(h, 6, [](Material& m) { m.area_ratio = 100; }), h, inertia);
      setup.coupling.kernel = kernel;
      add("C = 100, " + std::string(kernel) + flow, std::move(setup), kernel == std::string("nearest") ? 4 : 2);
    }
    for (const double apart : {0.4, 1.2})
      add("C = 100, vertices " + std::to_string(apart).substr(0, 3) + " h apart" + flow,
          in_box(soft(h, 6, [](Material& m) { m.area_ratio = 100; }), h, inertia, apart));
    SurfaceModel cell = red_cell(1, 0);
    cell.material.area_stiffness = 5e-4;
    add("red cell, whole area" + flow, in_box(cell, 2 * h, inertia));
    cell.material.area_stiffness = 0, cell.material.volume_stiffness = 1e6;
    add("red cell, volume" + flow, in_box(cell, 2 * h, inertia), inertia ? 12 : 30); // composite43 keeps it by itself
    add("red cell, C = 100, radial" + flow,
        in_box(by_radial_functions(red_cell(100, 0), 400, 2000), 2 * h, inertia));
    add("repulsion" + flow, nested(h, inertia), 4);
  }
  return all;
}

/// Another viscosity inside, in Stokes flow, where viscosity is what counts.
std::vector<StiffCase> with_ratios() {
  const double h = 0.25 * um;
  std::vector<StiffCase> all;
  const auto bends = [](Material& m) { m.shear_modulus = 0, m.bending_modulus = 2e-19, m.bending_law = BendingLaw::helfrich; };
  const auto tough = [](Material& m) { m.area_ratio = 100; };
  const auto tied = [](Material& m) { m.shear_modulus = 0, m.tether_stiffness = 1e12; };
  for (const double ratio : {0.2, 5., 20.}) {
    const auto add = [&](const char* name, const std::function<void(Material&)>& material, double most) {
      SurfaceModel kind = soft(h, 6, material);
      kind.viscosity_ratio = ratio;
      for (const char* kernel : {"composite43", "linear"}) {
        MembraneSetup setup = in_box(kind, h, false);
        setup.coupling.kernel = kernel;
        all.push_back({std::string(name) + ", " + kernel + ", ratio " + std::to_string(ratio).substr(0, 4), std::move(setup), most});
      }
    };
    add("C = 100", tough, 4);
    add("bending", bends, 5);
    add("tethers", tied, 12); // across the box they hold one another back
  }
  return all;
}

/// Viscous membranes, whose own viscosity shortens no step. `most` is 20, where the search ends.
std::vector<StiffCase> with_viscous_membranes() {
  const double h = 0.25 * um;
  std::vector<StiffCase> all;
  const auto tough = [](Material& m) { m.area_ratio = 100; };
  const auto bends = [](Material& m) { m.shear_modulus = 0, m.bending_modulus = 2e-19, m.bending_law = BendingLaw::helfrich; };
  for (const bool inertia : {false, true}) {
    const auto add = [&](const char* name, const std::function<void(Material&)>& material, double boussinesq, Coupling scheme) {
      SurfaceModel kind = soft(h, 6, material);
      kind.material.shear_viscosity = kind.material.dilatation_viscosity = boussinesq * 1e-3 * kind.radius;
      MembraneSetup setup = in_box(std::move(kind), h, inertia);
      setup.coupling.scheme = scheme;
      all.push_back({std::string(name) + ", Boussinesq number " + std::to_string(boussinesq).substr(0, 3) +
                         (scheme == Coupling::midpoint ? "" : ", predictor") + (inertia ? "" : ", Stokes"),
                     std::move(setup), 20});
    };
    for (const double boussinesq : {0., 1., 10.}) add("C = 100", tough, boussinesq, Coupling::midpoint);
    add("C = 100", tough, 1, Coupling::predictor);
    add("bending", bends, 10, Coupling::midpoint);
  }
  return all;
}

/// Those of typical ones that begin at rest, and what the fluid no longer keeps by itself. Others move too fast for a lattice
/// in steps as long as these.
std::vector<StiffCase> on_lattices() {
  const double h = 0.25 * um;
  std::vector<StiffCase> all;
  const auto add = [&](std::string name, MembraneSetup setup) {
    on_lattice(setup, bound_of(setup));
    all.push_back({std::move(name) + ", lattice", std::move(setup), 1.7});
  };
  const auto bends = [](Material& m) { m.shear_modulus = 0, m.bending_modulus = 2e-19, m.bending_law = BendingLaw::helfrich; };
  SurfaceModel cell = red_cell(1, 0);
  add("red cell, C = 1", in_box(cell, 2 * h, true));
  add("red cell, C = 100, bending", in_box(red_cell(100, 2e-19), 2 * h, true));
  add("bending", in_box(soft(h, 6, bends), h, true, 0.5));
  add("capsule", in_box(soft(h, 6, [](Material& m) { m.law = ElasticLaw::neo_hookean; }), h, true));
  add("tethers", in_box(soft(h, 4, [](Material& m) { m.shear_modulus = 0, m.tether_stiffness = 1e12; }), h, true));
  MembraneSetup wide = in_box(soft(h, 6, [](Material& m) { m.area_ratio = 100; }), h, true);
  wide.coupling.kernel = "ib6";
  add("C = 100, ib6", std::move(wide));
  cell.material.area_stiffness = 5e-4;
  add("red cell, whole area", in_box(cell, 2 * h, true));
  cell.material.area_stiffness = 0, cell.material.volume_stiffness = 1e6;
  add("red cell, volume", in_box(cell, 2 * h, true));
  return all;
}

void bisect(const std::vector<StiffCase>& all) {
  std::printf("bound [us]  limit/bound\n");
  for (const StiffCase& c : all) {
    const double ratio = limit_over_bound(c.setup, 120);
    std::printf("%10.4g  %5.2f  %s (%s)\n", bound_of(c.setup) / us, ratio, c.name.c_str(),
                StepBounds(c.setup).at_start().cause.c_str());
    std::fflush(stdout);
    INFO(c.name);
    CHECK(ratio >= 1);
    CHECK(ratio <= c.most);
  }
}

} // namespace

TEST_CASE("A step as long as the bound is stable, and one of a few times its length is not", "[physics]") {
  std::vector<StiffCase> cases = typical();
  if (sanitized) cases.erase(cases.begin() + 3, cases.end());
  for (const StiffCase& c : cases) {
    INFO(c.name << ": " << bound_of(c.setup) / us << " us, " << StepBounds(c.setup).at_start().cause);
    CHECK_FALSE(blows_up(c.setup, bound_of(c.setup), 80));
    CHECK(blows_up(c.setup, c.most * bound_of(c.setup), 80));
  }
}

TEST_CASE("So it is on a lattice, which keeps no volumes within a step", "[physics]") {
  std::vector<StiffCase> cases = on_lattices();
  if (sanitized) cases.erase(cases.begin() + 1, cases.end());
  for (const StiffCase& c : cases) {
    INFO(c.name << ": " << bound_of(c.setup) / us << " us, " << StepBounds(c.setup).at_start().cause);
    CHECK_FALSE(blows_up(c.setup, bound_of(c.setup), 80));
    CHECK(blows_up(c.setup, c.most * bound_of(c.setup), 80));
  }
}

TEST_CASE("limits of steps by bisection", "[.][long]") {
  std::vector<StiffCase> all = typical(), rest = more();
  all.insert(all.end(), rest.begin(), rest.end());
  bisect(all);
}

TEST_CASE("limits of steps on a lattice", "[.][long]") { bisect(on_lattices()); }

TEST_CASE("limits of steps with two viscosities", "[.][long]") { bisect(with_ratios()); }

TEST_CASE("limits of steps with viscous membranes", "[.][long]") { bisect(with_viscous_membranes()); }

TEST_CASE("How far a case says that membranes are deformed at the start is how far they are") {
  for (const auto& [radial, inflation] : {std::pair{false, 1.05}, {true, 1.05}, {false, 0.95}, {true, 0.95}}) {
    SurfaceModel kind = stiff_sphere(radial ? 400 : 1962, 2 * um);
    kind.stretch = {1.2, 1, 0.9};
    kind.inflation = inflation;
    MembraneSetup setup = box_of_water({16, 16, 16}, 0.5 * um);
    put_in_the_middle(setup, radial ? by_radial_functions(kind, 400, 2000) : kind);
    const MembraneRun run(setup);
    const Deformation found = run.step.deformations()[0];
    CHECK(found.stretch == Approx(inflation * 1.2).epsilon(0.01));
    CHECK(found.largest_area == Approx(inflation * inflation * 1.2).epsilon(0.01));
    CHECK(found.least_area == Approx(inflation * inflation * 0.9).epsilon(0.01));
    const StepBounds bounds(run.setup);
    CHECK(bounds.at(run.step.deformations()).dt == Approx(bounds.at_start().dt).epsilon(0.05));
    CHECK(bounds.at(std::vector<Deformation>(1)).dt > 1.1 * bounds.at_start().dt);
  }
}

TEST_CASE("Tension of an elastic law acts across, where what bends bounds the step") {
  SurfaceModel kind = soft(0.25 * um, 6, [](Material& m) {
    m.law = ElasticLaw::neo_hookean; // its modulus does not grow
    m.bending_law = BendingLaw::helfrich;
    m.bending_modulus = 5e-18;
  });
  const MembraneSetup setup = in_box(kind, 0.25 * um, false);
  const StepBounds bounds(setup);
  const auto rate = [&](double area) { return 1 / bounds.at(std::vector<Deformation>{{.largest_area = area}}).dt; };
  CHECK(bounds.at_start().cause.find("bending") != std::string::npos);
  const double infinite = rate(1e6), grown = rate(1.5); // G (1 - 1/J^3)
  CHECK(infinite > 1.001 * rate(1));
  CHECK((grown - rate(1)) / (infinite - rate(1)) == Approx(1 - 1 / (1.5 * 1.5 * 1.5)).epsilon(1e-6));
}

TEST_CASE("Skalak's law stiffens where it stretches, and the bound with it") {
  MembraneSetup setup = in_box(red_cell(1, 0), 0.5 * um, true);
  const StepBounds bounds(setup);
  const auto at = [&](double stretch) { return bounds.at(std::vector<Deformation>{{.stretch = stretch}}).dt; };
  CHECK(at(1) == bounds.at_start().dt);
  CHECK(at(0.5) == at(1));
  // The modulus is G (2 + 2 C) at rest, and G (s (3 s - 1) + 2 C), s = 1.5^2, there.
  CHECK(at(1) / at(1.5) == Approx(std::sqrt((2.25 * 5.75 + 2) / 4)));
  setup.surfaces[0].stretch = {1, 1, 1.5}; // by which areas grow, too: C G (3 J^3 - J) for 2 C G
  CHECK(at(1) / StepBounds(setup).at_start().dt == Approx(std::sqrt((2.25 * 5.75 + 3 * 3.375 - 1.5) / 4)));
  setup.surfaces[0].material.law = ElasticLaw::neo_hookean;
  CHECK(StepBounds(setup).at_start().dt == Approx(at(1)));
}

TEST_CASE("Steps keep no more memory once a run is under way") {
  for (const bool radial : {false, true})
    run_with_threads(1, [&] { // a further thread that comes to work brings memory of its own
      MembraneSetup setup = box_of_water({16, 16, 16}, um, true);
      shear(setup, 100);
      const SurfaceModel sphere = stiff_sphere(162, 3 * um);
      put_in_the_middle(setup, radial ? by_radial_functions(sphere, 100, 301) : sphere);
      MembraneRun run(setup);
      run.advance(0.1 * us, 3);
      const MemoryUse before = memory_use(Memory::host);
      CHECK(before.held > run.registry.bytes());
      run.advance(0.1 * us, 5);
      CHECK(memory_use(Memory::host).held == before.held);
    });
}

} // namespace corral::test
