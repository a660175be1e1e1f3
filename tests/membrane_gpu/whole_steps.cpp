#include "tests/membrane_gpu/beside.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

/// Whole steps of membranes in a lattice fluid, on the CPU and on a device.
namespace corral::test {
namespace {

using membrane::MembraneSetup;
using structure::SurfaceModel;

void check_run(MembraneSetup setup, double after_many = 1e-11, std::int64_t steps = 6) {
  on_lattice(setup, 2e-8);
  check_steps(setup, 1e-13, after_many, steps);
}

} // namespace

TEST_CASE("Steps of a sphere in a sheared box are the same on both processors") {
  for (const bool walls : {true, false}) {
    MembraneSetup setup = sheared(walls);
    put_in_the_middle(setup, stiff_sphere(162, 4 * um));
    check_run(setup);
  }
}

TEST_CASE("and of surfaces that repel each other and walls") {
  MembraneSetup setup = two_spheres(true);
  setup.groups[1].position[1] = 3.5 * um;
  check_run(setup);
  check_run(two_spheres(false));
}

TEST_CASE("and of each bending law, with constraints") {
  for (const auto law : {structure::BendingLaw::dihedral, structure::BendingLaw::helfrich}) {
    MembraneSetup setup = sheared(true);
    SurfaceModel kind = stiff_sphere(162, 4 * um);
    kind.material.bending_law = law;
    kind.material.bending_modulus = 2e-19;
    kind.material.volume_stiffness = 1e2;
    kind.material.area_stiffness = 1e-4;
    put_in_the_middle(setup, kind);
    check_run(setup);
  }
}

TEST_CASE("and of vortices, where a force acts on a box that keeps its mean flow") {
  MembraneSetup setup = sheared(false, 0);
  setup.drive.vortices = 0.02;
  setup.drive.body_force = {1e6, 2e6, 0};
  setup.drive.keeps_mean = true;
  put_in_the_middle(setup, stiff_sphere(162, 4 * um));
  check_run(setup);
}

TEST_CASE("and of what is pulled at, tied, or viscous itself") {
  MembraneSetup pulled = sheared(false, 0);
  put_in_the_middle(pulled, stiff_sphere(162, 4 * um));
  pulled.pulls.push_back({.name = "tweezers", .group = 0, .axis = 0, .force = 1e-10, .share = 0.05, .ramp = 1e-7});
  pulled.pulls.push_back({.name = "others", .group = 0, .axis = 0, .force = 3e-10, .share = 0.1, .ramp = 0});
  pulled.pulls.push_back({.name = "across", .group = 0, .axis = 1, .force = 2e-10, .share = 0.5, .ramp = 0});
  check_run(pulled);
  MembraneSetup tied = sheared(true);
  SurfaceModel kind = stiff_sphere(162, 4 * um);
  kind.material.tether_stiffness = 1e8;
  put_in_the_middle(tied, kind).path = {{1e-6, {0.5 * um, 0, 0}}};
  check_run(tied);
  MembraneSetup viscous = sheared(true);
  kind = stiff_sphere(162, 4 * um);
  kind.material.shear_viscosity = kind.material.dilatation_viscosity = 3e-7;
  put_in_the_middle(viscous, kind);
  check_run(viscous, 1e-7, 2);
}

TEST_CASE("A membrane that crosses a periodic side comes in at the other one on both processors") {
  MembraneSetup setup = sheared(true, 0);
  put(setup, stiff_sphere(162, 4 * um), {15.99 * um, 8 * um, 8 * um});
  setup.drive.body_force[0] = 1e7;
  on_lattice(setup, 2e-8);
  [[maybe_unused]] const PaddingHoldsAnything padding;
  CaseRun<Cpu> here(setup);
  CaseRun<Gpu> there(setup);
  here.advance(40), there.advance(40);
  CHECK(here.step.measures()[0].centroid[0] < 8 * um);
  check_same(here, there, 1e-10);
}

TEST_CASE("In the step after that its stresslet is about its new centre, though a wall pushes it") {
  MembraneSetup setup = sheared(true, 0);
  put(setup, stiff_sphere(162, 3 * um), {15.99 * um, 3.5 * um, 8 * um});
  setup.drive.body_force[0] = 1e7;
  setup.coupling.repulsion_range = 0.8 * um;
  setup.coupling.repulsion_stiffness = 1e-4;
  on_lattice(setup, 2e-8);
  [[maybe_unused]] const PaddingHoldsAnything padding;
  CaseRun<Cpu> here(setup);
  CaseRun<Gpu> there(setup);
  const auto at_the_end = [&] { return here.step.measures()[0].centroid[0] > 8 * um; };
  for (int s = 0; s < 60 && at_the_end(); ++s) here.advance(1), there.advance(1);
  REQUIRE(!at_the_end());
  here.advance(1), there.advance(1);
  CHECK(here.step.net_force()[1] > 0);
  check_same(here, there, 1e-10);
}

TEST_CASE("A membrane that has left the box is told of alike by both processors") {
  MembraneSetup setup = sheared(true, 0);
  put(setup, stiff_sphere(162, 4 * um), {8 * um, 4.5 * um, 8 * um});
  on_lattice(setup, 2e-8);
  [[maybe_unused]] const PaddingHoldsAnything padding;
  const auto complaint = [&]<Execution E>(E) {
    CaseRun<E> run(setup);
    run.step.populations().front().shift(E{}, run.step.populations().front().kinds().front(), 0, {0, -um, 0});
    try {
      run.advance(1);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string here = complaint(Cpu{});
  CHECK(here.starts_with("membrane 0 has left the box"));
  CHECK(complaint(Gpu{}) == here);
}

TEST_CASE("Figures, tables and columns of membranes are found on a device as on the CPU") {
  MembraneSetup setup = two_spheres(true);
  on_lattice(setup, 2e-8);
  check_figures(setup);
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("Steps of membranes have the same bits in any order of threads and blocks") {
  MembraneSetup setup = two_spheres(true);
  on_lattice(setup, 2e-8);
  check_orders(setup);
}
#endif

} // namespace corral::test
