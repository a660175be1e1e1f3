#include "tests/fluid/incompressible/flow_case.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/sanitized.hpp"

#include <numbers>

/// Flow between two walls against formulas.
namespace corral::test {
namespace {

using fluid::FaceArrays;
using fluid::IncompressibleFlow;
using fluid::Inertia;
using fluid::Projection;

constexpr double pi = std::numbers::pi;
constexpr std::array<Projection, 3> projections{Projection::exact, Projection::pm2, Projection::pm3};

/// n cells over a gap of 1 m.
fluid::Domain gap_of(std::int64_t n) { return flow_box({4, n, 3}, true, 1 / static_cast<double>(n)); }

/// Largest difference of component d from a function of y.
template <class F> double apart(const Grid& grid, const FaceArrays& u, int d, F exact) {
  FaceArrays w = u;
  fill(grid, w, d, [&](const auto& x) { return exact(x[1]); });
  return largest_difference(u, w);
}

/// At t = .05 s, a wall set moving at 1 m/s at t = 0 over fluid of viscosity 1 m2/s.
double started_couette(double y) {
  double u = y;
  for (int k = 1; k < 30; ++k) {
    const double a = k * pi;
    u += 2 / a * (k % 2 == 0 ? 1 : -1) * std::exp(-a * a * 0.05) * std::sin(a * y);
  }
  return u;
}

/// No slip on walls, a wave along x and z: u along the wave g'(y) cos s, v = K g(y) sin s, s = K . x, g = sin^2(pi y).
struct Wave {
  double kx, kz;
  double k() const { return std::hypot(kx, kz); }
  static double g(double y) { return std::sin(pi * y) * std::sin(pi * y); }
  static double g1(double y) { return pi * std::sin(2 * pi * y); }
  static double g2(double y) { return 2 * pi * pi * std::cos(2 * pi * y); }
  static double g3(double y) { return -4 * pi * pi * pi * std::sin(2 * pi * y); }

