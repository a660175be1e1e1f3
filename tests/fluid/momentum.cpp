#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::test {
namespace {

using fluid::Advection;
using fluid::Domain;
using fluid::FaceArrays;
using fluid::SideKind;

/// Largest error of the advective force on u_x = sin(2 pi x) carried at speed 1 along x, n cells to the wave.
double wave_error(std::int64_t n, Advection scheme) {
  const Grid grid = Domain::make_grid({n, 1, 1}, {0, 0, 0}, {1, 1, 1}, all_periodic);
  const Domain domain(grid, all_periodic, {});
  FaceArrays u = fluid::make_face_arrays(grid);
  const double k = 2 * std::numbers::pi;
  fill(grid, u, 0, [](const auto&) { return 1.0; });
  fill(grid, u, 1, [k](const auto& x) { return std::sin(k * x[0]); });
  const FaceArrays h = forces(domain, u, 1, 0, scheme);
  double error = 0; // in the mean: limiters are of first order at extrema
  for (std::int64_t i = 0; i < n; ++i)
    error += std::abs(h[1][i] + k * std::cos(k * (static_cast<double>(i) + 0.5) / static_cast<double>(n)));
  return error / static_cast<double>(n);
}

} // namespace

TEST_CASE("a uniform stream feels no force") {
  const Grid grid = Domain::make_grid({4, 5, 3}, {0, 0, 0}, {1, 2, 3}, all_periodic);
  const Domain domain(grid, all_periodic, {});
  FaceArrays u = fluid::make_face_arrays(grid);
  for (int d = 0; d < 3; ++d) fill(grid, u, d, [d](const auto&) { return 1.0 + d; });
  for (const Advection scheme : {Advection::upwind, Advection::van_leer, Advection::central})
    for (const auto& h : forces(domain, u, 1.2, 1e-3, scheme))
      for (double f : h) CHECK(f == 0);
}

TEST_CASE("viscous force of a parabola between no-slip walls is that of Poiseuille flow") {
  const std::array<SideKind, 6> sides{SideKind::periodic, SideKind::periodic, SideKind::no_slip,
                                      SideKind::no_slip,  SideKind::periodic, SideKind::periodic};
  const Grid grid = Domain::make_grid({2, 8, 2}, {0, 0, 0}, {1, 1, 1}, sides);
  const Domain domain(grid, sides, {});
  FaceArrays u = fluid::make_face_arrays(grid);
  fill(grid, u, 0, [](const auto& x) { return x[1] * (1 - x[1]); });
  const FaceArrays h = forces(domain, u, 1, 0.5, Advection::upwind);
  each_face_in_turn(grid, 0, [&](const fluid::Face& f) {
    // mu d2u/dy2 = -2 mu; the ghost beyond the wall mirrors u(h/2) = h/2 (1 - h/2) instead of continuing the
    // parabola, which would give -h/2 (1 + h/2): half a second difference more.
    const bool at_wall = f.place[1] == 0 || f.place[1] == 7;
    CHECK(h[0][f.index] == Approx(at_wall ? -0.5 * (2 - 0.5) : -1.0).epsilon(round_off(16) * 64));
  });
}

TEST_CASE("free slip and symmetry leave a uniform stream along them alone, no slip brakes it") {
  for (const SideKind kind : {SideKind::free_slip, SideKind::symmetry, SideKind::no_slip, SideKind::outlet}) {
    const std::array<SideKind, 6> sides{SideKind::periodic, SideKind::periodic, kind, kind, SideKind::periodic,
                                        SideKind::periodic};
    const Grid grid = Domain::make_grid({2, 3, 2}, {0, 0, 0}, {1, 3, 1}, sides);
    const Domain domain(grid, sides, {});
    FaceArrays u = fluid::make_face_arrays(grid);
    fill(grid, u, 0, [](const auto&) { return 1.0; });
    const FaceArrays h = forces(domain, u, 1, 0.5, Advection::upwind);
    for (std::int64_t i = 0; i < 2; ++i) { // faces of the lowest row of cells
      if (kind == SideKind::no_slip)
        CHECK(h[0][i] == -0.5 * 2);
      else
        CHECK(h[0][i] == 0);
    }
  }
}

TEST_CASE("a wall that slides drags the row beside it, and its inlets with it") {
  const std::array<SideKind, 6> sides{SideKind::periodic, SideKind::periodic, SideKind::no_slip,
                                      SideKind::no_slip,  SideKind::periodic, SideKind::periodic};
  const Grid grid = Domain::make_grid({2, 3, 2}, {0, 0, 0}, {1, 3, 1}, sides);
  fluid::Inlet inlet;
  inlet.side = fluid::side(1, false);
  inlet.region = {{0, 0, 0}, {0.5, 0, 1}};
  inlet.velocity = [](const auto&) { return 2.0; };
  Domain domain(grid, sides, {inlet});
  domain.set_wall_velocity(inlet.side, {3, 0, -5});
  const FaceArrays h = forces(domain, fluid::make_face_arrays(grid), 1, 0.5, Advection::central);
  for (const int d : {0, 2}) {
    const double wall = d == 0 ? 3 : -5;
    each_face_in_turn(grid, d, [&](const fluid::Face& f) {
      CHECK(h[d][f.index] == (f.place[1] == 0 ? 0.5 * 2 * wall : 0)); // mu 2 (U - u)/h^2
    });
  }
}

