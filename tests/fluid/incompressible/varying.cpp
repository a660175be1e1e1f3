#include "fluid/incompressible/varying_viscosity.hpp"
#include "tests/fluid/incompressible/flow_case.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/sanitized.hpp"

#include <corral/error.hpp>

#include <functional>
#include <numbers>
#include <random>

/// A viscosity that varies: the operator, and flows with formulas.
namespace corral::test {
namespace {

using fluid::FaceArrays;
using fluid::IncompressibleFlow;
using fluid::Inertia;
using fluid::MeanForce;
using fluid::VaryingViscosity;

constexpr double pi = std::numbers::pi;
/// What iterations leave of a velocity, over the largest.
constexpr double left = 1e-5;

using Place = std::array<double, 3>;

/// f of the middle of every cell.
template <class F> std::vector<double> in_cells(const Grid& grid, F f) {
  std::vector<double> all(static_cast<std::size_t>(grid.cells()));
  each_cell_in_turn(grid, [&](const fluid::Cell& c) {
    Place x{};
    for (std::size_t d = 0; d < 3; ++d) {
      const Axis& axis = grid.axis(static_cast<int>(d));
      x[d] = axis.origin + (static_cast<double>(c.place[d]) + 0.5) * axis.spacing;
    }
    all[static_cast<std::size_t>(c.index)] = f(x);
  });
  return all;
}

/// From 1 to `ratio` [Pa s], at random from cell to cell.
std::vector<double> random_viscosities(const Grid& grid, double ratio) {
  std::mt19937_64 generator(3);
  return in_cells(grid, [&](const Place&) { return std::pow(ratio, static_cast<double>(generator() >> 11) * 0x1p-53); });
}

/// At random, and 0 through walls.
FaceArrays some_velocity(const fluid::Domain& domain, unsigned seed) {
  FaceArrays u = random_velocity(domain, seed), inner = fluid::make_face_arrays(domain.grid());
  each_inner_face(domain, [&](int, const fluid::Face& f, std::size_t i) { inner[i][f.index] = u[i][f.index]; });
  return inner;
}

double product(const FaceArrays& a, const FaceArrays& b) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t f = 0; f < a[d].size(); ++f) sum += a[d][f] * b[d][f];
  return sum;
}

FaceArrays varying_force(const fluid::Domain& domain, const std::vector<double>& mu, const FaceArrays& u,
                         VaryingViscosity::Walls walls = VaryingViscosity::Walls::slide) {
  VaryingViscosity viscosity(domain);
  viscosity.set(Cpu{}, mu.data());
  FaceArrays force = fluid::make_face_arrays(domain.grid());
  viscosity.find_force(Cpu{}, fluid::pointers(u), walls, fluid::writable_pointers(force));
  return force;
}

} // namespace

TEST_CASE("one viscosity everywhere makes the force mu lap u of a velocity without divergence") {
  for (const FourierBox& box : fourier_boxes) {
    const fluid::Domain domain = domain_of(box);
    FaceArrays u = some_velocity(domain, 1);
    IncompressibleFlow(domain, {.density = 1, .viscosity = 1}).project(Cpu{}, fluid::writable_pointers(u));
    const FaceArrays plain = viscous_force(domain, u, 0.7);
    const FaceArrays found = varying_force(domain, in_cells(domain.grid(), [](const Place&) { return 0.7; }), u);
    double most = 0;
    each_inner_face(domain, [&](int, const fluid::Face& f, std::size_t i) {
      most = std::max(most, std::abs(plain[i][f.index] - found[i][f.index]));
    });
    CHECK(most < round_off(200) * largest(plain));
  }
}

TEST_CASE("the force of a viscosity that varies is symmetric, takes energy and gives no momentum") {
  for (const FourierBox& box : fourier_boxes) {
    const fluid::Domain domain = domain_of(box);
    const std::vector<double> mu = random_viscosities(domain.grid(), 20);
    const FaceArrays u = some_velocity(domain, 1), v = some_velocity(domain, 2);
    const auto rest = VaryingViscosity::Walls::rest;
    const FaceArrays Vu = varying_force(domain, mu, u, rest), Vv = varying_force(domain, mu, v, rest);
    const double size = std::abs(product(u, Vu));
    CHECK(std::abs(product(u, Vv) - product(v, Vu)) < round_off(2000) * size);
    CHECK(product(u, Vu) < 0);
    for (std::size_t d = 0; d < 3 && !box.walled; ++d) {
      double sum = 0, all = 0;
      for (const double f : Vu[d]) sum += f, all += std::abs(f);
      CHECK(std::abs(sum) < round_off(2000) * (all + 1));
    }
    const auto sliding = varying_force(domain, mu, u);
    VaryingViscosity viscosity(domain);
    viscosity.set(Cpu{}, mu.data());
    const fluid::ViscousWork work = viscosity.work(Cpu{}, fluid::pointers(u));
    const double power = product(u, sliding) * domain.grid().cell_volume();
    CHECK(std::abs(work.by_walls - work.dissipated - power) < round_off(2000) * work.dissipated);
    CHECK((work.by_walls != 0) == box.walled);
  }
}

