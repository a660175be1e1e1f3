#include "tests/catch.hpp"
#include "tests/membrane/step/membrane_run.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using namespace membrane;
using namespace structure;

/// Where energy comes from and goes to in a run [J].
struct Books {
  double kinetic, elastic, bending, constraint, tethers, repulsion; ///< now less at the start
  double done, dissipated, in_membranes, residual;
};

struct Energies {
  double kinetic = 0, elastic = 0, bending = 0, constraint = 0, tethers = 0, repulsion = 0;
  explicit Energies(const MembraneRun& run)
      : kinetic(run.step.fluid().kinetic_energy()), repulsion(run.step.repulsion_energy()) {
    for (const MembraneMeasures& m : run.step.measures()) {
      elastic += m.elastic_energy, bending += m.bending_energy;
      constraint += m.constraint_energy, tethers += m.tether_energy;
    }
  }
};

constexpr double duration = 25.6 * us;

Books books_of(const MembraneSetup& setup, double dt) {
  MembraneRun run(setup);
  const Energies before(run);
  run.advance(dt, std::llround(duration / dt));
  const Energies now(run);
  return {now.kinetic - before.kinetic,       now.elastic - before.elastic, now.bending - before.bending,
          now.constraint - before.constraint, now.tethers - before.tethers, now.repulsion - before.repulsion,
          run.step.work().done,               run.step.work().dissipated,   run.step.work().in_membranes,
          run.residual()};
}

/// A run with all that its drive puts into the books.
struct Drive {
  std::string name;
  MembraneSetup setup;
  std::vector<double Books::*> terms;
  double order = 2; ///< in the step, of what the books miss
};

std::vector<Drive> drives() {
  std::vector<Drive> all;
  const auto box = [](bool walls) { return box_of_water({16, 16, 16}, um, walls); };
  SurfaceModel cell = stiff_sphere(642);
  cell.material.bending_law = BendingLaw::helfrich;
  cell.material.bending_modulus = 2e-18;

  MembraneSetup relaxation = box(false);
  SurfaceModel stretched = cell;
  stretched.stretch = {1, 1 / 1.1, 1.1};
  stretched.material.area_stiffness = 1e-3;
  put_in_the_middle(relaxation, stretched);
  all.push_back({"relaxation",
                 relaxation,
                 {&Books::kinetic, &Books::elastic, &Books::bending, &Books::constraint, &Books::dissipated}});

  for (const bool walls : {false, true}) {
    MembraneSetup sheared = box(walls);
    shear(sheared, 3000);
    put_in_the_middle(sheared, cell);
    all.push_back({walls ? "shear between walls" : "shear in a periodic box",
                   sheared,
                   {&Books::kinetic, &Books::elastic, &Books::done, &Books::dissipated}});
  }

  for (const bool inertia : {true, false}) {
    MembraneSetup thick = box(inertia);
    thick.fluid.inertia = inertia;
    SurfaceModel five = cell;
    five.viscosity_ratio = 5;
    five.stretch = {1, 1 / 1.1, 1.1};
    shear(thick, 3000);
    put_in_the_middle(thick, five);
    all.push_back({inertia ? "five times the viscosity inside" : "five times the viscosity inside, Stokes",
                   thick,
                   {&Books::elastic, &Books::done, &Books::dissipated}});
  }

  for (const bool inertia : {true, false}) {
    MembraneSetup sheared = box(false);
    sheared.fluid.inertia = inertia;
    SurfaceModel viscous = cell;
    viscous.material.shear_viscosity = 2e-8, viscous.material.dilatation_viscosity = 1e-8; // 5 and 2.5 times mu a
    viscous.stretch = {1, 1 / 1.1, 1.1};
    shear(sheared, 3000);
    put_in_the_middle(sheared, viscous);
    all.push_back({inertia ? "viscous membrane" : "viscous membrane, Stokes",
                   sheared,
                   {&Books::elastic, &Books::done, &Books::dissipated, &Books::in_membranes}});
  }

  MembraneSetup pulled = box(false);
  put_in_the_middle(pulled, cell);
  pulled.pulls.push_back({.name = "tips", .group = 0, .axis = 0, .force = 500e-12, .share = 0.05, .ramp = 10 * us});
  all.push_back({"pull", pulled, {&Books::elastic, &Books::done, &Books::dissipated}});

  MembraneSetup falling = box(true);
  falling.drive.developed = false;
  falling.drive.body_force = {1e6, 0, 0};
  put_in_the_middle(falling, cell);
  all.push_back({"body force between walls", falling, {&Books::kinetic, &Books::elastic, &Books::done, &Books::dissipated}});

  SurfaceModel tied = stiff_sphere(642);
  tied.material.law = ElasticLaw::none, tied.material.shear_modulus = 0;
  tied.material.tether_stiffness = 1e8;
  for (const bool inertia : {true, false}) {
    MembraneSetup held = box(false);
    held.fluid.inertia = inertia;
    held.drive.keeps_mean = true;
    held.drive.velocity = {0.02, 0, 0};
    put_in_the_middle(held, tied);
    all.push_back({inertia ? "tethers in a mean flow" : "tethers in a mean flow, Stokes",
                   held,
                   {&Books::tethers, &Books::done, &Books::dissipated}});
  }

  MembraneSetup dragged = box(false);
  put_in_the_middle(dragged, tied).path = {{0, {0, 0, 0}}, {duration, {1 * um, 0, 0}}};
  all.push_back({"moving anchors", dragged, {&Books::kinetic, &Books::tethers, &Books::done, &Books::dissipated}});

  MembraneSetup apart = box(false); // what repels is known midway in a step alone
  put_in_the_middle(apart, stiff_sphere(642));
  put_in_the_middle(apart, stiff_sphere(642, 3 * um));
  apart.coupling.repulsion_range = 1.2 * um;
  apart.coupling.repulsion_stiffness = 1e-5;
  all.push_back({"repulsion", apart, {&Books::repulsion, &Books::elastic, &Books::dissipated}, 1});
  return all;
}

} // namespace

TEST_CASE("What the books of energy miss falls by the second power of the step, whatever drives, and each term counts", "[physics]") {
  for (const Drive& drive : drives()) {
    const Books coarse = books_of(drive.setup, 0.8 * us), fine = books_of(drive.setup, 0.4 * us);
    INFO(drive.name << ": done " << fine.done << " J, dissipated " << fine.dissipated << " J, missing " << fine.residual
                    << " J");
    CHECK(std::log2(std::abs(coarse.residual / fine.residual)) == Approx(drive.order).margin(0.2));
    CHECK(std::abs(fine.residual) < 0.01 * fine.dissipated);
    // Without one of them the balance would be off by that, at any step.
    for (const auto term : drive.terms) CHECK(std::abs(fine.*term) > 20 * std::abs(fine.residual));
    const double grown = fine.kinetic + fine.elastic + fine.bending + fine.constraint + fine.tethers + fine.repulsion;
    CHECK(std::abs(grown - fine.done + fine.dissipated + fine.in_membranes - fine.residual) < 0.01 * std::abs(fine.residual));
  }
}

TEST_CASE("Nothing of the energy is missing before the first step, repulsion included") {
  for (const Drive& drive : drives()) {
    const MembraneRun run(drive.setup);
    CHECK(run.residual() == 0);
    CHECK((run.step.repulsion_energy() > 0) == (drive.name == "repulsion"));
  }
}

} // namespace corral::test
