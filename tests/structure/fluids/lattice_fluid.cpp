#include "run/state/registry.hpp"
#include "structure/fluids/flow_case.hpp"
#include "structure/fluids/lattice_case.hpp"
#include "structure/fluids/make_fluid.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace corral::test {
namespace {

using structure::ConstVectorField;
using structure::FlowSetup;
using structure::Fluid;

constexpr double um = 1e-6, water = 1e3, thin = 1e-3; // [m], [kg/m3], [Pa s]

/// A box of cubes of water, periodic, or between walls of y.
FlowSetup lattice_setup(std::array<std::int64_t, 3> cells, bool walls, double h = um) {
  FlowSetup setup;
  setup.fluid.method = structure::FluidMethod::lattice;
  setup.fluid.rho = water, setup.fluid.mu = thin;
  setup.cells = cells;
  for (std::size_t d = 0; d < 3; ++d) setup.size[d] = h * static_cast<double>(cells[d]);
  setup.sides.fill(fluid::SideKind::periodic);
  if (walls) setup.sides[2] = setup.sides[3] = fluid::SideKind::no_slip;
  return setup;
}

/// Of this tau [s].
double step_of(const FlowSetup& setup, double tau) {
  const double h = setup.size[0] / static_cast<double>(setup.cells[0]);
  return (tau - 0.5) * h * h * setup.fluid.rho / (3 * setup.fluid.mu);
}

struct LatticeRun {
  FlowSetup setup;
  double dt;
  fluid::Domain domain;
  run::Registry registry;
  std::unique_ptr<Fluid<Cpu>> fluid;

  LatticeRun(FlowSetup given, double tau)
      : setup(std::move(given)), dt(step_of(setup, tau)), domain(setup.make_domain()), registry(domain.grid()),
        fluid(structure::make_fluid(Cpu{}, setup, dt, domain, registry)) {
    fluid->start();
  }
  void step(int steps = 1) {
    for (int s = 0; s < steps; ++s) {
      fluid->begin_forces(Cpu{});
      fluid->step(Cpu{}, dt);
    }
  }
  std::int64_t cells() const { return domain.grid().cells(); }
};

std::vector<double> copied(const double* values, std::int64_t n) { return {values, values + n}; }

double largest(const double* values, std::int64_t n) {
  double most = 0;
  for (std::int64_t i = 0; i < n; ++i) most = std::max(most, std::abs(values[i]));
  return most;
}

} // namespace

TEST_CASE("what a lattice fluid foresees is the velocity in the middle of its step, and what forces add to it") {
  LatticeRun r(lattice_setup({6, 5, 4}, true), 0.8);
  structure::VectorField f = r.fluid->begin_forces(Cpu{});
  for (std::int64_t c = 0; c < r.cells(); ++c) f[0][c] = 1e6 * std::sin(static_cast<double>(c)), f[2][c] = 3e5;
  r.fluid->step(Cpu{}, r.dt);
  const std::array<std::int64_t, 2> rows{3, 13};
  const std::array<fluid::RowPart, 2> parts{{{3, 0, 6}, {13, 0, 6}}};
  const auto push = [&](std::int64_t c) { f[1][c] = 1e6 * std::cos(static_cast<double>(c)); };
  f = r.fluid->begin_forces_in(Cpu{}, parts);
  for (const std::int64_t row : rows)
    for (std::int64_t c = 6 * row; c < 6 * row + 6; ++c) push(c);
  r.fluid->foresee(Cpu{}, r.dt);
  std::vector<double> in_rows;
  for (const std::int64_t row : rows)
    for (std::int64_t i = 0; i < 6; ++i) in_rows.push_back(r.fluid->velocity_midway()[1][6 * row + i]);
  f = r.fluid->begin_forces(Cpu{});
  for (std::int64_t c = 0; c < r.cells(); ++c) push(c);
  r.fluid->foresee(Cpu{}, r.dt);
  const ConstVectorField midway = r.fluid->velocity_midway();
  const std::array<std::vector<double>, 3> seen{copied(midway[0], r.cells()), copied(midway[1], r.cells()), copied(midway[2], r.cells())};
  for (std::size_t k = 0; k < 2; ++k)
    for (std::int64_t i = 0; i < 6; ++i) CHECK(in_rows[6 * k + i] == seen[1][6 * rows[k] + i]);
  // What is added to forces afterwards adds to it as respond_midway says, but for density, which differs by 1e-4.
  std::array<std::vector<double>, 3> more;
  structure::VectorField change{};
  for (std::size_t d = 0; d < 3; ++d) {
    more[d].assign(r.cells(), 0.0);
    for (std::int64_t c = 0; c < r.cells(); ++c) more[d][c] = 1e5 * std::sin(static_cast<double>(c + 7 * d));
    for (std::int64_t c = 0; c < r.cells(); ++c) f[d][c] += more[d][c];
    change[d] = more[d].data();
  }
  r.fluid->respond_midway(Cpu{}, change, r.dt);
  r.fluid->step(Cpu{}, r.dt);
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t c = 0; c < r.cells(); ++c)
      CHECK(r.fluid->velocity_midway()[d][c] == Approx(seen[d][c] + change[d][c]).epsilon(1e-3).margin(1e-9));
  CHECK(r.fluid->middle() == 0);
  CHECK_THROWS_WITH(r.fluid->step(Cpu{}, 2 * r.dt), Catch::Matchers::Contains("time.step = fixed"));
}