TEST_CASE("a stress in excess is the viscosity's over that of the fluid times the rates of strain") {
  for (const bool walled : {false, true}) {
    fluid::Domain domain = flow_box({6, 9, 8}, walled, 0.1);
    const double length = domain.grid().axis(1).length(), volume = 0.6 * 0.9 * 0.8;
    if (walled) domain.set_wall_velocity(3, {2 * length, 0, 3 * length});
    FaceArrays u = fluid::make_face_arrays(domain.grid());
    fill(domain.grid(), u, 0, [](const auto& x) { return 2 * x[1]; });
    fill(domain.grid(), u, 2, [](const auto& x) { return 3 * x[1]; });
    VaryingViscosity viscosity(domain);
    viscosity.set(Cpu{}, in_cells(domain.grid(), [](const Place&) { return 5.0; }).data());
    const auto stress = viscosity.excess_stress(Cpu{}, 1.5, fluid::pointers(u));
    // A box that wraps has it taken back at its ends.
    CHECK(stress[3] == Approx(walled ? 3.5 * 2 * volume : 0).margin(1e-12));
    CHECK(stress[5] == Approx(walled ? 3.5 * 3 * volume : 0).margin(1e-12));
    for (const std::size_t k : {0, 1, 2, 4}) CHECK(stress[k] == Approx(0).margin(1e-12));
  }
}

TEST_CASE("steps with one viscosity that is given everywhere are those without") {
  for (const FourierBox& box : fourier_boxes)
    for (const Inertia inertia : {Inertia::full, Inertia::none}) {
      const fluid::Domain domain = domain_of(box);
      const auto run = [&](bool given) {
        IncompressibleFlow flow(domain, {.density = 2, .viscosity = 0.7, .inertia = inertia,
                                         .mean_force = box.walled ? MeanForce::acts : MeanForce::balanced,
                                         .body_force = {1, 0, 2}});
        if (given) flow.set_viscosity(Cpu{}, in_cells(domain.grid(), [](const Place&) { return 0.7; }).data());
        FlowFields f(domain.grid());
        f.u = some_velocity(domain, 1);
        f.force = random_velocity(domain, 2);
        flow.project(Cpu{}, fluid::writable_pointers(f.u));
        for (int s = 0; s < 3; ++s) f.step(flow, 0.01);
        if (given) CHECK(flow.effort().iterations <= flow.effort().solves);
        return f;
      };
      const FlowFields with = run(true), without = run(false);
      CHECK(largest_difference(with.u, without.u) < round_off(1000) * largest(without.u));
      double most = 0;
      for (std::int64_t c = 0; c < with.pressure.size(); ++c) most = std::max(most, std::abs(with.pressure[c] - without.pressure[c]));
      CHECK(most < round_off(2000) * (largest(without.pressure) + 7 * largest(without.u)));
    }
}

