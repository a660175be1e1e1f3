#include "fluid/transport/carried_momentum.hpp"
#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

/// div(m (grad u + grad u^T - 2/3 div u)) with an m that varies.
namespace corral::test {
namespace {

using fluid::Domain;
using fluid::FaceArrays;
using fluid::SideKind;

constexpr double mu = 0.3;

std::vector<double> random_shares(const Domain& domain, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<double> g(static_cast<std::size_t>(domain.grid().cells()));
  for (double& v : g) v = 0.05 + 0.95 * static_cast<double>(generator() >> 11) * 0x1p-53;
  return g;
}

FaceArrays viscous_force(const Domain& domain, const FaceArrays& u, const std::vector<double>& shares) {
  fluid::PaddedVelocity padded(domain);
  padded.fill(Cpu{}, fluid::pointers(u));
  fluid::ViscousStress stress(domain);
  stress.set(Cpu{}, shares.data(), mu);
  const fluid::ViscousStressView view = stress.view(padded);
  FaceArrays force = fluid::make_face_arrays(domain.grid());
  for (int d = 0; d < 3; ++d)
    each_face_in_turn(domain.grid(), d, [&](const fluid::Face& f) {
      force[d][f.index] = view.force(d, f.place);
    });
  return force;
}

/// sum of a b over the control volumes, and of |a b|.
std::pair<double, double> product(const Domain& domain, const FaceArrays& a, const FaceArrays& b) {
  double sum = 0, all = 0;
  for (int d = 0; d < 3; ++d)
    each_face_in_turn(domain.grid(), d, [&](const fluid::Face& f) {
      const double v = f.boundary() && !domain.grid().axis(d).periodic() ? 0.5 : 1;
      sum += v * a[d][f.index] * b[d][f.index];
      all += std::abs(v * a[d][f.index] * b[d][f.index]);
    });
  return {sum, all};
}

/// No velocity through walls, anything elsewhere.
FaceArrays allowed_velocity(const Domain& domain, unsigned seed) {
  FaceArrays u = random_velocity(domain, seed);
  for (int d = 0; d < 3; ++d)
    for (std::int64_t f = 0; f < u[d].size(); ++f)
      if (domain.kind(d, f) == fluid::FaceKind::fixed) u[d][f] = 0;
  return u;
}

std::vector<Domain> boxes() {
  using enum SideKind;
  std::vector<Domain> all;
  for (const auto& cells : {std::array<std::int64_t, 3>{5, 4, 6}, {1, 5, 6}, {6, 4, 1}})
    for (const auto& sides : {all_periodic, std::array{no_slip, no_slip, no_slip, no_slip, no_slip, no_slip},
                              std::array{free_slip, no_slip, periodic, periodic, symmetry, no_slip}})
      all.emplace_back(Domain::make_grid(cells, {0, 0, 0}, {0.5, 0.4, 0.9}, sides), sides, std::vector<fluid::Inlet>{});
  return all;
}

} // namespace

TEST_CASE("the viscous stress is symmetric and takes energy, however the fluid's share varies") {
  unsigned seed = 0;
  for (const Domain& domain : boxes()) {
    const std::vector<double> shares = random_shares(domain, ++seed);
    const FaceArrays u = allowed_velocity(domain, ++seed), v = allowed_velocity(domain, ++seed);
    const FaceArrays Lu = viscous_force(domain, u, shares), Lv = viscous_force(domain, v, shares);
    const auto [uLv, all] = product(domain, u, Lv);
    CHECK(std::abs(uLv - product(domain, v, Lu).first) < round_off(1000) * all);
    CHECK(product(domain, u, Lu).first < 0);
  }
}

TEST_CASE("the viscous stress gives no momentum in a periodic box") {
  const Domain domain = boxes()[0];
  const FaceArrays force = viscous_force(domain, random_velocity(domain, 3), random_shares(domain, 4));
  for (const auto& component : force) {
    double sum = 0, all = 0;
    for (const double f : component) sum += f, all += std::abs(f);
    CHECK(std::abs(sum) < round_off(1000) * all);
  }
}

TEST_CASE("a rigid rotation has no viscous stress, and a linear shear of even share no force") {
  const Domain domain = boxes()[1];
  const Grid& grid = domain.grid();
  FaceArrays u = fluid::make_face_arrays(grid), shear = u;
  fill(grid, u, 0, [](const auto& x) { return 2 * x[2] - 3 * x[1]; });
  fill(grid, u, 1, [](const auto& x) { return 3 * x[0] - x[2]; });
  fill(grid, u, 2, [](const auto& x) { return x[1] - 2 * x[0]; });
  fill(grid, shear, 0, [](const auto& x) { return x[1] + 0.5 * x[0]; });
  const std::vector<double> uneven = random_shares(domain, 7), even(uneven.size(), 0.4);
  const FaceArrays rotated = viscous_force(domain, u, uneven), sheared = viscous_force(domain, shear, even);
  const FaceArrays unevenly = viscous_force(domain, shear, uneven);
  double most = 0;
  for (int d = 0; d < 3; ++d)
    each_face_in_turn(grid, d, [&](const fluid::Face& f) {
      for (std::size_t e = 0; e < 3; ++e) // sides see the wall
        if (f.place[e] < 1 + (static_cast<int>(e) == d) || f.place[e] >= grid.axis(static_cast<int>(e)).cells - 1) return;
      CHECK(std::abs(rotated[d][f.index]) < 1e-10);
      CHECK(std::abs(sheared[d][f.index]) < 1e-10);
      most = std::max(most, std::abs(unevenly[d][f.index]));
    });
  CHECK(most > 0.1);
}

TEST_CASE("where nothing shares the volume and the flow has no divergence, the stress is mu lap u") {
  const Domain domain = boxes()[0];
  FaceArrays u = fluid::make_face_arrays(domain.grid());
  const std::array<double, 3> k{2 * 3.14159265358979 / 0.5, 2 * 3.14159265358979 / 0.4, 2 * 3.14159265358979 / 0.9};
  fill(domain.grid(), u, 0, [&](const auto& x) { return std::sin(k[1] * x[1]) + std::cos(k[2] * x[2]); });
  fill(domain.grid(), u, 1, [&](const auto& x) { return std::sin(k[0] * x[0]); });
  fill(domain.grid(), u, 2, [&](const auto& x) { return std::cos(k[1] * x[1]); });
  const FaceArrays stress =
      viscous_force(domain, u, std::vector<double>(static_cast<std::size_t>(domain.grid().cells()), 1.0));
  FaceArrays laplacian = fluid::make_face_arrays(domain.grid());
  fluid::PaddedVelocity padded(domain);
  padded.fill(Cpu{}, fluid::pointers(u));
  fluid::add_viscosity(Cpu{}, padded, mu, fluid::writable_pointers(laplacian));
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t f = 0; f < u[d].size(); ++f) CHECK(stress[d][f] == Approx(laplacian[d][f]).margin(1e-11));
}

