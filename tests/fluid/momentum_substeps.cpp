#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace corral::test {
namespace {

using fluid::Advection;
using fluid::Domain;
using fluid::FaceArrays;
using fluid::SideKind;

double largest(const FaceArrays& u, std::size_t d) {
  double m = 0;
  for (const double v : u[d]) m = std::max(m, std::abs(v));
  return m;
}

/// Boxes with every kind of side, thin axes among them.
std::vector<Domain> boxes() {
  using enum SideKind;
  std::vector<Domain> all;
  for (const auto& cells :
       {std::array<std::int64_t, 3>{5, 4, 6}, {1, 5, 6}, {5, 1, 4}, {1, 1, 7}, {6, 4, 1}, {1, 1, 1}})
    for (const auto& sides : {all_periodic, std::array{no_slip, no_slip, no_slip, no_slip, no_slip, no_slip},
                              std::array{free_slip, no_slip, periodic, periodic, no_slip, outlet},
                              std::array{symmetry, symmetry, no_slip, free_slip, free_slip, outlet}})
      all.emplace_back(Domain::make_grid(cells, {0, 0, 0}, {0.5, 0.4, 0.9}, sides), sides, std::vector<fluid::Inlet>{});
  return all;
}

/// The largest c: 1 over the longest step that is a single mean, found by hand from what all of the field allows.
double upper_rate(const Domain& domain, double nu, Advection scheme) {
  double c = 0;
  for (int d = 0; d < 3; ++d) {
    const double h = domain.grid().axis(d).spacing;
    c += (scheme == Advection::upwind ? 1 : 2) / h + 2 * nu / (h * h);
  }
  return c;
}

} // namespace

TEST_CASE("no step, however long, makes the gas faster than it was anywhere", "[values]") {
  unsigned seed = 0;
  for (const Domain& domain : boxes())
    for (const Advection scheme : schemes)
      for (const double mu : {0.0, 1e-2, 10.0})
        for (const double crossed : {0.5, 1.5, 7.0, 9.0, 50.0, 1e3}) {
          const double rho = 1.2, dt = crossed / upper_rate(domain, mu / rho, scheme);
          const FaceArrays u = random_velocity(domain, ++seed);
          const OverStep r = over_step(domain, u, rho, mu, scheme, dt);
          const FaceArrays v = carried(domain, u, rho, r, dt);
          INFO("box " << domain.grid().axis(0).cells << " x " << domain.grid().axis(1).cells << " x "
                      << domain.grid().axis(2).cells << ", " << fluid::name(domain.side_kind(0)) << ", viscosity " << mu
                      << ", " << crossed << " cells, " << r.substeps << " sub-steps");
          CHECK(r.substeps <= fluid::MomentumForces::most_substeps);
          for (std::size_t d = 0; d < 3; ++d) CHECK(largest(v, d) <= largest(u, d) * (1 + round_off(200)));
        }
}

TEST_CASE("no step makes the gas faster than it or a wall was anywhere") {
  using enum SideKind;
  const std::array<SideKind, 6> sides{free_slip, outlet, no_slip, no_slip, no_slip, no_slip};
  Domain domain(Domain::make_grid({5, 4, 6}, {0, 0, 0}, {0.5, 0.4, 0.9}, sides), sides, {});
  domain.set_wall_velocity(fluid::side(1, true), {6, 0, 0});
  domain.set_wall_velocity(fluid::side(2, false), {0, -3, 0});
  const FaceArrays u = random_velocity(domain, 12);
  for (const Advection scheme : schemes)
    for (const double dt : {0.001, 0.05, 3.0}) {
      const FaceArrays v = carried(domain, u, 1.2, over_step(domain, u, 1.2, 0.5, scheme, dt), dt);
      const std::array<double, 3> most{6, 3, 1};
      for (std::size_t d = 0; d < 3; ++d) CHECK(largest(v, d) <= most[d] * (1 + round_off(200)));
      if (dt > 1) CHECK(largest(v, 0) > 1.5); // the wall is felt
    }
}

TEST_CASE("no step with central advection in a flow without divergence gives energy, with viscosity or without") {
  using enum SideKind;
  unsigned seed = 20;
  for (const auto& sides : {all_periodic, std::array{no_slip, free_slip, periodic, periodic, no_slip, no_slip}}) {
    const Domain domain(Domain::make_grid({8, 6, 7}, {0, 0, 0}, {0.5, 0.4, 0.9}, sides), sides, {});
    for (const double mu : {0.0, 1e-3, 0.1})
      for (const double crossed : {0.5, 1.0, 3.0, 8.0, 50.0, 1e4}) {
        ProjectionFlow flow(domain, 0, Advection::central);
        flow.u = random_velocity(domain, ++seed);
        flow.project();
        const double rho = 1.2, dt = crossed / upper_rate(domain, mu / rho, Advection::central);
        const OverStep r = over_step(domain, flow.u, rho, mu, Advection::central, dt);
        const FaceArrays v = carried(domain, flow.u, rho, r, dt);
        double before = 0, after = 0;
        for (int d = 0; d < 3; ++d)
          for (std::int64_t f = 0; f < v[d].size(); ++f) {
            if (domain.kind(d, f) == fluid::FaceKind::fixed) continue;
            before += flow.u[d][f] * flow.u[d][f];
            after += v[d][f] * v[d][f];
          }
        INFO(crossed << " cells, viscosity " << mu << ", " << r.substeps << " sub-steps");
        if (crossed <= 8) // beyond, the sum is weighted by how much a face's change is cut
          CHECK(after < before);
        else
          CHECK(after < 2 * before);
        if (crossed == 0.5 && mu == 0) CHECK(after > 0.98 * before); // third order: what is lost is (dt c)^4
      }
  }
}