TEST_CASE("flows with a viscosity that varies at random solve their equations") {
  for (const FourierBox& box : fourier_boxes) {
    const fluid::Domain domain = domain_of(box);
    const Grid& grid = domain.grid();
    const std::vector<double> mu = random_viscosities(grid, 10);
    for (const Inertia inertia : {Inertia::full, Inertia::none}) {
      constexpr double rho = 2, dt = 0.02;
      IncompressibleFlow flow(domain, {.density = rho, .viscosity = 1, .inertia = inertia,
                                       .mean_force = box.walled ? MeanForce::acts : MeanForce::balanced});
      flow.set_viscosity(Cpu{}, mu.data());
      FlowFields f(grid);
      f.u = some_velocity(domain, 1);
      f.force = random_velocity(domain, 2);
      for (Array<double>& component : f.force)
        for (double& v : component) v *= 100;
      flow.project(Cpu{}, fluid::writable_pointers(f.u));
      const FaceArrays start = f.u;
      f.step(flow, dt);
      CHECK(relative_divergence(domain, f.u) < round_off(1000));
      const bool moving = inertia == Inertia::full;
      FaceArrays middle = f.u;
      for (std::size_t d = 0; d < 3 && moving; ++d)
        for (std::int64_t i = 0; i < middle[d].size(); ++i) middle[d][i] = 0.5 * (start[d][i] + f.u[d][i]);
      const FaceArrays viscous = varying_force(domain, mu, middle);
      const FaceArrays carried = moving ? advective_force(domain, copy_of(grid, flow.half_velocity()), rho)
                                        : fluid::make_face_arrays(grid);
      double residual = 0;
      std::array<double, 3> mean{};
      for (std::size_t d = 0; d < 3 && !box.walled; ++d)
        for (const double v : f.force[d]) mean[d] += v / static_cast<double>(grid.cells());
      each_inner_face(domain, [&](int d, const fluid::Face& face, std::size_t i) {
        const double change = moving ? rho * (f.u[i][face.index] - start[i][face.index]) / dt : 0;
        residual = std::max(residual, std::abs(change - viscous[i][face.index] - f.force[i][face.index] + mean[i] -
                                               carried[i][face.index] + gradient(grid, d, face, f.pressure)));
      });
      CHECK(residual < 10 * left * std::max(100.0, largest(viscous)));
    }
  }
}

TEST_CASE("what a flow foresees is the middle of the step that follows, and further forces add to it what they are said to") {
  for (const FourierBox& box : fourier_boxes)
    for (const Inertia inertia : {Inertia::full, Inertia::none})
      for (const bool varies : {false, true}) {
        constexpr double dt = 0.02;
        const fluid::Domain domain = domain_of(box);
        const Grid& grid = domain.grid();
        IncompressibleFlow flow(domain, {.density = 2, .viscosity = 0.7, .inertia = inertia,
                                         .mean_force = box.walled ? MeanForce::acts : MeanForce::balanced});
        if (varies) flow.set_viscosity(Cpu{}, random_viscosities(grid, 3).data());
        FlowFields f(grid);
        f.u = some_velocity(domain, 1);
        f.force = random_velocity(domain, 2);
        flow.project(Cpu{}, fluid::writable_pointers(f.u));
        const FaceArrays start = f.u, more = some_velocity(domain, 3);
        const auto foresee = [&] {
          f.u = start;
          flow.foresee(Cpu{}, f.state(), fluid::pointers(f.force), dt);
          if (inertia == Inertia::full) CHECK(same_bits(f.u, start));
          return copy_of(grid, flow.half_velocity());
        };
        const FaceArrays foreseen = foresee();
        f.u = start;
        f.step(flow, dt);
        CHECK(same_bits(foreseen, copy_of(grid, flow.half_velocity())));
        FaceArrays added = more;
        flow.respond_midway(Cpu{}, fluid::writable_pointers(added), dt);
        for (std::size_t d = 0; d < 3; ++d)
          for (std::int64_t i = 0; i < more[d].size(); ++i) f.force[d][i] += more[d][i], added[d][i] += foreseen[d][i];
        CHECK(largest_difference(foresee(), added) < (varies ? left : round_off(1000)) * largest(added));
      }
}

TEST_CASE("a flow whose projection is split does not foresee") {
  const fluid::Domain domain = domain_of(fourier_boxes.back());
  IncompressibleFlow flow(domain, {.density = 1, .viscosity = 1, .projection = fluid::Projection::pm2});
  FlowFields f(domain.grid());
  CHECK_THROWS_AS(flow.foresee(Cpu{}, f.state(), fluid::pointers(f.force), 0.1), Error);
}

// Flow between walls in layers along y of two viscosities.

