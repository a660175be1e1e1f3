#include "tests/membrane_gpu/beside.hpp"

/// Whole steps of membranes in the incompressible fluid, on the CPU and on a device.
namespace corral::test {
namespace {

using membrane::MembraneSetup;
using structure::SurfaceModel;

/// Stokes flow in steps of a microsecond, or with inertia in shorter ones.
MembraneSetup incompressible(MembraneSetup setup, bool inertia) {
  setup.fluid.inertia = inertia;
  setup.time.dt = inertia ? 2e-8 : 1e-6;
  return setup;
}

void check_both(const MembraneSetup& setup, double at_first = 1e-12, double after_many = 1e-10) {
  for (const bool inertia : {false, true}) check_steps(incompressible(setup, inertia), at_first, after_many, 3);
}

} // namespace

TEST_CASE("Steps of a sphere in incompressible shear are the same on both processors") {
  for (const bool walls : {true, false}) {
    MembraneSetup setup = sheared(walls);
    put_in_the_middle(setup, stiff_sphere(162, 4 * um));
    check_both(setup);
  }
}

TEST_CASE("and of surfaces in an incompressible fluid that repel each other and walls", "[physics]") {
  MembraneSetup setup = two_spheres(true);
  setup.groups[1].position[1] = 3.5 * um;
  check_both(setup);
  check_both(two_spheres(false));
}

TEST_CASE("and where a force drives them, and the mean flow is given or kept", "[physics]") {
  MembraneSetup setup = sheared(false, 0);
  setup.drive.vortices = 0.02;
  setup.drive.velocity = {0.01, 0, -0.02};
  setup.drive.body_force = {1e6, 2e6, 0};
  put_in_the_middle(setup, stiff_sphere(162, 4 * um));
  for (const bool kept : {true, false}) {
    setup.drive.keeps_mean = kept;
    check_both(setup);
  }
  MembraneSetup channel = sheared(true, 0);
  channel.drive.body_force = {1e5, 0, 2e4};
  put_in_the_middle(channel, stiff_sphere(162, 4 * um));
  check_both(channel);
}

TEST_CASE("and of what an incompressible fluid has that is viscous itself", "[physics]") {
  for (const bool walls : {true, false}) { // with inertia, and in Stokes flow
    MembraneSetup viscous = sheared(walls);
    SurfaceModel kind = stiff_sphere(162, 4 * um);
    kind.material.shear_viscosity = kind.material.dilatation_viscosity = 3e-7;
    put_in_the_middle(viscous, kind);
    check_steps(incompressible(viscous, walls), 1e-7, 1e-6, 1); // iterations end where they may
  }
}

TEST_CASE("and of those that enclose a fluid of another viscosity", "[physics]") {
  for (const bool walls : {true, false}) { // with inertia, and in Stokes flow
    MembraneSetup setup = two_spheres(walls);
    setup.surfaces[0].viscosity_ratio = 5;
    setup.surfaces[1].viscosity_ratio = 0.3;
    check_steps(incompressible(setup, walls), 1e-6, 1e-5, 2); // iterations end where they may
  }
}

TEST_CASE("and by the paper's scheme, with another kernel, in a box that is no cube") {
  MembraneSetup setup = box_of_water({16, 18, 15}, um, true);
  shear(setup, 500);
  setup.coupling.scheme = membrane::Coupling::predictor;
  setup.coupling.kernel = "peskin4";
  put_in_the_middle(setup, stiff_sphere(162, 4 * um));
  check_both(setup);
}

TEST_CASE("Figures, tables and columns of membranes in an incompressible fluid are found on a device as on the CPU") {
  for (const bool walls : {true, false}) check_figures(incompressible(two_spheres(walls), walls));
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("Steps of membranes in an incompressible fluid have the same bits in any order of threads and blocks") {
  check_orders(incompressible(two_spheres(true), true));
  check_orders(incompressible(two_spheres(false), false));
}
#endif

} // namespace corral::test
