#include "tests/fluid/incompressible/flow_case.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/sanitized.hpp"

#include <numbers>
#include <random>

/// A step's result, put into the equations by operators that know nothing of it: residuals at round-off.
namespace corral::test {
namespace {

using fluid::FaceArrays;
using fluid::IncompressibleFlow;
using fluid::Projection;

/// Rounding of a transform forward and back, of a solve and of what is summed here, in units of the largest term.
const double rounding = round_off(200);

const std::vector<FourierBox> boxes = [] {
  std::vector<FourierBox> all = fourier_boxes;
  all.push_back({{32, 31, 30}, true});
  return all;
}();

/// Values of the size that flows at cells' scale have: h .25 um, water, some mm/s.
constexpr double h = 0.25e-6, rho = 1e3, mu = 1e-3, speed = 5e-3, dt = 1e-7;

fluid::Domain make_box(const FourierBox& b) {
  fluid::Domain domain = flow_box(b.cells, b.walled, h, {1, 1.2, 0.9});
  if (b.walled) {
    domain.set_wall_velocity(2, {speed, 0, -0.5 * speed});
    domain.set_wall_velocity(3, {-0.3 * speed, 0, 0.7 * speed});
  }
  return domain;
}

void randomise(FaceArrays& u, double size, unsigned seed) {
  std::mt19937_64 generator(seed);
  for (auto& component : u)
    for (double& v : component) v = size * (static_cast<double>(generator() >> 11) * 0x1p-52 - 1);
}

} // namespace

TEST_CASE("a projected velocity has no divergence, and what is taken out is a gradient") {
  for (const FourierBox& box : boxes) {
    INFO(said(box));
    const fluid::Domain domain = make_box(box);
    IncompressibleFlow flow(domain, {.density = rho, .viscosity = mu});
    FaceArrays u = fluid::make_face_arrays(domain.grid());
    randomise(u, speed, 1);
    const FaceArrays before = u;
    flow.project(Cpu{}, fluid::writable_pointers(u));
    CHECK(relative_divergence(domain, u) < rounding);
    FaceArrays taken = fluid::make_face_arrays(domain.grid());
    each_inner_face(domain, [&](int, const fluid::Face& f, std::size_t i) {
      taken[i][f.index] = before[i][f.index] - u[i][f.index];
    });
    CHECK(largest(taken) > 0.01 * speed);
    flow.project(Cpu{}, fluid::writable_pointers(taken));
    CHECK(largest(taken) < rounding * speed);
    const FaceArrays once = u;
    flow.project(Cpu{}, fluid::writable_pointers(u));
    CHECK(largest_difference(once, u) < rounding * speed);
  }
}

TEST_CASE("both halves of a step solve their equations") {
  for (const FourierBox& box : boxes) {
    INFO(said(box));
    const fluid::Domain domain = make_box(box);
    const Grid& grid = domain.grid();
    const std::array<double, 3> body{3e5, box.walled ? 2e5 : 0.0, -1e5};
    IncompressibleFlow flow(domain, {.density = rho, .viscosity = mu, .body_force = body});
    FlowFields fields(grid);
    randomise(fields.u, speed, 2);
    flow.project(Cpu{}, fluid::writable_pointers(fields.u));
    const double acceleration = rho * speed / dt;
    randomise(fields.force, acceleration, 3);
    const FaceArrays start = fields.u;
    fields.step(flow, dt);
    const FaceArrays half = copy_of(grid, flow.half_velocity());

    const FaceArrays first = advective_force(domain, start, rho), second = advective_force(domain, half, rho);
    FaceArrays middle = start;
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t f = 0; f < middle[d].size(); ++f) middle[d][f] = 0.5 * (start[d][f] + fields.u[d][f]);
    const FaceArrays viscous_half = viscous_force(domain, half, mu), viscous = viscous_force(domain, middle, mu);
    const double largest_term = std::max({acceleration, largest(fields.force), largest(viscous), largest(viscous_half),
                                          largest(first), largest(second)});
    FaceArrays gradient_of_half = fluid::make_face_arrays(grid);
    double residual = 0;
    each_inner_face(domain, [&](int d, const fluid::Face& f, std::size_t i) {
      const auto at = f.index;
      const double force = fields.force[i][at] + body[i];
      gradient_of_half[i][at] =
          viscous_half[i][at] + force + first[i][at] - rho * (half[i][at] - start[i][at]) / (0.5 * dt);
      residual = std::max(residual, std::abs(rho * (fields.u[i][at] - start[i][at]) / dt - viscous[i][at] - force -
                                             second[i][at] + gradient(grid, d, f, fields.pressure)));
    });
    CHECK(residual < rounding * largest_term);
    CHECK(relative_divergence(domain, fields.u) < rounding);
    CHECK(relative_divergence(domain, half) < rounding);
    flow.project(Cpu{}, fluid::writable_pointers(gradient_of_half)); // a gradient leaves nothing
    CHECK(largest(gradient_of_half) < rounding * largest_term);
    double mean = 0;
    for (const double p : fields.pressure) mean += p / static_cast<double>(grid.cells());
    CHECK(std::abs(mean) < rounding * largest(fields.pressure));
  }
}

TEST_CASE("Stokes flow balances viscosity, pressure and force") {
  for (const FourierBox& box : boxes) {
    INFO(said(box));
    const fluid::Domain domain = make_box(box);
    const Grid& grid = domain.grid();
    IncompressibleFlow flow(domain, {.density = 0,
                                     .viscosity = mu,
                                     .inertia = fluid::Inertia::none,
                                     .mean_force = box.walled ? fluid::MeanForce::acts : fluid::MeanForce::balanced});
    FlowFields fields(grid);
    randomise(fields.force, 1e6, 4);
    fields.step(flow, dt);
    CHECK(flow.half_velocity() == fluid::pointers(fields.u));
    std::array<double, 3> mean{};
    if (!box.walled)
      for (std::size_t d = 0; d < 3; ++d)
        for (const double f : fields.force[d]) mean[d] += f / static_cast<double>(grid.cells());
    const FaceArrays viscous = viscous_force(domain, fields.u, mu);
    double residual = 0;
    each_inner_face(domain, [&](int d, const fluid::Face& f, std::size_t i) {
      residual = std::max(residual, std::abs(viscous[i][f.index] + fields.force[i][f.index] - mean[i] -
                                             gradient(grid, d, f, fields.pressure)));
    });
    CHECK(residual < rounding * std::max(largest(fields.force), 12 * mu * largest(fields.u) / (h * h)));
    CHECK(relative_divergence(domain, fields.u) < rounding);
  }
}

// Decaying vortices in a stream (Taylor and Green 1937): orders in space and in time, each with the other's error out
// of the way.

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