namespace {

/// Below y = .375 of a gap of 1 m one viscosity, above another [Pa s]: between cells where their number is a multiple of
/// eight.
constexpr double below = 1, above = 6, end = 0.375;

std::vector<double> layers(const Grid& grid) {
  const double h = grid.axis(1).spacing;
  return in_cells(grid, [=](const Place& x) {
    const double share = std::clamp((end - x[1]) / h + 0.5, 0.0, 1.0); // of the cell that is below
    return 1 / (share / below + (1 - share) / above);
  });
}

/// Under a force `pull` along x and a high wall that slides at 1 m/s, tau(y) = tau0 - pull y, u' = tau/mu.
double layered_velocity(double y, double pull) {
  const auto integral = [&](double tau0, double to) { // of u'
    const double low = std::min(to, end), high = std::max(to, end);
    return (tau0 * low - 0.5 * pull * low * low) / below +
           (tau0 * (high - end) - 0.5 * pull * (high * high - end * end)) / above;
  };
  const double without = integral(0, 1), per = integral(1, 1) - without, tau0 = (1 - without) / per;
  return integral(tau0, y);
}

FaceArrays between_walls(std::int64_t n, double pull, Inertia inertia) {
  fluid::Domain domain = flow_box({4, n, 3}, true, 1 / static_cast<double>(n));
  domain.set_wall_velocity(3, {1, 0, 0});
  IncompressibleFlow flow(domain, {.density = 1, .viscosity = below, .inertia = inertia, .body_force = {pull, 0, 0}});
  flow.set_viscosity(Cpu{}, layers(domain.grid()).data());
  FlowFields f(domain.grid());
  if (inertia == Inertia::full) f.u = between_walls(n, pull, Inertia::none); // which it keeps
  for (int s = 0; s < 3; ++s) f.step(flow, 0.05);
  return f.u;
}

double error_of_layers(std::int64_t n, double pull, Inertia inertia) {
  const FaceArrays found = between_walls(n, pull, inertia);
  const Grid grid = flow_box({4, n, 3}, true, 1 / static_cast<double>(n)).grid();
  double most = 0;
  each_face_in_turn(grid, 0, [&](const fluid::Face& f) {
    const double y = (static_cast<double>(f.place[1]) + 0.5) / static_cast<double>(n);
    if (std::abs(y - end) * static_cast<double>(n) < 0.499) return; // in the cell through which both layers go
    most = std::max(most, std::abs(found[0][f.index] - layered_velocity(y, pull)));
  });
  return most;
}

} // namespace

TEST_CASE("a sheared gap of two layers has its exact profile, wherever in a cell they meet") {
  for (const std::int64_t n : {16, 18, 9})
    for (const Inertia inertia : {Inertia::full, Inertia::none}) CHECK(error_of_layers(n, 0, inertia) < left);
}

TEST_CASE("layers of two viscosities that a pressure drives are of second order") {
  for (const Inertia inertia : {Inertia::full, Inertia::none}) {
    std::vector<double> errors;
    for (const std::int64_t n : {8, 16, 32}) errors.push_back(error_of_layers(n, 20, inertia));
    CHECK(observed_order("two layers under a force", errors) > 1.9);
  }
}

// A flow that repeats itself, made up: u = curl of a potential, mu smooth, and the force that both need.

namespace {

/// u = (sin y, sin z, sin x) times waves that add shear along all axes: u_x = sin y + cos z, and so on round.
double made(std::size_t d, const Place& x) {
  const std::size_t e = (d + 1) % 3, g = (d + 2) % 3;
  return std::sin(x[e]) + std::cos(x[g]);
}
double made_viscosity(const Place& x) { return std::exp(0.8 * std::sin(x[0] + x[1]) * std::cos(x[2])); }

/// -div 2 mu D(u) by differences of formulas, which are exact to 1e-9.
double made_force(std::size_t d, const Place& at) {
  constexpr double step = 1e-4;
  const auto moved = [](Place x, std::size_t e, double by) {
    x[e] += by;
    return x;
  };
  const auto rate = [&](std::size_t a, std::size_t b, const Place& x) {
    return (made(a, moved(x, b, step)) - made(a, moved(x, b, -step))) / (2 * step);
  };
  double force = 0;
  for (std::size_t e = 0; e < 3; ++e) {
    const auto stress = [&](const Place& x) { return made_viscosity(x) * (rate(d, e, x) + rate(e, d, x)); };
    force -= (stress(moved(at, e, step)) - stress(moved(at, e, -step))) / (2 * step);
  }
  return force;
}

double made_error(std::int64_t n) {
  const fluid::Domain domain = flow_box({n, n, n}, false, 2 * pi / static_cast<double>(n));
  IncompressibleFlow flow(domain, {.viscosity = 1, .inertia = Inertia::none, .mean_force = MeanForce::balanced});
  flow.set_viscosity(Cpu{}, in_cells(domain.grid(), made_viscosity).data());
  FlowFields f(domain.grid());
  FaceArrays exact = fluid::make_face_arrays(domain.grid());
  for (std::size_t d = 0; d < 3; ++d) {
    fill(domain.grid(), f.force, static_cast<int>(d), [&](const Place& x) { return made_force(d, x); });
    fill(domain.grid(), exact, static_cast<int>(d), [&](const Place& x) { return made(d, x); });
  }
  f.step(flow, 1);
  return largest_difference(f.u, exact);
}

} // namespace

