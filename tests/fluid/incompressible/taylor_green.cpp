#include "tests/fluid/incompressible/flow_case.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/sanitized.hpp"

#include <numbers>

/// Decaying vortices in a stream (Taylor and Green 1937): orders in space and in time, each with the other's error out
/// of the way.
namespace corral::test {
namespace {

using fluid::FaceArrays;
using fluid::IncompressibleFlow;

constexpr double nu = 0.01, wave = 2 * std::numbers::pi, end = 0.25; ///< [m2/s], [1/m], [s]

/// In the plane of axes `first` and the next, which have n cells over 1 m; the third has one.
struct Vortices {
  int first;
  std::int64_t n;

  std::array<std::int64_t, 3> cells() const {
    std::array<std::int64_t, 3> c{1, 1, 1};
    c[a()] = c[b()] = n;
    return c;
  }
  std::size_t a() const { return static_cast<std::size_t>(first); }
  std::size_t b() const { return (a() + 1) % 3; }

  void set(const Grid& grid, FaceArrays& u, double t) const {
    const double decay = std::exp(-2 * nu * wave * wave * t);
    fill(grid, u, static_cast<int>(a()), [&](const auto& x) {
      return 1 + decay * std::sin(wave * (x[a()] - t)) * std::cos(wave * (x[b()] - 0.5 * t));
    });
    fill(grid, u, static_cast<int>(b()), [&](const auto& x) {
      return 0.5 - decay * std::cos(wave * (x[a()] - t)) * std::sin(wave * (x[b()] - 0.5 * t));
    });
  }

  FaceArrays at_end(int steps) const {
    const fluid::Domain domain = flow_box(cells(), false, 1 / static_cast<double>(n));
    IncompressibleFlow flow(domain, {.density = 2, .viscosity = 2 * nu});
    FlowFields fields(domain.grid());
    set(domain.grid(), fields.u, 0);
    for (int s = 0; s < steps; ++s) fields.step(flow, end / steps);
    return fields.u;
  }
};

} // namespace

TEST_CASE("Taylor and Green's vortices by Fourier solves are of second order in space") {
  std::vector<double> errors;
  for (const std::int64_t n : {16, 32, 64}) {
    if (sanitized && n > 32) continue;
    const Vortices v{0, n};
    const fluid::Domain domain = flow_box(v.cells(), false, 1 / static_cast<double>(n));
    FaceArrays exact = fluid::make_face_arrays(domain.grid());
    v.set(domain.grid(), exact, end);
    errors.push_back(
        largest_difference(v.at_end(static_cast<int>(n * n / 8)), exact)); // the step's error falls as n^-4
  }
  CHECK(observed_order("Taylor-Green by Fourier solves, space", errors) > 1.9);
}

TEST_CASE("Taylor and Green's vortices by Fourier solves are of second order in time") {
  for (const int first : {0, 1, 2}) {
    if (sanitized && first > 0) continue;
    const Vortices v{first, 24};
    const FaceArrays fine = v.at_end(512);
    std::vector<double> errors;
    for (const int steps : {16, 32, 64}) errors.push_back(largest_difference(v.at_end(steps), fine));
    CHECK(observed_order("Taylor-Green by Fourier solves, time", errors) > 1.9);
  }
}

} // namespace corral::test
