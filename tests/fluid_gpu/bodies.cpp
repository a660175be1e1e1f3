#include "body/step/step.hpp"
#include "structure/fluids/make_fluid.hpp"
#include "tests/catch.hpp"

#include <cuda_on_host/configuration.hpp>

#include <cstdint>
#include <vector>

/// Steps of a ball that is held in a fluid on a device: what they ask of it. tests/cases compares whole runs.
namespace corral::test {
namespace {

body::BodySetup held_ball(bool keeps_mean, double slip) {
  body::BodySetup s;
  s.cells = {12, 12, 12};
  s.size = {12, 12, 12};
  s.sides.fill(fluid::SideKind::periodic);
  s.fluid = {.method = structure::FluidMethod::lattice, .rho = 1, .mu = 1};
  s.fluid.lattice.processor = fluid::lattice::Processor::device;
  s.drive.developed = false;
  s.drive.velocity = {1e-3, 0, 0};
  s.drive.keeps_mean = keeps_mean;
  s.time.dt = 1. / 6;
  s.forcing.slip = slip;
  s.forcing.passes = slip > 0 ? 3 : 1;
  s.kinds = {{.name = "ball", .kind = structure::BodyKind::sphere, .radius = 3}};
  s.kinds[0].spacing = 1;
  s.groups.resize(1);
  s.places.push_back({{geometry::Rotation(), {6, 6, 6}}});
  return s;
}

/// Of the third step, in which fixed bodies' parts of rows are known.
std::uint64_t launches_of_a_step(const body::BodySetup& setup) {
  fluid::Domain domain = setup.make_domain();
  run::Registry registry(domain.grid());
  run::Phases phases;
  body::BodyStep<Cpu> step(Cpu{}, setup, domain, structure::make_fluid(Cpu{}, setup, setup.time.dt, domain, registry), registry, phases);
  step.start();
  std::uint64_t before = 0;
  for (int i = 0; i < 3; ++i) {
    cuda_on_host::finish();
    before = cuda_on_host::statistics().launches;
    step.advance(i * setup.time.dt, setup.time.dt);
  }
  cuda_on_host::finish();
  return cuda_on_host::statistics().launches - before;
}

TEST_CASE("a device moves the fluid beside bodies while the host finds their forces") {
  constexpr std::uint64_t look = 2, push = 1, collide = 1, fastest = 2;
  CHECK(launches_of_a_step(held_ball(false, 0)) == look + collide + push + collide + fastest);
  // A pass more is a look more, at what was pushed; the last forces of three passes are there at the first one.
  CHECK(launches_of_a_step(held_ball(false, 1e-12)) == 4 * (push + look) + collide + push + collide + fastest);
  // Where forces act everywhere the whole field is sent, without a launch.
  CHECK(launches_of_a_step(held_ball(true, 0)) == look + collide + fastest);
}

} // namespace
} // namespace corral::test
