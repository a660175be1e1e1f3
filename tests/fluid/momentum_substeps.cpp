#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace corral::test {
namespace {

using fluid::Advection;
using fluid::Domain;
using fluid::FaceArrays;
using fluid::SideKind;

/// Those of which a step is a mean of values around.
constexpr std::array<Advection, 2> schemes{Advection::upwind, Advection::van_leer};

/// The force over a step, and the sub-steps that it took.
struct OverStep {
  FaceArrays force;
  int substeps;
};

OverStep over_step(const Domain& domain, const FaceArrays& u, double rho, double mu, Advection scheme, double dt) {
  OverStep r{fluid::make_face_arrays(domain.grid()), 0};
  fluid::MomentumForces operation(domain, rho, mu, scheme);
  r.substeps = operation(Cpu{}, dt, fluid::pointers(u), {r.force[0].data(), r.force[1].data(), r.force[2].data()});
  return r;
}

/// u carried over the step.
FaceArrays carried(const Domain& domain, const FaceArrays& u, double rho, const OverStep& r, double dt) {
  FaceArrays v = u;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    for (std::int64_t f = 0; f < v[i].size(); ++f)
      if (domain.kind(d, f) != fluid::FaceKind::fixed) v[i][f] += dt / rho * r.force[i][f];
  }
  return v;
}

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

TEST_CASE("no step, however long, makes the gas faster than it was anywhere") {
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
          for (std::int64_t f = 0; f < v[static_cast<std::size_t>(d)].size(); ++f) {
            const auto i = static_cast<std::size_t>(d);
            if (domain.kind(d, f) == fluid::FaceKind::fixed) continue;
            before += flow.u[i][f] * flow.u[i][f];
            after += v[i][f] * v[i][f];
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
      const double h = r.force[static_cast<std::size_t>(d)][f];
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