  template <class Along, class Across> void set(const Grid& grid, FaceArrays& u, Along along, Across across) const {
    const auto s = [this](const auto& x) { return kx * x[0] + kz * x[2]; };
    fill(grid, u, 0, [&](const auto& x) { return kx / k() * along(x[1], s(x)); });
    fill(grid, u, 1, [&](const auto& x) { return across(x[1], s(x)); });
    fill(grid, u, 2, [&](const auto& x) { return kz / k() * along(x[1], s(x)); });
  }
  void velocity(const Grid& grid, FaceArrays& u) const {
    set(
        grid, u, [](double y, double s) { return g1(y) * std::cos(s); },
        [this](double y, double s) { return k() * g(y) * std::sin(s); });
  }
  /// -mu Lap u + grad p, p = cos(pi y) sin s.
  void force(const Grid& grid, FaceArrays& f, double mu) const {
    const double K = k();
    set(
        grid, f,
        [=](double y, double s) { return (mu * (K * K * g1(y) - g3(y)) + K * std::cos(pi * y)) * std::cos(s); },
        [=](double y, double s) { return (mu * K * (K * K * g(y) - g2(y)) - pi * std::sin(pi * y)) * std::sin(s); });
  }
};

} // namespace

TEST_CASE("Couette's profile is kept at round-off, by every projection") {
  for (const Projection projection : projections) {
    INFO(fluid::name(projection));
    fluid::Domain domain = gap_of(9);
    domain.set_wall_velocity(2, {-0.5, 0, 2});
    domain.set_wall_velocity(3, {1, 0, -1});
    IncompressibleFlow flow(domain, {.density = 1, .viscosity = 0.3, .projection = projection});
    FlowFields fields(domain.grid());
    const auto x = [](double y) { return -0.5 + 1.5 * y; };
    const auto z = [](double y) { return 2 - 3 * y; };
    fill(domain.grid(), fields.u, 0, [&](const auto& at) { return x(at[1]); });
    fill(domain.grid(), fields.u, 2, [&](const auto& at) { return z(at[1]); });
    for (int s = 0; s < 20; ++s) fields.step(flow, 0.05);
    CHECK(apart(domain.grid(), fields.u, 0, x) < 20 * 2 * round_off(100));
    CHECK(apart(domain.grid(), fields.u, 2, z) < 20 * 2 * round_off(100));
    CHECK(largest(fields.u[1]) < 20 * 2 * round_off(100));
  }
  fluid::Domain domain = gap_of(9);
  domain.set_wall_velocity(3, {1, 0, 0});
  IncompressibleFlow stokes(domain, {.density = 1, .viscosity = 0.3, .inertia = Inertia::none});
  FlowFields fields(domain.grid());
  fields.step(stokes, 1);
  CHECK(apart(domain.grid(), fields.u, 0, [](double y) { return y; }) < round_off(100));
}

TEST_CASE("a wall set moving drags the fluid of a Fourier solve along, to second order") {
  for (const Projection projection : projections) {
    std::vector<double> errors;
    for (const std::int64_t n : {8, 16, 32}) {
      if (sanitized && n > 16) continue;
      fluid::Domain domain = gap_of(n);
      domain.set_wall_velocity(3, {1, 0, 0});
      IncompressibleFlow flow(domain, {.density = 1, .viscosity = 1, .projection = projection});
      FlowFields fields(domain.grid());
      const int steps = static_cast<int>(n * n) / 4; // a start at once is no smooth one: steps are short as cells are
      for (int s = 0; s < steps; ++s) fields.step(flow, 0.05 / steps);
      errors.push_back(apart(domain.grid(), fields.u, 0, started_couette));
    }
    CHECK(observed_order(("Couette from rest, " + std::string(name(projection))).c_str(), errors) > 1.9);
  }
}

TEST_CASE("under a body force the flow is the discrete parabola at round-off") {
  const double force = 3, mu = 0.2;
  for (const std::int64_t n : {2, 5, 16}) {
    const fluid::Domain domain = gap_of(n);
    const double h = 1 / static_cast<double>(n);
    const auto parabola = [=](double y) { return force / (2 * mu) * (y * (1 - y) + 0.25 * h * h); }; // 0 half between
    IncompressibleFlow stokes(domain, {.viscosity = mu, .inertia = Inertia::none, .body_force = {force, 0, 0}});
    FlowFields fields(domain.grid());
    fields.step(stokes, 1);
    CHECK(apart(domain.grid(), fields.u, 0, parabola) < 2 * round_off(100));
    for (const Projection projection : projections) {
      IncompressibleFlow flow(domain,
                              {.density = 1, .viscosity = mu, .projection = projection, .body_force = {force, 0, 0}});
      for (int s = 0; s < 20; ++s) fields.step(flow, 0.05);
      CHECK(apart(domain.grid(), fields.u, 0, parabola) < 20 * 2 * round_off(100));
    }
  }
}

TEST_CASE("a force across walls makes pressure alone") {
  const fluid::Domain domain = gap_of(8);
  IncompressibleFlow flow(domain, {.density = 1, .viscosity = 1, .body_force = {0, 5, 0}});
  FlowFields fields(domain.grid());
  fields.step(flow, 0.1);
  CHECK(largest(fields.u) == 0);
  each_cell_in_turn(domain.grid(), [&](const fluid::Cell& c) {
    const double y = (static_cast<double>(c.place[1]) + 0.5) / 8;
    CHECK(std::abs(fields.pressure[c.index] - 5 * (y - 0.5)) < 5 * round_off(20));
  });
}

TEST_CASE("Stokes flow between walls is a manufactured one, to second order") {
  std::vector<double> errors;
  for (const std::int64_t n : {8, 16, 32}) {
    const fluid::Domain domain = flow_box({n, n, n}, true, 1 / static_cast<double>(n));
    const Wave wave{2 * pi, -4 * pi};
    IncompressibleFlow flow(domain, {.viscosity = 0.7, .inertia = Inertia::none});
    FlowFields fields(domain.grid());
    wave.force(domain.grid(), fields.force, 0.7);
    FaceArrays exact = fields.u;
    wave.velocity(domain.grid(), exact);
    fields.step(flow, 1);
    for (double& v : exact[1]) v = std::abs(v) < 1e-12 ? 0 : v; // on walls
    errors.push_back(largest_difference(fields.u, exact));
  }
  CHECK(observed_order("Stokes flow between walls", errors) > 1.9);
}

TEST_CASE("projections between walls are of second order in time, and all of them go to one flow", "[values][physics]") {
  const std::int64_t n = 16;
  const fluid::Domain domain = flow_box({n, n, 1}, true, 1 / static_cast<double>(n));
  const double end = 0.2;
  // Calls after(steps done, fields) between steps.
  const auto run = [&](Projection projection, int steps, auto&& after) {
    IncompressibleFlow flow(domain,
                            {.density = 1, .viscosity = 0.02, .projection = projection, .body_force = {0.5, 0, 0}});
    FlowFields fields(domain.grid());
    Wave{2 * pi, 0}.velocity(domain.grid(), fields.u);
    flow.project(Cpu{}, fluid::writable_pointers(fields.u));
    for (int s = 0; s < steps; ++s) {
      fields.step(flow, end / steps);
      after(s + 1, fields);
    }
    return fields;
  };
  const std::vector<int> coarse = sanitized ? std::vector<int>{32, 64} : std::vector<int>{64, 128, 256};
  const int many = 16 * coarse.back();
  // A step's pressure is that of its middle: there, the mean of the fine steps before and after.
  std::vector<Array<double>> middle(coarse.size(), Array<double>(domain.grid().cells(), 0.0));
  const FlowFields fine = run(Projection::exact, many, [&](int step, const FlowFields& f) {
    for (std::size_t c = 0; c < coarse.size(); ++c)
      if (const int at = many - many / coarse[c] / 2; step == at || step == at + 1)
        for (std::int64_t i = 0; i < f.pressure.size(); ++i) middle[c][i] += 0.5 * f.pressure[i];
  });
  for (const Projection projection : projections) {
    std::vector<double> errors, pressure_errors;
    for (std::size_t c = 0; c < coarse.size(); ++c) {
      const FlowFields f = run(projection, coarse[c], [](int, const FlowFields&) {});
      errors.push_back(largest_difference(f.u, fine.u));
      double most = 0;
      for (std::int64_t i = 0; i < f.pressure.size(); ++i)
        most = std::max(most, std::abs(f.pressure[i] - middle[c][i]));
      pressure_errors.push_back(most);
    }
    const std::string what = std::string(name(projection)) + " between walls, ";
    CHECK(observed_order((what + "velocity in time").c_str(), errors) > 1.9);
    CHECK(observed_order((what + "pressure in time").c_str(), pressure_errors) > 1.9);
  }
}

} // namespace corral::test