TEST_CASE("central advection in a flow without divergence keeps momentum, and energy within closed walls") {
  for (const bool walls : {false, true}) {
    auto sides = all_periodic;
    if (walls) sides = {SideKind::no_slip,   SideKind::free_slip, SideKind::no_slip,
                        SideKind::no_slip,   SideKind::periodic,  SideKind::periodic};
    const Grid grid = Domain::make_grid({6, 5, 4}, {0, 0, 0}, {1, 2, 1.5}, sides);
    Domain domain(grid, sides, {});
    if (walls) domain.set_wall_velocity(2, {4, 0, 0}); // no advection through it, however fast it slides
    ProjectionFlow flow(domain, 0, Advection::central);
    flow.u = random_velocity(domain, 5);
    flow.project();
    const FaceArrays& h = flow.forces();
    double work = 0, rate = 0;
    for (int d = 0; d < 3; ++d) {
      double momentum = 0, terms = 0;
      for (std::int64_t f = 0; f < h[d].size(); ++f) {
        momentum += h[d][f];
        terms += std::abs(h[d][f]);
        if (domain.kind(d, f) == fluid::FaceKind::fixed) continue;
        work += flow.u[d][f] * h[d][f];
        rate += std::abs(flow.u[d][f] * h[d][f]);
      }
      if (!walls) CHECK(std::abs(momentum) < 100 * ProjectionFlow::tolerance * terms);
    }
    CHECK(rate > 10);
    CHECK(std::abs(work) < 100 * ProjectionFlow::tolerance * rate);
  }
}

TEST_CASE("two calls give what both together give") {
  using enum SideKind;
  const std::array<SideKind, 6> sides{no_slip, free_slip, periodic, periodic, no_slip, outlet};
  for (const bool blocked : {false, true}) {
    std::vector<std::uint8_t> cells(blocked ? 5 * 4 * 6 : 0, 0);
    if (blocked) cells[33] = cells[34] = cells[80] = 1;
    const Domain domain(Domain::make_grid({5, 4, 6}, {0, 0, 0}, {1, 1, 1}, sides), sides, {}, cells);
    const FaceArrays u = random_velocity(domain, 8);
    for (const Advection scheme : {Advection::upwind, Advection::van_leer, Advection::central}) {
      const FaceArrays both = forces(domain, u, 1.2, 0.3, scheme);
      FaceArrays h = fluid::make_face_arrays(domain.grid(), 7.0); // what was there stays
      const std::array<double*, 3> p{h[0].data(), h[1].data(), h[2].data()};
      fluid::PaddedVelocity padded(domain);
      padded.fill(Cpu{}, fluid::pointers(u));
      fluid::add_viscosity(Cpu{}, padded, 0.3, p);
      fluid::add_advection(Cpu{}, padded, scheme, 1.2, p);
      for (std::size_t d = 0; d < 3; ++d)
        for (std::int64_t f = 0; f < h[d].size(); ++f)
          CHECK(std::abs(h[d][f] - 7 - both[d][f]) <= 100 * round_off(12)); // terms up to some tens
    }
  }
}

TEST_CASE("upwind advection is of first order, central of second, van Leer's where the profile is smooth") {
  const double central = std::log2(wave_error(32, Advection::central) / wave_error(64, Advection::central));
  CHECK(central == Approx(2).margin(0.05));
  const double upwind = std::log2(wave_error(32, Advection::upwind) / wave_error(64, Advection::upwind));
  const double limited = std::log2(wave_error(64, Advection::van_leer) / wave_error(128, Advection::van_leer));
  CHECK(upwind == Approx(1).margin(0.1));
  CHECK(limited > 1.6); // first order at the four extrema only
}

TEST_CASE("advection by upwind and by van Leer makes no new extrema") {
  const std::int64_t n = 40;
  const Grid grid = Domain::make_grid({n, 1, 1}, {0, 0, 0}, {1, 1, 1}, all_periodic);
  const Domain domain(grid, all_periodic, {});
  for (const Advection scheme : {Advection::upwind, Advection::van_leer})
    for (const double speed : {1.0, -1.0}) {
      FaceArrays u = fluid::make_face_arrays(grid);
      fill(grid, u, 0, [speed](const auto&) { return speed; });
      fill(grid, u, 1, [](const auto& x) { return x[0] > 0.3 && x[0] < 0.6 ? 1.0 : 0.0; });
      const double dt = 0.4 / static_cast<double>(n);
      for (int step = 0; step < 60; ++step) {
        const FaceArrays h = forces(domain, u, 1, 0, scheme);
        for (std::int64_t i = 0; i < n; ++i) u[1][i] += dt * h[1][i];
      }
      double total = 0;
      for (double v : u[1]) {
        CHECK(v >= -round_off(60));
        CHECK(v <= 1 + round_off(60));
        total += v;
      }
      CHECK(total == Approx(12).epsilon(round_off(60 * n))); // a constant carrier keeps the sum
    }
}

} // namespace corral::test