TEST_CASE("Smagorinsky's viscosity is that of the strain rate, and 0 for a rigid rotation") {
  const Domain domain = boxes()[1];
  const Grid& grid = domain.grid();
  const auto strain = [&](auto u, auto v) { // of a velocity along x and along y
    FaceArrays field = fluid::make_face_arrays(grid);
    fill(grid, field, 0, u);
    fill(grid, field, 1, v);
    fluid::PaddedVelocity padded(domain);
    padded.fill(Cpu{}, fluid::pointers(field));
    return fluid::ViscousStress(domain).view(padded).strain({2, 2, 3});
  };
  CHECK(strain([](const auto& x) { return 3 * x[1]; }, [](const auto&) { return 0.0; }) == Approx(3));
  CHECK(strain([](const auto& x) { return 3 * x[1]; }, [](const auto& x) { return 2 * x[0]; }) == Approx(5));
  CHECK(strain([](const auto& x) { return 3 * x[0]; }, [](const auto& x) { return -3 * x[1]; }) == Approx(6));
  CHECK(strain([](const auto& x) { return -3 * x[1]; }, [](const auto& x) { return 3 * x[0]; }) == Approx(0).margin(1e-12));
  // rho (.168 x .01 m)^2 x 100/s
  CHECK(fluid::smagorinsky_viscosity(1.2, 0.168, 1e-6, 100) == Approx(1.2 * 2.8224e-6 * 100));
}

TEST_CASE("eddies' viscosity takes energy from a flow that viscosity alone would leave") {
  const Domain domain = boxes()[0];
  const FaceArrays u = random_velocity(domain, 5), still = fluid::make_face_arrays(domain.grid());
  const FaceArrays ones = fluid::make_face_arrays(domain.grid(), 1);
  const std::vector<double> shares(static_cast<std::size_t>(domain.grid().cells()), 1.0);
  for (const double c : {0.0, 0.168}) {
    FaceArrays force = still;
    fluid::CarriedMomentum momentum(domain, 1.2, 1e-9, fluid::Advection::upwind, Memory::host, fluid::Viscosity::stress, c);
    momentum.advance(Cpu{}, {fluid::pointers(still), fluid::pointers(ones), 1e-3, shares.data()}, 1e-3,
                     fluid::pointers(u), fluid::writable_pointers(force));
    const auto [work, all] = product(domain, u, force);
    CHECK((work < -1e-3) == (c > 0));
  }
}

TEST_CASE("viscous stress in sub-steps takes energy in steps of any length") {
  unsigned seed = 10;
  for (const Domain& domain : boxes())
    for (const double dt : {1e-3, 0.02, 10.0}) {
      const std::vector<double> shares = random_shares(domain, ++seed);
      const FaceArrays u = allowed_velocity(domain, ++seed), still = fluid::make_face_arrays(domain.grid());
      FaceArrays force = still, g = still, after = u;
      for (int d = 0; d < 3; ++d)
        each_face_in_turn(domain.grid(), d, [&](const fluid::Face& f) {
          const double low = f.below < 0 ? shares[f.above] : shares[f.below];
          const double high = f.above < 0 ? low : shares[f.above];
          g[d][f.index] = 0.5 * (low + high);
        });
      fluid::CarriedMomentum momentum(domain, 1.2, mu, fluid::Advection::upwind, Memory::host, fluid::Viscosity::stress);
      momentum.advance(Cpu{}, {fluid::pointers(still), fluid::pointers(g), dt, shares.data()}, dt, fluid::pointers(u),
                       fluid::writable_pointers(force));
      double was = 0, is = 0;
      for (int d = 0; d < 3; ++d)
        each_face_in_turn(domain.grid(), d, [&](const fluid::Face& f) {
          if (domain.kind(d, f.index) == fluid::FaceKind::fixed) return;
          after[d][f.index] += dt / 1.2 * force[d][f.index];
          was += g[d][f.index] * u[d][f.index] * u[d][f.index];
          is += g[d][f.index] * after[d][f.index] * after[d][f.index];
        });
      INFO("dt " << dt);
      CHECK(is < was);
    }
}

} // namespace corral::test