TEST_CASE("a step within a cell is one sub-step, with the bits of the force itself") {
  unsigned seed = 0;
  for (const Domain& domain : boxes())
    for (const Advection scheme : schemes) {
      const FaceArrays u = random_velocity(domain, ++seed);
      const OverStep r = over_step(domain, u, 1.2, 1e-2, scheme, 0.999 / upper_rate(domain, 1e-2 / 1.2, scheme));
      const FaceArrays h = forces(domain, u, 1.2, 1e-2, scheme);
      CHECK(r.substeps == 1);
      for (std::size_t d = 0; d < 3; ++d) CHECK(std::equal(h[d].begin(), h[d].end(), r.force[d].begin()));
    }
}

TEST_CASE("as many sub-steps as cells are crossed, at most eight") {
  const Grid grid = Domain::make_grid({8, 1, 1}, {0, 0, 0}, {8, 1, 1}, all_periodic);
  const Domain domain(grid, all_periodic, {});
  FaceArrays u = fluid::make_face_arrays(grid);
  fill(grid, u, 0, [](const auto&) { return -2.0; });
  const auto count = [&](Advection scheme, double mu, double dt) {
    return over_step(domain, u, 1, mu, scheme, dt).substeps;
  };
  CHECK(count(Advection::upwind, 0, 0.5) == 1);
  CHECK(count(Advection::upwind, 0, 0.51) == 2);
  CHECK(count(Advection::upwind, 0, 2.4) == 5);
  CHECK(count(Advection::upwind, 1, 0.5) == 2); // 2 nu/h^2 along x; y and z have one point that no wall turns
  CHECK(count(Advection::upwind, 0, 4) == 8);
  CHECK(count(Advection::upwind, 0, 400) == 8);
  CHECK(count(Advection::van_leer, 0, 0.5) == 2);
  CHECK(count(Advection::central, 0, 0.5) == 1);
  CHECK(count(Advection::central, 1, 0.5) == 2);

  // What flows towards a face from both sides has no mean, but central advection knows of it.
  const Domain square(Domain::make_grid({1, 8, 1}, {0, 0, 0}, {1, 8, 1}, all_periodic), all_periodic, {});
  FaceArrays v = fluid::make_face_arrays(square.grid());
  for (std::int64_t j = 0; j < 8; ++j) v[1][j] = j % 2 == 0 ? 2 : -2;
  CHECK(over_step(square, v, 1, 0, Advection::central, 0.51).substeps == 2);
}

TEST_CASE("walls and inlets keep their velocity through the sub-steps, and the force there is 0") {
  using enum SideKind;
  const std::array<SideKind, 6> sides{no_slip, no_slip, no_slip, no_slip, no_slip, outlet};
  const Grid grid = Domain::make_grid({4, 3, 5}, {0, 0, 0}, {1, 1, 1}, sides);
  const Domain domain(grid, sides, {});
  const FaceArrays u = random_velocity(domain, 1);
  const OverStep r = over_step(domain, u, 1.2, 1e-3, Advection::van_leer, 1);
  REQUIRE(r.substeps > 1);
  int moved = 0;
  for (int d = 0; d < 3; ++d)
    for (std::int64_t f = 0; f < grid.points(face(d)); ++f) {
      const double h = r.force[d][f];
      if (domain.kind(d, f) == fluid::FaceKind::fixed)
        CHECK(h == 0);
      else
        moved += h != 0;
    }
  CHECK(moved > 60);
}

TEST_CASE("sub-steps have the same bits for any number of threads") {
  using enum SideKind;
  const std::array<SideKind, 6> sides{periodic, periodic, no_slip, free_slip, no_slip, outlet};
  const Domain domain(Domain::make_grid({24, 20, 22}, {0, 0, 0}, {1, 1, 1}, sides), sides, {});
  const FaceArrays u = random_velocity(domain, 3);
  for (const Advection scheme : {Advection::van_leer, Advection::central}) {
    OverStep reference;
    for (const int threads : {1, 2, 3}) {
      OverStep r;
      run_with_threads(threads, [&] { r = over_step(domain, u, 1.2, 1e-4, scheme, 0.05); });
      CHECK(r.substeps > 1);
      if (threads == 1) reference = r;
      for (std::size_t d = 0; d < 3; ++d)
        CHECK(std::equal(r.force[d].begin(), r.force[d].end(), reference.force[d].begin()));
    }
  }
}

} // namespace corral::test