TEST_CASE("a flow that is made up with a smooth viscosity is found to second order") {
  std::vector<double> errors;
  for (const std::int64_t n : {8, 16, 32}) errors.push_back(made_error(n));
  CHECK(observed_order("a made-up flow with a viscosity that varies", errors) > 1.9);
}

TEST_CASE("iterations depend on the ratio of viscosities, and little on grids and steps") {
  const auto taken = [](std::int64_t n, double ratio, double dt) {
    const fluid::Domain domain = flow_box({n, n, n}, false, 1 / static_cast<double>(n));
    IncompressibleFlow flow(domain, {.density = 1, .viscosity = 1, .inertia = dt > 0 ? Inertia::full : Inertia::none,
                                     .mean_force = MeanForce::balanced});
    flow.set_viscosity(Cpu{}, in_cells(domain.grid(), [&](const Place& x) { // a sphere
                                return std::hypot(x[0] - 0.5, x[1] - 0.5, x[2] - 0.5) < 0.3 ? ratio : 1.0;
                              }).data());
    FlowFields f(domain.grid());
    f.force = random_velocity(domain, 1);
    f.step(flow, dt > 0 ? dt : 1);
    return static_cast<double>(flow.effort().iterations) / static_cast<double>(flow.effort().solves);
  };
  struct Most {
    double ratio, iterations;
  };
  for (const Most& most : {Most{0.2, 16}, Most{2, 9}, Most{5, 16}, Most{10, 23}, Most{50, 46}}) {
    if (sanitized && most.ratio != 2) continue;
    const double slow = taken(16, most.ratio, 0), fine = taken(32, most.ratio, 0);
    INFO("ratio " << most.ratio << ": " << slow << ", " << fine);
    CHECK(slow < most.iterations);
    CHECK(std::abs(fine - slow) <= 2);
    for (const double dt : {1e-4, 0.1}) CHECK(taken(16, most.ratio, dt) < 0.7 * slow);
  }
}

// What balances pressure is then by far more than what changes, whose round-off iterations must not take for the flow's.
TEST_CASE("a flow around a thick sphere in a sheared box becomes steady, stays so, and without divergence", "[values][physics]") {
  constexpr std::int64_t n = 16;
  const fluid::Domain domain = flow_box({n, n, n}, false, 1e-6);
  const Grid& grid = domain.grid();
  IncompressibleFlow flow(domain, {.density = 1e3, .viscosity = 1e-3});
  flow.set_viscosity(Cpu{}, in_cells(grid, [&](const Place& x) {
                       return std::hypot(x[0] - 8e-6, x[1] - 8e-6, x[2] - 8e-6) < 4e-6 ? 5e-3 : 1e-3;
                     }).data());
  FlowFields f(grid);
  const fluid::BoxShear shear{2, 1, 1000};
  fluid::add_shear(Cpu{}, grid, shear, fluid::writable_pointers(f.u));
  fluid::add_shear_force(Cpu{}, grid, shear, 1e-3, fluid::writable_pointers(f.force));
  for (int s = 0; s < (sanitized ? 10 : 300); ++s) f.step(flow, 1e-6);
  const FaceArrays before = f.u;
  const auto effort = flow.effort();
  for (int s = 0; s < (sanitized ? 5 : 100); ++s) f.step(flow, 1e-6);
  if (!sanitized) CHECK(largest_difference(before, f.u) < 1e-9 * largest(f.u));
  CHECK(relative_divergence(domain, f.u) < 100 * round_off(100));
  CHECK(flow.effort().iterations - effort.iterations < 20 * (flow.effort().solves - effort.solves));
}

TEST_CASE("a viscosity that varies is refused where pressure is found after the velocity") {
  const fluid::Domain domain = flow_box({4, 4, 4}, true, 1);
  const std::vector<double> mu(64, 1.0);
  for (const auto projection : {fluid::Projection::pm2, fluid::Projection::pm3})
    CHECK_THROWS_AS(IncompressibleFlow(domain, {.density = 1, .viscosity = 1, .projection = projection}).set_viscosity(Cpu{}, mu.data()),
                    Error);
}

} // namespace corral::test
