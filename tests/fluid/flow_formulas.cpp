#include "fluid/inlet.hpp"
#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/sanitized.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <numbers>

/// Flow against formulas, second order where the scheme is. Steps are h^2 times a constant, or of third order in time:
/// what is seen is the order in space.
namespace corral::test {
namespace {

using fluid::Advection;
using fluid::Domain;
using fluid::SideKind;

constexpr double second_order = 1.8; ///< least order that is taken for the second

/// Sides of a gap along axis `across` between no-slip walls; other axes wrap.
std::array<SideKind, 6> gap(int across) {
  auto sides = all_periodic;
  sides[2 * across] = sides[2 * across + 1] = SideKind::no_slip;
  return sides;
}

/// n cells across a gap of 1 m, two along the others.
Grid gap_grid(std::int64_t n, int across) {
  std::array<std::int64_t, 3> cells{2, 2, 2};
  std::array<double, 3> size{0.5, 0.5, 0.5};
  cells[across] = n;
  size[across] = 1;
  return Domain::make_grid(cells, {0, 0, 0}, size, gap(across));
}

/// Largest difference of component d from a function of the place along axis e.
template <class F> double apart(const Grid& grid, const fluid::FaceArrays& u, int d, int e, F exact) {
  double error = 0;
  fluid::FaceArrays w = u;
  fill(grid, w, d, [&](const auto& x) { return exact(x[e]); });
  for (std::int64_t f = 0; f < u[d].size(); ++f) error = std::max(error, std::abs(u[d][f] - w[d][f]));
  return error;
}

double poiseuille_error(std::int64_t n, int along, int across, Advection scheme) {
  const Domain domain(gap_grid(n, across), gap(across), {});
  ProjectionFlow flow(domain, 0.5, scheme);
  flow.body[along] = 1;
  const double dt = 0.3 / static_cast<double>(n * n); // after 2 s e^-10 is left of how the start differs
  fill(domain.grid(), flow.u, along, [&](const auto& x) {
    const double y = x[across];
    return y * (1 - y);
  });
  for (double t = 0; t < 2; t += dt) flow.euler(dt);
  return apart(domain.grid(), flow.u, along, across, [](double y) { return y * (1 - y); });
}

/// At t = .05 s, a wall set moving at 1 m/s at t = 0 over fluid of viscosity 1 m2/s.
double started_couette(double y) {
  double u = y;
  for (int k = 1; k < 30; ++k) {
    const double a = k * std::numbers::pi;
    u += 2 / a * (k % 2 == 0 ? 1 : -1) * std::exp(-a * a * 0.05) * std::sin(a * y);
  }
  return u;
}

double couette_error(std::int64_t n) {
  Domain domain(gap_grid(n, 1), gap(1), {});
  domain.set_wall_velocity(fluid::side(1, true), {1, 0, 0});
  ProjectionFlow flow(domain, 1, Advection::central);
  const int steps = static_cast<int>(n * n) / 4;
  for (int k = 0; k < steps; ++k) flow.runge_kutta(0.05 / steps);
  return apart(domain.grid(), flow.u, 0, 1, started_couette);
}

/// Between walls, in through a parabola at x = 0, out at x = 1 m.
double channel_error(std::int64_t n) {
  using enum SideKind;
  const std::array<SideKind, 6> sides{no_slip, outlet, no_slip, no_slip, periodic, periodic};
  const Grid grid = Domain::make_grid({n, n, 1}, {0, 0, 0}, {1, 1, 1}, sides);
  fluid::Inlet inlet;
  inlet.region = {{0, 0, 0}, {0, 1, 1}};
  inlet.velocity = fluid::parabolic_profile(grid, 0, inlet.region.low, inlet.region.high, 1);
  const Domain domain(grid, sides, {inlet});
  ProjectionFlow flow(domain, 0.1, Advection::central);
  const auto parabola = [](double y) { return 6 * y * (1 - y); };
  fill(grid, flow.u, 0, [&](const auto& x) { return parabola(x[1]); });
  const double dt = 1.5 / static_cast<double>(n * n);
  for (double t = 0; t < 3; t += dt) flow.runge_kutta(dt);
  return apart(grid, flow.u, 0, 1, parabola);
}

/// Decaying vortices in a stream of (1, 1/2) m/s in a plane (Taylor and Green 1937); largest error after .25 s.
double vortex_error(std::int64_t n, int first, Advection scheme) {
  const auto a = static_cast<std::size_t>(first), b = (a + 1) % 3, c = (a + 2) % 3;
  std::array<std::int64_t, 3> cells{};
  cells[a] = cells[b] = n;
  cells[c] = 1;
  const Grid grid = Domain::make_grid(cells, {0, 0, 0}, {1, 1, 1}, all_periodic);
  const Domain domain(grid, all_periodic, {});
  const double k = 2 * std::numbers::pi, nu = 0.01;
  const auto exact = [&](double t) {
    const double decay = std::exp(-2 * nu * k * k * t);
    fluid::FaceArrays u = fluid::make_face_arrays(grid);
    fill(grid, u, static_cast<int>(a), [&](const auto& x) {
      return 1 + decay * std::sin(k * (x[a] - t)) * std::cos(k * (x[b] - 0.5 * t));
    });
    fill(grid, u, static_cast<int>(b), [&](const auto& x) {
      return 0.5 - decay * std::cos(k * (x[a] - t)) * std::sin(k * (x[b] - 0.5 * t));
    });
    return u;
  };
  ProjectionFlow flow(domain, nu, scheme);
  flow.u = exact(0);
  const auto steps = static_cast<int>(n);
  for (int s = 0; s < steps; ++s) flow.runge_kutta(0.25 / steps);
  const fluid::FaceArrays u = exact(0.25);
  double error = 0;
  for (const std::size_t d : {a, b})
    for (std::int64_t f = 0; f < u[d].size(); ++f) error = std::max(error, std::abs(flow.u[d][f] - u[d][f]));
  return error;
}

template <class F> std::vector<double> errors(std::vector<std::int64_t> grids, F error) {
  std::vector<double> all;
  if (sanitized) grids.pop_back();
  for (const std::int64_t n : grids) all.push_back(error(n));
  return all;
}

} // namespace

TEST_CASE("flow between plates under a body force is Poiseuille's parabola, to second order", "[values]") {
  const auto order = [](const char* what, Advection scheme) {
    return observed_order(what, errors({4, 8, 16}, [&](std::int64_t n) { return poiseuille_error(n, 0, 1, scheme); }));
  };
  CHECK(order("Poiseuille, central", Advection::central) > second_order);
  CHECK(order("Poiseuille, upwind", Advection::upwind) > second_order); // parallel flow: advection has no say
  CHECK(order("Poiseuille, van_leer", Advection::van_leer) > second_order);
  const double expected = poiseuille_error(8, 0, 1, Advection::central);
  for (int across = 0; across < 3; ++across)
    for (const int along : {(across + 1) % 3, (across + 2) % 3})
      CHECK(poiseuille_error(8, along, across, Advection::central) == Approx(expected).epsilon(1e-9));
}

TEST_CASE("flow from a parabolic inlet to an outlet stays the parabola, to second order", "[values][physics]") {
  CHECK(observed_order("channel, parabola in", errors({6, 12, 24}, channel_error)) > second_order);
}

TEST_CASE("between a wall at rest and one that slides no force acts on Couette's linear profile") {
  for (int side = 0; side < 6; ++side)
    for (const int along : {(side / 2 + 1) % 3, (side / 2 + 2) % 3}) {
      const int across = side / 2;
      Domain domain(gap_grid(5, across), gap(across), {});
      std::array<double, 3> velocity{};
      velocity[along] = -3;
      domain.set_wall_velocity(side, velocity);
      ProjectionFlow flow(domain, 1, Advection::central);
      fill(domain.grid(), flow.u, along, [&](const auto& x) {
        const double y = x[across];
        return -3 * (side % 2 == 1 ? y : 1 - y);
      });
      const auto& h = flow.forces();
      for (std::size_t d = 0; d < 3; ++d)
        for (const double f : h[d]) CHECK(std::abs(f) <= 2 * 3 * 25 * round_off(4));
    }
}

TEST_CASE("a wall set moving drags the fluid along as the diffusion series says, to second order", "[values]") {
  CHECK(observed_order("Couette, from rest", errors({8, 16, 32, 64}, couette_error)) > second_order);
}

TEST_CASE("Taylor and Green's vortices decay and drift as the formula says, to the scheme's order", "[values][physics]") {
  const auto order = [](const char* what, Advection scheme) {
    return observed_order(what, errors({16, 32, 64}, [&](std::int64_t n) { return vortex_error(n, 0, scheme); }));
  };
  CHECK(order("Taylor-Green in a stream, central", Advection::central) > second_order);
  const double upwind = order("Taylor-Green in a stream, upwind", Advection::upwind);
  CHECK(upwind > 0.6); // its viscosity |u| h/2 is above the fluid's own
  CHECK(upwind < 1.2);
  CHECK(order("Taylor-Green in a stream, van_leer", Advection::van_leer) > 1.5); // of first order at extrema
  for (const Advection scheme : {Advection::central, Advection::van_leer}) {
    const double expected = vortex_error(16, 0, scheme);
    for (const int first : {1, 2}) CHECK(vortex_error(16, first, scheme) == Approx(expected).epsilon(1e-6));
  }
}

} // namespace corral::test
