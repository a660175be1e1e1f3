#include "fluid/incompressible/device/flow.hpp"
#include "fluid/spectral/device/box_transform.hpp"
#include "fluid/spectral/real_transform.hpp"
#include "tests/fluid/incompressible/flow_case.hpp"
#include "tests/fluid_gpu/on_device.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/run_gpu/compared.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <complex>
#include <optional>

/// The incompressible flow on a device beside the host's, in boxes of all kinds that Fourier solves serve.
namespace corral::test {
namespace {

using fluid::DeviceIncompressibleFlow;
using fluid::FaceArrays;
using fluid::FlowProperties;
using fluid::IncompressibleFlow;
using fluid::Inertia;
using fluid::MeanForce;
using fluid::pointers;
using fluid::writable_pointers;

constexpr Gpu gpu{};

FlowProperties properties_of(const FourierBox& b, Inertia inertia, MeanForce mean = MeanForce::acts) {
  return {.density = 1.1,
          .viscosity = 0.02,
          .inertia = inertia,
          .mean_force = b.walled ? MeanForce::acts : inertia == Inertia::none ? MeanForce::balanced : mean,
          .body_force = {0.3, -0.2, 0.1}};
}

FaceArrays host_copy_of(const Grid& grid, const fluid::ConstFacePointers& u) {
  FaceArrays copy = fluid::make_face_arrays(grid);
  for (std::size_t d = 0; d < 3; ++d) corral::detail::copy_memory(copy[d].data(), u[d], static_cast<std::size_t>(copy[d].bytes()));
  return copy;
}

/// The same flow on either.
struct Both {
  fluid::Domain domain;
  IncompressibleFlow host;
  DeviceIncompressibleFlow device;
  FaceArrays u, there, force, force_there;
  Array<double> pressure, pressure_there;

