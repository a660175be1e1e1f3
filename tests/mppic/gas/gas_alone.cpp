#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/sanitized.hpp"

#include <cmath>
#include <numbers>

/// The step without a parcel is a flow solver, and formulas hold for it.
namespace corral::test {
namespace {

using fluid::Advection;
using fluid::SideKind;
using fluid::Viscosity;
using mppic::MomentumForm;
using mppic::Setup;

/// The forms of momentum and viscosity that a case can choose.
struct Form {
  const char* name;
  MomentumForm momentum;
  Viscosity viscosity;
};
constexpr std::array forms{Form{"advective", MomentumForm::advective, Viscosity::laplacian},
                           Form{"conservative", MomentumForm::conservative, Viscosity::laplacian},
                           Form{"conservative, stress", MomentumForm::conservative, Viscosity::stress}};

Setup gas_in(std::array<std::int64_t, 3> cells, std::array<double, 3> size, const Form& form, double dt) {
  Setup s = empty_box(cells, size);
  s.gravity = {};
  s.gas.momentum = form.momentum;
  s.gas.viscous_force = form.viscosity;
  s.time.dt = dt;
  return s;
}

/// What is left of the velocity of Taylor and Green's vortices (1937) of wave number 1/m after 10 s, nu .01 m2/s; of its
/// part in the vortices' own shape.
double vortices_left(std::int64_t n, double speed, Advection scheme, const Form& form, double dt) {
  const double length = 2 * std::numbers::pi;
  Setup s = gas_in({n, n, 1}, {length, length, length / static_cast<double>(n)}, form, dt);
  s.sides.fill(SideKind::periodic);
  s.gas.mu = 0.01 * s.gas.rho;
  s.gas.advection = scheme;
  Bed b(s);
  fluid::FaceArrays shape = fluid::make_face_arrays(b.domain.grid());
  fill(b.domain.grid(), shape, 0, [](const auto& x) { return std::sin(x[0]) * std::cos(x[1]); });
  fill(b.domain.grid(), shape, 1, [](const auto& x) { return -std::cos(x[0]) * std::sin(x[1]); });
  const auto along_shape = [&] {
    double sum = 0;
    for (int d = 0; d < 2; ++d)
      for (std::int64_t f = 0; f < b.gas(d).size(); ++f) sum += b.gas(d)[f] * shape[d][f];
    return sum;
  };
  for (int d = 0; d < 2; ++d)
    for (std::int64_t f = 0; f < b.gas(d).size(); ++f) b.gas(d)[f] = speed * shape[d][f];
  const double before = along_shape();
  b.run(std::lround(10 / dt));
  return along_shape() / before;
}

/// Vortices of 1 m/s in a stream between walls, after 1 s: u along x [m/s].
std::vector<double> drifted(double dt) {
  const double length = 2 * std::numbers::pi;
  Setup s = gas_in({16, 16, 1}, {length, length, length / 16}, forms[0], dt);
  s.sides.fill(SideKind::periodic);
  s.sides[2] = s.sides[3] = SideKind::no_slip;
  s.gas.mu = 0.05 * s.gas.rho;
  s.gas.advection = Advection::central;
  Bed b(s);
  fluid::FaceArrays u = fluid::make_face_arrays(b.domain.grid());
  fill(b.domain.grid(), u, 0, [](const auto& x) { return std::sin(x[1] / 2) + std::sin(x[0]) * std::sin(x[1]); });
  fill(b.domain.grid(), u, 1, [](const auto& x) { return std::cos(x[0]) * (std::cos(x[1]) - 1); });
  for (int d = 0; d < 2; ++d)
    for (std::int64_t f = 0; f < b.gas(d).size(); ++f) b.gas(d)[f] = u[d][f];
  b.run(std::lround(1 / dt));
  return {b.gas(0).begin(), b.gas(0).end()};
}

/// Mean velocity in a square duct of side .02 m under 1 Pa/m [m/s].
double duct_mean(std::int64_t n, const Form& form) {
  const double side = 0.02, nu = 1.5e-5, h = side / static_cast<double>(n);
  Setup s = gas_in({n, n, 1}, {side, side, h}, form, 0.15 * h * h / nu);
  s.sides = {SideKind::no_slip, SideKind::no_slip, SideKind::no_slip,
             SideKind::no_slip, SideKind::periodic, SideKind::periodic};
  s.gravity = {0, 0, 1 / s.gas.rho};
  Bed b(s);
  b.run(static_cast<std::int64_t>(12 / s.time.dt)); // slowest of what decays: e^-9
  double sum = 0;
  for (const double w : b.gas(2)) sum += w;
  return sum / static_cast<double>(n * n);
}

} // namespace

TEST_CASE("slow vortices decay in the step as the grid's own Laplacian says", "[physics]") {
  for (const Form& form : forms) {
    INFO(form.name);
    // Euler's steps of .05 s; with central advection they are of third order. Van Leer's scheme is upwind at extrema.
    CHECK(vortices_left(32, 1e-3, Advection::van_leer, form, 0.05) == Approx(0.819175).epsilon(2e-5));
    CHECK(vortices_left(16, 1e-3, Advection::van_leer, form, 0.05) == Approx(0.820747).epsilon(2e-4));
    CHECK(vortices_left(16, 1e-3, Advection::central, form, 0.05) == Approx(0.820827).epsilon(2e-5));
  }
}

TEST_CASE("vortices that advection carries decay in the step as the formula says, to second order", "[physics]") {
  for (const Form& form : forms) {
    const auto error = [&](std::int64_t n) {
      const double finer = static_cast<double>(n) / 16;
      return std::abs(vortices_left(n, 1, Advection::van_leer, form, 0.08 / (finer * finer)) - 0.818731);
    };
    const double coarse = error(sanitized ? 8 : 16), fine = error(sanitized ? 16 : 32);
    INFO(form.name << ", errors " << coarse << " and " << fine);
    CHECK(std::log2(coarse / fine) > 1.7);
  }
}

TEST_CASE("central advection is of second order in time, and exact where the flow carries itself into a gradient") {
  const auto left = [](double dt) { return vortices_left(16, 1, Advection::central, forms[0], dt); };
  const double exact = std::exp(-0.02 * 10 * std::pow(std::sin(std::numbers::pi / 16) / (std::numbers::pi / 16), 2));
  std::array<double, 3> error{};
  for (std::size_t k = 0; k < 3; ++k) error[k] = std::abs(left(0.2 / static_cast<double>(1 << k)) - exact);
  INFO("errors " << error[0] << ", " << error[1] << ", " << error[2] << " of " << exact);
  CHECK(error[1] < 1.5e-3);
  CHECK(std::log2(error[0] / error[1]) > 1.8);
  CHECK(std::log2(error[1] / error[2]) > 1.8);
}

TEST_CASE("central advection is of second order in time where walls and a stream turn vortices, too") {
  std::array<std::vector<double>, 4> u;
  for (std::size_t k = 0; k < 4; ++k) u[k] = drifted(0.1 / static_cast<double>(1 << k));
  const auto apart = [&](std::size_t a) {
    double most = 0;
    for (std::size_t f = 0; f < u[a].size(); ++f) most = std::max(most, std::abs(u[a][f] - u[a + 1][f]));
    return most;
  };
  INFO("apart " << apart(0) << ", " << apart(1) << ", " << apart(2));
  CHECK(std::log2(apart(1) / apart(2)) > 1.7);
}

TEST_CASE("a jet by central advection stays as fast as it comes in, in steps in which it crosses five and ten cells", "[physics]") {
  for (const double dt : {5e-3, 1e-2}) {
    Setup s = gas_in({24, 1, 48}, {0.024, 0.001, 0.048}, forms[0], dt);
    s.sides = {SideKind::no_slip, SideKind::no_slip, SideKind::free_slip,
               SideKind::free_slip, SideKind::no_slip, SideKind::outlet};
    s.gas.mu = 1e-4;
    s.gas.advection = Advection::central;
    let_in(s, 1.0, {0.01, 0, 0}, {0.014, 0.001, 0});
    Bed b(s);
    b.run(100);
    double fastest = 0;
    for (int d = 0; d < 3; ++d)
      for (const double u : b.gas(d)) fastest = std::max(fastest, std::abs(u));
    INFO("steps of " << dt << " s");
    CHECK(fastest < 1.05);
  }
}

TEST_CASE("the step without parcels is Poiseuille's flow in a square duct, to second order", "[physics]") {
  constexpr double mean = 0.780983; // .0351443 G a^2/mu (Shah and London 1978)
  for (const Form& form : forms) {
    const double coarse = std::abs(duct_mean(8, form) / mean - 1), fine = std::abs(duct_mean(16, form) / mean - 1);
    INFO(form.name << ", errors " << coarse << " and " << fine);
    CHECK(fine < 0.016);
    CHECK(std::log2(coarse / fine) > 1.8);
  }
}

} // namespace corral::test
