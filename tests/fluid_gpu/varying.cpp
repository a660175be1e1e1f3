#include "fluid/incompressible/device/flow.hpp"
#include "fluid/incompressible/device/varying_viscosity.hpp"
#include "fluid/incompressible/field_potential.hpp"
#include "tests/fluid/incompressible/flow_case.hpp"
#include "tests/fluid_gpu/on_device.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/run_gpu/compared.hpp"

#ifdef CORRAL_CUDA_ON_HOST
#include <cuda_on_host/configuration.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

/// A viscosity that varies on a device beside the host's: the operator, its
/// sums, flows; and potentials of fields.
namespace corral::test {
namespace {

using fluid::DeviceIncompressibleFlow;
using fluid::DeviceVaryingViscosity;
using fluid::FaceArrays;
using fluid::FlowProperties;
using fluid::IncompressibleFlow;
using fluid::Inertia;
using fluid::MeanForce;
using fluid::pointers;
using fluid::VaryingViscosity;
using fluid::writable_pointers;

constexpr Gpu gpu{};

/// From .02 to .1 [Pa s], at random from cell to cell.
std::vector<double> some_viscosity(const Grid& grid) {
  std::mt19937_64 generator(5);
  std::vector<double> mu(static_cast<std::size_t>(grid.cells()));
  for (double& value : mu) value = 0.02 * std::pow(5.0, static_cast<double>(generator() >> 11) * 0x1p-53);
  return mu;
}

/// A flow with it.
FlowProperties properties_of(const FourierBox& b, Inertia inertia) {
  return {.density = 1.1,
          .viscosity = 0.02,
          .inertia = inertia,
          .mean_force = !b.walled && inertia == Inertia::none ? MeanForce::balanced : MeanForce::acts,
          .body_force = {0.3, -0.2, 0.1}};
}

/// At random, and 0 through walls.
FaceArrays some_velocity(const fluid::Domain& domain, unsigned seed) {
  FaceArrays u = random_velocity(domain, seed), inner = fluid::make_face_arrays(domain.grid());
  each_inner_face(domain, [&](int, const fluid::Face& f, std::size_t i) { inner[i][f.index] = u[i][f.index]; });
  return inner;
}

/// What the two keep of the operators, over the largest.
constexpr double round_off_of_forces = 1e-13;
/// What iterations, which end where they may, leave of velocities.
constexpr double left = 1e-5;

} // namespace

TEST_CASE("Forces, work and stresses of a viscosity that varies are the host's on a device") {
  const PaddingHoldsAnything padding;
  for (const FourierBox& b : fourier_boxes) {
    INFO(said(b));
    const fluid::Domain domain = domain_of(b);
    const std::vector<double> mu = some_viscosity(domain.grid());
    const Array<double> mu_there = on_device(mu);
    VaryingViscosity here(domain);
    DeviceVaryingViscosity there(domain);
    here.set(Cpu{}, mu.data()), there.set(gpu, mu_there.data());
    const FaceArrays u = some_velocity(domain, 1), u_there = on_device(u);
    for (const auto walls : {VaryingViscosity::Walls::slide, VaryingViscosity::Walls::rest}) {
      FaceArrays force = fluid::make_face_arrays(domain.grid(), 7), force_there = on_device(force);
      here.find_force(Cpu{}, pointers(u), walls, writable_pointers(force));
      there.find_force(gpu, pointers(u_there), walls, writable_pointers(force_there));
      CHECK(largest_difference(force, on_host(force_there)) <= round_off_of_forces * largest(force));
    }
    const fluid::ViscousWork work = here.work(Cpu{}, pointers(u)), work_there = there.work(gpu, pointers(u_there));
    CHECK(std::abs(work.dissipated - work_there.dissipated) <= round_off_of_forces * work.dissipated);
    CHECK(std::abs(work.by_walls - work_there.by_walls) <= round_off_of_forces * work.dissipated);
    CHECK((work.by_walls == 0) == !b.walled);
    const std::array<double, 6> stress = here.excess_stress(Cpu{}, 0.02, pointers(u)),
                                stress_there = there.excess_stress(gpu, 0.02, pointers(u_there));
    const double scale =
        std::abs(*std::max_element(stress.begin(), stress.end(), [](double x, double y) { return std::abs(x) < std::abs(y); }));
    for (std::size_t c = 0; c < stress.size(); ++c) CHECK(std::abs(stress[c] - stress_there[c]) <= 1e-12 * scale);
  }
}

TEST_CASE("Flows whose viscosity varies take the host's steps on a device, in as many iterations") {
  const PaddingHoldsAnything padding;
  for (const FourierBox& b : {fourier_boxes[0], fourier_boxes[4], fourier_boxes[6], fourier_boxes[8]})
    for (const Inertia inertia : {Inertia::full, Inertia::none}) {
      INFO(said(b) << (inertia == Inertia::full ? ", inertia" : ", Stokes flow"));
      const fluid::Domain domain = domain_of(b);
      IncompressibleFlow here(domain, properties_of(b, inertia));
      DeviceIncompressibleFlow there(domain, properties_of(b, inertia));
      const std::vector<double> mu = some_viscosity(domain.grid());
      const Array<double> mu_there = on_device(mu);
      here.set_viscosity(Cpu{}, mu.data()), there.set_viscosity(gpu, mu_there.data());
      FaceArrays u = some_velocity(domain, 1);
      here.project(Cpu{}, writable_pointers(u));
      FaceArrays u_there = on_device(u);
      const FaceArrays force = random_velocity(domain, 2), force_there = on_device(force);
      Array<double> pressure(domain.grid().cells(), 0.0), pressure_there(domain.grid().cells(), 0.0, Memory::device);
      for (const double dt : {0.01, 0.02}) {
        here.step(Cpu{}, {writable_pointers(u), pressure.data()}, pointers(force), dt);
        there.step(gpu, {writable_pointers(u_there), pressure_there.data()}, pointers(force_there), dt);
      }
      CHECK(largest_difference(u, on_host(u_there)) <= left * largest(u));
      const std::vector<double> pressures = pressure_there.values();
      double apart = 0;
      for (std::int64_t c = 0; c < pressure.size(); ++c)
        apart = std::max(apart, std::abs(pressure[c] - pressures[static_cast<std::size_t>(c)]));
      CHECK(apart <= 10 * left * largest(pressure));
      CHECK(there.effort().solves == here.effort().solves);
      CHECK(std::abs(there.effort().iterations - here.effort().iterations) <= here.effort().solves);
      CHECK(relative_divergence(domain, on_host(u_there)) < 1e-11);
      FaceArrays answer = some_velocity(domain, 4), answer_there = on_device(answer);
      here.respond_midway(Cpu{}, writable_pointers(answer), 0.02);
      there.respond_midway(gpu, writable_pointers(answer_there), 0.02);
      CHECK(largest_difference(answer, on_host(answer_there)) <= left * largest(answer));
      here.foresee(Cpu{}, {writable_pointers(u)}, pointers(force), 0.02);
      there.foresee(gpu, {writable_pointers(u_there)}, pointers(force_there), 0.02);
      FaceArrays midway = fluid::make_face_arrays(domain.grid());
      for (std::size_t d = 0; d < 3; ++d)
        corral::detail::copy_memory(midway[d].data(), there.half_velocity()[d], static_cast<std::size_t>(midway[d].bytes()));
      CHECK(largest_difference(copy_of(domain.grid(), here.half_velocity()), midway) <= left * largest(midway));
      const fluid::ViscousWork work = here.viscous_work(Cpu{}, pointers(u)), work_there = there.viscous_work(gpu, pointers(u_there));
      CHECK(std::abs(work.dissipated - work_there.dissipated) <= 10 * left * work.dissipated);
    }
}

TEST_CASE("Potentials of fields are the host's on a device, whatever a field has on walls") {
  const PaddingHoldsAnything padding;
  for (const FourierBox& b : fourier_boxes) {
    INFO(said(b));
    const fluid::Domain domain = domain_of(b);
    for (const bool through_walls : {false, true}) {
      const FaceArrays field = through_walls ? random_velocity(domain, 6) : some_velocity(domain, 6), field_there = on_device(field);
      Array<double> here(domain.grid().cells(), 0.0), there(domain.grid().cells(), 0.0, Memory::device);
      fluid::FieldPotential(domain).find(Cpu{}, pointers(field), 0.7, here.data());
      fluid::DeviceFieldPotential(domain).find(gpu, pointers(field_there), 0.7, there.data());
      const std::vector<double> found = there.values();
      double total = 0;
      for (std::int64_t c = 0; c < here.size(); ++c) {
        CHECK(std::abs(here[c] - found[static_cast<std::size_t>(c)]) <= 1e-13 * largest(here));
        total += found[static_cast<std::size_t>(c)];
      }
      CHECK(total / static_cast<double>(here.size()) == Approx(0.7).epsilon(1e-12));
    }
  }
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("An iteration where viscosity varies asks a device for what the manual says") {
  const PaddingHoldsAnything padding;
  for (const bool walled : {false, true}) {
    const FourierBox& box = fourier_boxes[walled ? 6 : 0];
    const fluid::Domain domain = domain_of(box);
    DeviceIncompressibleFlow flow(domain, properties_of(box, Inertia::none));
    const Array<double> mu = on_device(some_viscosity(domain.grid()));
    flow.set_viscosity(gpu, mu.data());
    FaceArrays u = on_device(some_velocity(domain, 1));
    const FaceArrays first_force = on_device(random_velocity(domain, 2)), force = on_device(random_velocity(domain, 3));
    struct Asked {
      std::int64_t iterations;
      std::uint64_t launches, transforms, waits;
    };
    const auto step = [&](const FaceArrays& under) {
      cuda_on_host::finish();
      const cuda_on_host::Statistics before = cuda_on_host::statistics();
      const std::int64_t done = flow.effort().iterations;
      flow.step(gpu, {writable_pointers(u)}, pointers(under), 1);
      const std::uint64_t waits = cuda_on_host::statistics().waits - before.waits;
      cuda_on_host::finish();
      const cuda_on_host::Statistics now = cuda_on_host::statistics();
      return Asked{flow.effort().iterations - done, now.launches - before.launches, now.transforms - before.transforms, waits};
    };
    step(first_force); // which takes memory
    const Asked many = step(force), few = step(force);
    REQUIRE(many.iterations > few.iterations);
    const auto more = static_cast<std::uint64_t>(many.iterations - few.iterations);
    CHECK(many.launches - few.launches == 17 * more);
    CHECK(many.transforms - few.transforms == 6 * more);
    CHECK(many.waits - few.waits == 2 * more);
  }
}

TEST_CASE("Steps where viscosity varies have the same bits in any order of threads and blocks") {
  const PaddingHoldsAnything padding;
  for (const bool walled : {false, true}) {
    const FourierBox& box = fourier_boxes[walled ? 6 : 0];
    check_orders([&] {
      const fluid::Domain domain = domain_of(box);
      DeviceIncompressibleFlow flow(domain, properties_of(box, Inertia::full));
      const Array<double> mu = on_device(some_viscosity(domain.grid()));
      flow.set_viscosity(gpu, mu.data());
      FaceArrays u = on_device(some_velocity(domain, 1));
      const FaceArrays force = on_device(random_velocity(domain, 2));
      flow.step(gpu, {writable_pointers(u)}, pointers(force), 0.02);
      return Rows{u[0].values(), u[1].values(), u[2].values()};
    });
  }
}
#endif

} // namespace corral::test