  Both(const FourierBox& box, const FlowProperties& p)
      : domain(domain_of(box)), host(domain, p), device(domain, p), u(random_velocity(domain, 1)), force(random_velocity(domain, 2)),
        force_there(on_device(force)), pressure(domain.grid().cells(), 0.0), pressure_there(domain.grid().cells(), Memory::device) {
    host.project(Cpu{}, writable_pointers(u));
    there = on_device(u);
  }
  void step(double dt) {
    host.step(Cpu{}, {writable_pointers(u), pressure.data()}, pointers(force), dt);
    device.step(gpu, {writable_pointers(there), pressure_there.data()}, pointers(force_there), dt);
  }
  /// Fields of the two, over what is largest.
  double velocities_apart() const { return largest_difference(u, on_host(there)) / largest(u); }
  double pressures_apart() const {
    const std::vector<double> found = pressure_there.values();
    double most = 0;
    for (std::int64_t c = 0; c < pressure.size(); ++c) most = std::max(most, std::abs(pressure[c] - found[static_cast<std::size_t>(c)]));
    return largest(pressure) > 0 ? most / largest(pressure) : most;
  }
  double midway_apart() const {
    const FaceArrays here = copy_of(domain.grid(), host.half_velocity());
    return largest_difference(here, host_copy_of(domain.grid(), device.half_velocity())) / largest(here);
  }
};

std::string refusal(const FourierBox& box, const FlowProperties& p) {
  const fluid::Domain domain = domain_of(box);
  try {
    const DeviceIncompressibleFlow flow(domain, p);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

} // namespace

TEST_CASE("Transforms of boxes on a device have the modes of the host's, and come back") {
  const PaddingHoldsAnything padding;
  for (const FourierBox& b : fourier_boxes) {
    INFO(said(b));
    const fluid::Domain domain = domain_of(b);
    const fluid::spectral::BoxLayout layout(domain);
    fluid::spectral::BoxTransform transform(layout);
    const fluid::spectral::PaddedBox& box = transform.box();
    const std::vector<double> values = random_velocity(domain, 3)[0].values();
    std::vector<double> padded(static_cast<std::size_t>(box.size()), 0.0);
    for (std::int64_t row = 0; row < box.rows(); ++row)
      for (std::int64_t i = 0; i < box.nx; ++i)
        padded[static_cast<std::size_t>(box.value(i, row))] = values[static_cast<std::size_t>(i + box.nx * row)];
    Array<double> field(std::span<const double>(padded), Memory::device);
    transform.forward(gpu, field.data());
    const std::vector<double> modes = field.values();
    double most = 0;
    for (std::int64_t layer = 0; layer < (b.walled ? box.ny : 1); ++layer) {
      const fluid::spectral::SpectrumShape shape{box.nx, b.walled ? box.nz : box.ny, b.walled ? 1 : box.nz};
      fluid::spectral::RealTransform of_host(shape);
      std::vector<double> seen;
      for (std::int64_t plane = 0; plane < shape.planes; ++plane)
        for (std::int64_t r = 0; r < shape.rows; ++r)
          for (std::int64_t i = 0; i < box.nx; ++i)
            seen.push_back(values[static_cast<std::size_t>(i + box.nx * (b.walled ? layer + box.ny * r : r + box.ny * plane))]);
      Array<double> spectrum(shape.size(), 0.0);
      of_host.forward(Cpu{}, seen.data(), spectrum.data());
      for (std::int64_t plane = 0; plane < shape.planes; ++plane)
        for (std::int64_t r = 0; r < shape.rows; ++r)
          for (std::int64_t m = 0; m < box.modes(); ++m) {
            const auto at = static_cast<std::size_t>(box.value(2 * m, b.walled ? layer + box.ny * r : r + box.ny * plane));
            most = std::max(most, std::abs(std::complex<double>(modes[at], modes[at + 1]) -
                                           fluid::spectral::mode(shape, spectrum.data(), m, r, plane)));
          }
    }
    CHECK(most < 1e-13 * static_cast<double>(box.nx * box.rows()));
    transform.backward(gpu, field.data());
    const std::vector<double> back = field.values();
    double off = 0;
    for (std::int64_t row = 0; row < box.rows(); ++row)
      for (std::int64_t i = 0; i < box.nx; ++i)
        off = std::max(off, std::abs(back[static_cast<std::size_t>(box.value(i, row))] / layout.transform_factor() -
                                     values[static_cast<std::size_t>(i + box.nx * row)]));
    CHECK(off < 1e-14);
  }
}

TEST_CASE("Steps of an incompressible flow on a device are the host's") {
  const PaddingHoldsAnything padding;
  for (const FourierBox& b : fourier_boxes)
    for (const MeanForce mean : {MeanForce::acts, MeanForce::balanced}) {
      if (b.walled && mean == MeanForce::balanced) continue;
      INFO(said(b));
      Both flow(b, properties_of(b, Inertia::full, mean));
      for (const double dt : {0.01, 0.02, 0.02}) flow.step(dt);
      CHECK(flow.velocities_apart() < 1e-13);
      CHECK(flow.midway_apart() < 1e-13);
      CHECK(flow.pressures_apart() < 1e-12);
      CHECK(relative_divergence(flow.domain, on_host(flow.there)) < 1e-12);
    }
}

TEST_CASE("and Stokes flows, whose walls slide") {
  const PaddingHoldsAnything padding;
  for (const FourierBox& b : fourier_boxes) {
    INFO(said(b));
    Both flow(b, properties_of(b, Inertia::none));
    flow.step(1);
    CHECK(flow.velocities_apart() < 1e-12);
    CHECK(flow.midway_apart() < 1e-12);
    CHECK(flow.pressures_apart() < 1e-12);
  }
}

TEST_CASE("and what forces make of them at once or midway, and what is foreseen") {
  const PaddingHoldsAnything padding;
  for (const FourierBox& b : fourier_boxes)
    for (const Inertia inertia : {Inertia::full, Inertia::none}) {
      INFO(said(b));
      Both flow(b, properties_of(b, inertia));
      const auto apart_after = [&](auto work) {
        FaceArrays here = random_velocity(flow.domain, 4), there = on_device(here);
        work(flow.host, Cpu{}, writable_pointers(here)), work(flow.device, gpu, writable_pointers(there));
        return largest_difference(here, on_host(there)) / largest(here);
      };
      CHECK(apart_after([](auto& f, auto execution, const auto& field) { f.respond(execution, field); }) < 1e-12);
      CHECK(apart_after([](auto& f, auto execution, const auto& field) { f.respond_midway(execution, field, 0.02); }) < 1e-12);
      flow.host.foresee(Cpu{}, {writable_pointers(flow.u)}, pointers(flow.force), 0.02);
      flow.device.foresee(gpu, {writable_pointers(flow.there)}, pointers(flow.force_there), 0.02);
      CHECK(flow.midway_apart() < 1e-12);
      CHECK(flow.velocities_apart() < 1e-12);
    }
}

TEST_CASE("Measures of an incompressible flow on a device are the host's") {
  const PaddingHoldsAnything padding;
  for (const FourierBox& b : fourier_boxes) {
    INFO(said(b));
    Both flow(b, properties_of(b, Inertia::full));
    const auto near = [](double a, double b_, double scale) { return std::abs(a - b_) <= 1e-13 * scale; };
    const double volume = flow.domain.grid().cell_volume() * static_cast<double>(flow.domain.grid().cells());
    const auto seen = [&](auto execution, const FaceArrays& u, const FaceArrays& force) {
      const fluid::ViscousWork work = fluid::viscous_work(execution, flow.domain, 2, pointers(u));
      const std::array<double, 3> sums = fluid::momentum(execution, flow.domain, 3, pointers(u)),
                                  most = fluid::fastest(execution, flow.domain, pointers(u));
      return std::vector<double>{fluid::kinetic_energy(execution, flow.domain, 3, pointers(u)),
                                 fluid::power(execution, flow.domain, pointers(force), pointers(u)), work.dissipated, work.by_walls,
                                 sums[0], sums[1], sums[2], most[0], most[1], most[2]};
    };
    const std::vector<double> here = seen(Cpu{}, flow.u, flow.force), there = seen(gpu, flow.there, flow.force_there);
    for (std::size_t i = 0; i < here.size(); ++i) {
      INFO("measure " << i << ": " << here[i] << ", " << there[i]);
      CHECK(near(here[i], there[i], i == 2 || i == 3 ? here[2] + std::abs(here[3]) : i < 7 ? 10 * volume : 1));
    }
  }
  Both flow(fourier_boxes[0], properties_of(fourier_boxes[0], Inertia::full));
  std::vector<double> w = flow.u[2].values();
  w[5] = std::numeric_limits<double>::infinity();
  flow.there[2].assign(w);
  CHECK(std::isnan(fluid::fastest(gpu, flow.domain, pointers(flow.there))[2]));
}

TEST_CASE("What an incompressible flow on a device does not serve is refused") {
  const PaddingHoldsAnything padding;
  FlowProperties split = properties_of(fourier_boxes[6], Inertia::full), pressed = properties_of(fourier_boxes[0], Inertia::none);
  split.projection = fluid::Projection::pm2;
  pressed.mean_force = MeanForce::acts;
  CHECK(refusal(fourier_boxes[6], properties_of(fourier_boxes[6], Inertia::full)).empty());
  CHECK(refusal(fourier_boxes[6], split).starts_with("projection PmII on a device"));
  CHECK(refusal(fourier_boxes[0], split).empty()); // where the box wraps it is the exact one
  CHECK(refusal(fourier_boxes[0], pressed).starts_with("mean forces that act on a box that wraps"));
  CHECK(refusal({{11, 4, 4}, false}, properties_of(fourier_boxes[0], Inertia::full)).find("take 10 or 12") != std::string::npos);
  Both flow(fourier_boxes[0], properties_of(fourier_boxes[0], Inertia::full));
  CHECK_THROWS_AS(flow.device.step(gpu, {writable_pointers(flow.there)}, {}, 0.1), Error);
  CHECK_THROWS_AS(flow.device.step(gpu, {writable_pointers(flow.there)}, pointers(flow.force_there), 0), Error);
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("Steps of an incompressible flow have the same bits in any order of threads and blocks") {
  const PaddingHoldsAnything padding;
  for (const bool walled : {false, true}) {
    const FourierBox& box = fourier_boxes[walled ? 6 : 0];
    check_orders([&] {
      Both flow(box, properties_of(box, Inertia::full));
      flow.step(0.02);
      return Rows{flow.there[0].values(), flow.there[1].values(), flow.there[2].values()};
    });
  }
}
#endif

} // namespace corral::test
