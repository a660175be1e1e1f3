#include "tests/catch.hpp"
#include "tests/membrane_gpu/case_run.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/run_gpu/counts_of_phases.hpp"

#include <cstdint>
#include <memory>
#include <vector>

/// What a step of membranes asks of the device beside its work: launches, waits, memory. docs/gpu_runs.md has the same numbers.
namespace corral::test {
namespace {

/// Two surfaces with bending by curvature that repel each other.
membrane::MembraneSetup two_surfaces(bool walls) {
  membrane::MembraneSetup setup = sheared(walls);
  put_in_the_middle(setup, stiff_sphere(162, 4 * um)).position[0] = 4 * um;
  put(setup, stiff_sphere(162, 4 * um), {12 * um, 8 * um, 8 * um});
  for (structure::SurfaceModel& surface : setup.surfaces) {
    surface.material.bending_law = structure::BendingLaw::helfrich;
    surface.material.bending_modulus = 2e-19;
  }
  setup.coupling.repulsion_range = 0.5 * um;
  setup.coupling.repulsion_stiffness = 1e-5;
  return setup;
}

/// Of the third step.
void check_asked(const membrane::MembraneSetup& setup, const std::vector<MostOfPhase>& most) {
  const PaddingHoldsAnything padding;
  CaseRun<Gpu> run(setup);
  run.advance(2);
  const std::int64_t held = memory_use(Memory::device).held;
  std::vector<CountsOfPhases::Of> counts;
  run.phases.time_by(std::make_unique<CountsOfPhases>(counts));
  run.advance(1);
  CHECK(memory_use(Memory::device).held == held);
  check_phases(run.phases, counts, most);
}

} // namespace

TEST_CASE("A step of membranes asks for as many launches and waits as the manual says, and for no memory but the first times") {
  membrane::MembraneSetup setup = two_surfaces(true);
  on_lattice(setup, 2e-8);
  check_asked(setup, {{"sort", 6, 2}, {"interpolate", 21, 0}, {"move", 6, 0}, {"forces", 10, 0}, {"repulsion", 5, 2},
                      {"spread", 23, 5}, {"fluid", 4, 1}, {"books", 12, 6}, {"measure", 10, 2}});
}

TEST_CASE("and of an incompressible fluid, as many transforms") {
  for (const bool walls : {true, false})
    for (const bool inertia : {true, false}) {
      membrane::MembraneSetup setup = two_surfaces(walls);
      setup.fluid.inertia = inertia;
      setup.time.dt = 2e-8;
      INFO((walls ? "walls, " : "wrapping, ") << (inertia ? "inertia" : "Stokes flow"));
      const std::uint64_t halves = inertia ? 2 : 1;
      const MostOfPhase books = walls ? MostOfPhase{"books", 3, 1} : inertia ? MostOfPhase{"books", 4, 2} : MostOfPhase{"books", 12, 4};
      check_asked(setup, {{"sort", 6, 2}, {"interpolate", 34, 0}, {"move", 6, 0}, {"forces", 10, 0}, {"repulsion", 5, 2},
                          {"spread", 33, 5}, {"fluid", 11, 1, 6 * halves + 1}, books, {"measure", 10, 2}});
    }
}

TEST_CASE("and of radial surfaces, as many products") {
  for (const auto rule : {structure::RadialForces::collocated, structure::RadialForces::variational}) {
    membrane::MembraneSetup setup = sheared(true);
    setup.fluid.inertia = false;
    setup.time.dt = 2e-8;
    for (const double x : {4 * um, 12 * um}) {
      structure::SurfaceModel kind = by_radial_functions(stiff_sphere(162, 3 * um), 80, 322);
      kind.forces = rule;
      kind.material.bending_law = structure::BendingLaw::helfrich;
      kind.material.bending_modulus = 2e-19;
      kind.material.volume_stiffness = 100;
      put(setup, kind, {x, 8 * um, 8 * um});
    }
    const bool variational = rule == structure::RadialForces::variational;
    INFO((variational ? "variational" : "collocated"));
    check_asked(setup, {{"sort", 9, 3}, {"interpolate", 28, 0}, {"move", 6, 0}, {"forces", 30, 0, 0, variational ? 60u : 48u},
                        {"spread", 33, 5}, {"fluid", 8, 1, 7}, {"books", 3, 1}, {"measure", 14, 2, 0, 24}});
  }
}

} // namespace corral::test
