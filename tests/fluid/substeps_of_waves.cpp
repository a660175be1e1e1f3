#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <complex>
#include <numbers>

/// What sub-steps make of profiles whose course is known.
namespace corral::test {

using fluid::Advection;
using fluid::Domain;
using fluid::FaceArrays;

TEST_CASE("sub-steps are the small steps that they stand for while the carrying velocity is constant") {
  const std::int64_t n = 32;
  const Grid grid = Domain::make_grid({n, 1, 1}, {0, 0, 0}, {1, 1, 1}, all_periodic);
  const Domain domain(grid, all_periodic, {});
  for (const Advection scheme : schemes)
    for (const double speed : {1.0, -1.0}) {
      FaceArrays u = fluid::make_face_arrays(grid);
      fill(grid, u, 0, [speed](const auto&) { return speed; });
      fill(grid, u, 1, [](const auto& x) { return std::exp(-50 * (x[0] - 0.5) * (x[0] - 0.5)); });
      FaceArrays small = u;
      const double dt = (scheme == Advection::upwind ? 4.0 : 2.0) / static_cast<double>(n);
      const double mu = 0;
      const OverStep r = over_step(domain, u, 1.2, mu, scheme, dt);
      CHECK(r.substeps == 4);
      const FaceArrays large = carried(domain, u, 1.2, r, dt);
      for (int k = 0; k < 4; ++k) {
        const FaceArrays h = forces(domain, small, 1.2, mu, scheme);
        for (std::int64_t f = 0; f < n; ++f) small[1][f] += dt / 4 / 1.2 * h[1][f];
      }
      for (std::int64_t f = 0; f < n; ++f) CHECK(large[1][f] == Approx(small[1][f]).margin(round_off(64)));
    }
}

TEST_CASE("a profile is carried as far as the gas moves, in steps of several cells") {
  // Upwind with steps of exactly 3 cells in 3 sub-steps shifts the profile by whole cells.
  const std::int64_t n = 30;
  const Grid grid = Domain::make_grid({n, 1, 1}, {0, 0, 0}, {1, 1, 1}, all_periodic);
  const Domain domain(grid, all_periodic, {});
  FaceArrays u = fluid::make_face_arrays(grid);
  fill(grid, u, 0, [](const auto&) { return 1.0; });
  fill(grid, u, 1, [](const auto& x) { return x[0] > 0.3 && x[0] < 0.6 ? 1.0 : 0.0; });
  FaceArrays v = u;
  const double dt = 3.0 / static_cast<double>(n);
  for (int step = 0; step < 4; ++step) v = carried(domain, v, 1, over_step(domain, v, 1, 0, Advection::upwind, dt), dt);
  for (std::int64_t i = 0; i < n; ++i) CHECK(v[1][(i + 12) % n] == Approx(u[1][i]).margin(round_off(200)));

  // Van Leer's scheme meets the translated wave to its second order, limited at extrema to the first.
  const auto error = [](std::int64_t cells) {
    const Grid g = Domain::make_grid({cells, 1, 1}, {0, 0, 0}, {1, 1, 1}, all_periodic);
    const Domain box(g, all_periodic, {});
    FaceArrays w = fluid::make_face_arrays(g);
    const double k = 2 * std::numbers::pi, step = 1.5 / static_cast<double>(cells);
    fill(g, w, 0, [](const auto&) { return 1.0; });
    fill(g, w, 1, [k](const auto& x) { return std::sin(k * x[0]); });
    for (int s = 0; s < 4; ++s) w = carried(box, w, 1, over_step(box, w, 1, 0, Advection::van_leer, step), step);
    double sum = 0;
    for (std::int64_t i = 0; i < cells; ++i)
      sum += std::abs(w[1][i] - std::sin(k * ((static_cast<double>(i) + 0.5) / static_cast<double>(cells) - 4 * step)));
    return sum / static_cast<double>(cells);
  };
  CHECK(error(64) < 0.02);
  CHECK(error(128) < 0.55 * error(64)); // time is of first order
}

TEST_CASE("central advection carries a wave to second order in space and third in time") {
  // A stage of Runge and Kutta's on the scheme's own eigenvalue: 1 + z + z^2/2 + z^3/6 per sub-step.
  const std::int64_t n = 16;
  const Grid grid = Domain::make_grid({n, 1, 1}, {0, 0, 0}, {1, 1, 1}, all_periodic);
  const Domain domain(grid, all_periodic, {});
  const double k = 2 * std::numbers::pi, nu = 0.01, h = 1.0 / n;
  FaceArrays u = fluid::make_face_arrays(grid);
  fill(grid, u, 0, [](const auto&) { return 1.0; });
  fill(grid, u, 1, [k](const auto& x) { return std::sin(k * x[0]); });
  const double rate = 1 / h + 2 * nu / (h * h);
  const std::complex<double> eigenvalue(-2 * nu / (h * h) * (1 - std::cos(k * h)), -std::sin(k * h) / h);
  for (const double crossed : {0.9, 2.5}) {
    const double dt = crossed / rate, m = std::ceil(crossed);
    const std::complex<double> z = eigenvalue * (dt / m), growth = std::pow(1.0 + z * (1.0 + z * (0.5 + z / 6.0)), m);
    const FaceArrays v = carried(domain, u, 1.2, over_step(domain, u, 1.2, 1.2 * nu, Advection::central, dt), dt);
    for (std::int64_t i = 0; i < n; ++i) {
      const double x = (static_cast<double>(i) + 0.5) * h;
      CHECK(v[1][i] == Approx(std::imag(growth * std::polar(1.0, k * x))).margin(round_off(100)));
    }
  }
}

TEST_CASE("viscosity lets a wave decay as it should in sub-steps, and as far as eight can beyond") {
  const std::int64_t n = 16;
  const Grid grid = Domain::make_grid({n, 1, 1}, {0, 0, 0}, {1, 1, 1}, all_periodic);
  const Domain domain(grid, all_periodic, {});
  const double k = 2 * std::numbers::pi, rho = 1.2, nu = 0.1, limit = 0.5 / (nu * n * n);
  FaceArrays u = fluid::make_face_arrays(grid);
  fill(grid, u, 1, [k](const auto& x) { return std::sin(k * x[0]); });
  const auto amplitude = [&](double dt) {
    const FaceArrays v = carried(domain, u, rho, over_step(domain, u, rho, rho * nu, Advection::upwind, dt), dt);
    return v[1][n / 4] / u[1][n / 4];
  };
  // The eigenvalue of the second difference, once per sub-step.
  const double decay = 2 * nu * n * n * (1 - std::cos(k / n));
  for (const double steps : {0.9, 3.2, 8.0}) {
    const double dt = steps * limit, m = std::ceil(steps);
    INFO(steps << " times the limit");
    CHECK(amplitude(dt) == Approx(std::pow(1 - decay * dt / m, m)).epsilon(round_off(64)));
    CHECK(amplitude(dt) == Approx(std::exp(-nu * k * k * dt)).epsilon(0.05));
  }
  const double cut = amplitude(1e3 * limit); // eight sub-steps at the limit
  CHECK(cut == Approx(std::pow(1 - decay * limit, 8)).epsilon(round_off(64)));
}

} // namespace corral::test
