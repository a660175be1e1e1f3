#include "tests/membrane_gpu/beside.hpp"

/// Whole steps of surfaces by radial functions, on the CPU and on a device.
namespace corral::test {
namespace {

using membrane::MembraneSetup;
using structure::SurfaceModel;

/// An odd number of sites, whose middle one is its own partner, and an even one.
SurfaceModel radial_sphere(bool odd = true) {
  SurfaceModel kind = by_radial_functions(stiff_sphere(162, 4 * um), odd ? 101 : 100, odd ? 403 : 402);
  kind.stretch = {1.1, 0.95, 1};
  return kind;
}

SurfaceModel with_all(SurfaceModel kind, structure::RadialForces rule) {
  kind.forces = rule;
  kind.material.bending_law = structure::BendingLaw::helfrich;
  kind.material.bending_modulus = 2e-19;
  kind.material.volume_stiffness = 1e2;
  kind.material.area_stiffness = 1e-4;
  kind.stretch = {1.1, 0.95, 1};
  return kind;
}

MembraneSetup in_stokes_flow(MembraneSetup setup) {
  setup.fluid.inertia = false;
  setup.time.dt = 1e-6;
  return setup;
}

/// Fourth derivatives of what interpolates a hundred sites make round-off so much of a force.
void check_run(const MembraneSetup& setup) { check_steps(setup, 1e-9, 1e-8, 3); }

} // namespace

TEST_CASE("Steps of a radial sphere in shear are the same on both processors") {
  for (const bool odd : {true, false}) {
    MembraneSetup setup = sheared(odd);
    put_in_the_middle(setup, radial_sphere(odd));
    check_run(in_stokes_flow(setup));
  }
  MembraneSetup lattice = sheared(true);
  put_in_the_middle(lattice, radial_sphere());
  on_lattice(lattice, 2e-8);
  check_run(lattice);
}

TEST_CASE("and by either rule of forces, with bending and constraints") {
  for (const auto rule : {structure::RadialForces::collocated, structure::RadialForces::variational})
    for (const auto law : {structure::ElasticLaw::skalak, structure::ElasticLaw::neo_hookean}) {
      MembraneSetup setup = sheared(true);
      SurfaceModel kind = with_all(radial_sphere(law == structure::ElasticLaw::skalak), rule);
      kind.material.law = law;
      put_in_the_middle(setup, kind);
      check_run(in_stokes_flow(setup));
    }
}

TEST_CASE("and of several that are tied, beside one of triangles") {
  MembraneSetup setup = sheared(false, 0);
  SurfaceModel kind = with_all(by_radial_functions(stiff_sphere(162, 2 * um), 90, 361), structure::RadialForces::variational);
  kind.material.tether_stiffness = 1e8;
  put(setup, kind, {3 * um, 3 * um, 3 * um}).path = {{1e-5, {0.5 * um, 0, 0}}};
  kind.forces = structure::RadialForces::collocated;
  put(setup, kind, {11 * um, 4 * um, 3 * um}).path = {{1e-5, {0, 0.5 * um, 0}}};
  put(setup, stiff_sphere(162, 3 * um), {8 * um, 10 * um, 11 * um});
  check_run(in_stokes_flow(setup));
}

TEST_CASE("Figures, tables and columns of radial surfaces are found on a device as on the CPU") {
  MembraneSetup setup = sheared(true);
  put_in_the_middle(setup, with_all(radial_sphere(), structure::RadialForces::collocated)).axis = {1, 2, 3}; // no stress is 0 by symmetry
  check_figures(in_stokes_flow(setup));
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("Steps of radial surfaces have the same bits in any order of threads and blocks") {
  MembraneSetup setup = sheared(true);
  put_in_the_middle(setup, with_all(radial_sphere(), structure::RadialForces::variational));
  check_orders(in_stokes_flow(setup));
}
#endif

} // namespace corral::test