TEST_CASE("a lattice fluid starts as its flow stands") {
  for (const bool walls : {true, false})
    for (const bool pushed : {false, true}) {
      if (pushed && !walls) continue;
      INFO((walls ? "walls" : "periodic") << (pushed ? ", pushed" : ""));
      FlowSetup setup = lattice_setup({4, 12, 4}, walls);
      const double rate = 1e3;
      setup.drive.shear_rate = rate;
      setup.drive.velocity = {0.001, 0, 0.002};
      if (walls) setup.drive.wall_velocity[2][2] = -rate * 6 * um, setup.drive.wall_velocity[3][2] = rate * 6 * um;
      if (walls) setup.drive.velocity = {};
      if (pushed) setup.drive.body_force = {2e5, 0, 1e5};
      LatticeRun r(setup, 0.9);
      const auto before = copied(r.fluid->velocity()[2], r.cells());
      const double fastest = largest(before.data(), r.cells());
      for (std::int64_t c = 0; c < r.cells(); ++c) {
        const double y = (static_cast<double>(c / 4 % 12) + 0.5) * um;
        const double parabola = pushed ? 1e5 / (2 * thin) * y * (12 * um - y) : 0;
        CHECK(before[c] == Approx(setup.drive.velocity[2] + rate * (y - 6 * um) + parabola).margin(1e-12));
      }
      const std::array<double, 3> began = r.fluid->momentum();
      r.step(1000);
      if (!walls) CHECK(std::abs(r.fluid->momentum()[2] - began[2]) < 1e-12 * water * std::pow(12 * um, 3) * fastest);
      const ConstVectorField after = r.fluid->velocity();
      double apart = 0;
      for (std::int64_t c = 0; c < r.cells(); ++c) apart = std::max(apart, std::abs(after[2][c] - before[c]));
      CHECK(apart < (pushed ? 1e-3 : 1e-7) * fastest); // of what is out of equilibrium a start knows no second derivatives
      // What drives it is what it dissipates.
      const Fluid<Cpu>::Powers powers = r.fluid->powers();
      CHECK(powers.dissipation == Approx(powers.drive).epsilon(pushed ? 0.02 : 1e-6));
      CHECK(powers.dissipation > 0.9 * thin * rate * rate * 4 * 4 * 12 * um * um * um);
    }
}

TEST_CASE("a lattice fluid whose mean flow is kept keeps it, and shows half of the last forces") {
  FlowSetup setup = lattice_setup({6, 6, 6}, false);
  setup.drive.keeps_mean = true;
  setup.drive.body_force = {1e5, 0, 0};
  setup.drive.velocity = {0.01, 0.02, 0};
  LatticeRun r(setup, 0.8);
  const std::array<double, 3> before = r.fluid->momentum();
  for (int s = 0; s < 5; ++s) {
    const structure::VectorField f = r.fluid->begin_forces(Cpu{});
    f[1][17] = 1e6;
    r.fluid->step(Cpu{}, r.dt);
  }
  for (std::size_t d = 0; d < 3; ++d) CHECK(r.fluid->momentum()[d] == Approx(before[d]).margin(1e-12 * before[1]));
  const double carried = r.fluid->velocity()[1][17], force = r.fluid->forces()[1][17];
  r.fluid->before_output();
  const double shown = (*r.registry.find("velocity", 1)->reals())[17];
  CHECK(shown - carried == Approx(0.5 * r.dt * force / water).epsilon(1e-3));
  CHECK(r.fluid->velocity()[1][17] == carried);
}

TEST_CASE("a lattice fluid says when it moves too fast, and when it has blown up") {
  LatticeRun r(lattice_setup({6, 6, 6}, false), 0.6);
  const double per_step = um / r.dt; // a cell
  const auto push = [&](double cells) {
    const structure::VectorField f = r.fluid->begin_forces(Cpu{});
    for (std::int64_t c = 0; c < r.cells(); ++c) f[0][c] = cells * per_step * water / r.dt;
    r.fluid->step(Cpu{}, r.dt);
  };
  push(0.1);
  CHECK(r.fluid->fastest().speed == Approx(0.05 * per_step)); // half of the force is in the middle
  CHECK(r.fluid->fastest().rate == Approx(0.05 / r.dt));
  push(0.1);
  CHECK_THROWS_WITH(push(0.1), Catch::Matchers::Contains("Mach number of 0.433"));
  CHECK_THROWS_WITH(push(std::nan("")), Catch::Matchers::Contains("no number"));
}

TEST_CASE("numbers of a lattice are those of its flow") {
  FlowSetup setup = lattice_setup({8, 10, 1}, true);
  setup.drive.wall_velocity[3] = {0.3, 0, 0};
  const double dt = step_of(setup, 0.7);
  const structure::LatticeNumbers n = structure::lattice_numbers(setup, dt);
  CHECK(n.tau == Approx(0.7));
  CHECK(n.speed == Approx(0.3));
  CHECK(n.mach == Approx(std::sqrt(3.) * 0.3 * dt / um));
  CHECK(n.grid_reynolds == Approx(0.3 * um * water / thin));
  CHECK(structure::lattice_properties(setup, dt).set == fluid::lattice::VelocitySet::d2q9);
  setup.drive.wall_velocity = {};
  setup.drive.body_force = {1e6, 0, 0};
  setup.drive.developed = false; // it develops all the same
  CHECK(structure::lattice_numbers(setup, dt).speed == Approx(1e6 / (8 * thin) * 100 * um * um));
}

} // namespace corral::test
