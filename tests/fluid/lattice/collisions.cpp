#include "fluid/lattice/collision.hpp"
#include "tests/fluid/lattice/lattice_case.hpp"

#include <random>

/// What one collision does to the moments of a cell, summed here over all velocities.
namespace corral::test {
namespace {

using namespace fluid::lattice;

constexpr double tau = 0.7, magic = 0.3;

template <class Set> struct Cell {
  std::array<double, Set::count> g;
  Force<double> force{};

  explicit Cell(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> within(-0.02, 0.02);
    for (double& x : g) x = within(random);
    for (int d = 0; d < Set::axes; ++d) force.of[d] = within(random);
  }
  /// sum of polynomial(c) f
  template <class P> double moment(P polynomial) const {
    double sum = 0;
    for (int q = 0; q < Set::count; ++q) sum += polynomial(Set::c[q]) * (g[q] + Set::weight(q));
    return sum;
  }
  double rho() const {
    return moment([](const auto&) { return 1; });
  }
  double along(int a) const {
    return moment([=](const auto& c) { return c[a]; });
  }
  double stress(int a, int b) const {
    return moment([=](const auto& c) { return c[a] * c[b]; });
  }
};

template <class Set, class Op> void check_kept(const Op& op) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Cell<Set> before(seed);
    Cell<Set> after = before;
    const Moments<double> m = op(InArray<double>{after.g.data()}, after.force);
    const double rho = before.rho();
    CHECK(after.rho() == Approx(rho).epsilon(1e-14));
    CHECK(m.excess == Approx(rho - 1).margin(1e-14));
    for (int a = 0; a < Set::axes; ++a) {
      CHECK(m.u[a] == Approx((before.along(a) + before.force[a] / 2) / rho).margin(1e-15));
      CHECK(after.along(a) == Approx(before.along(a) + before.force[a]).margin(1e-15));
      for (int b = 0; b < Set::axes; ++b) {
        const double rest = rho * ((a == b ? 1. / 3 : 0) + m.u[a] * m.u[b]);
        const double pushed = m.u[a] * before.force[b] + m.u[b] * before.force[a];
        CHECK(after.stress(a, b) ==
              Approx(before.stress(a, b) - (before.stress(a, b) - rest) / tau + (1 - 0.5 / tau) * pushed).margin(1e-15));
      }
    }
  }
}

template <class Set> void check_all_kept() {
  INFO(Set::name);
  const Relaxation<double> r{tau, magic, 0};
  check_kept<Set>(TwoRates<Set, double, false>{r});
  check_kept<Set>(TwoRates<Set, double, true>{r});
  check_kept<Set>(Regularised<Set, double>{r});
}

/// Of what is regularised: rho u u u, and what is kept of the stress carried along.
template <class Set> void check_third_order() {
  INFO(Set::name);
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Cell<Set> before(seed);
    Cell<Set> after = before;
    const Moments<double> m = Regularised<Set, double>{{tau, magic, 0}}(InArray<double>{after.g.data()}, after.force);
    const double rho = before.rho();
    const auto kept = [&](int a, int b) { // of the stress out of equilibrium
      const double out = before.stress(a, b) - rho * ((a == b ? 1. / 3 : 0) + m.u[a] * m.u[b]);
      return (1 - 1 / tau) * (out + 0.5 * (m.u[a] * before.force[b] + m.u[b] * before.force[a]));
    };
    const auto expected = [&](int a, int b, int c) {
      return rho * m.u[a] * m.u[b] * m.u[c] + m.u[a] * kept(b, c) + m.u[b] * kept(a, c) + m.u[c] * kept(a, b);
    };
    const auto found = [&](int a, int b) { // by (c_a^2 - 1/3) c_b
      return after.moment([=](const auto& c) { return (c[a] * c[a] - 1. / 3) * c[b]; });
    };
    for (int a = 0; a < Set::axes; ++a)
      for (int b = 0; b < Set::axes; ++b) {
        if (a == b) continue;
        INFO("axes " << a << ' ' << b);
        CHECK(found(a, b) == Approx(expected(a, a, b)).margin(1e-15));
      }
    if (Set::count == 27)
      CHECK(after.moment([](const auto& c) { return c[0] * c[1] * c[2]; }) == Approx(expected(0, 1, 2)).margin(1e-15));
  }
}

} // namespace

TEST_CASE("a collision keeps mass, gives a force's momentum and relaxes the stress") {
  check_all_kept<D2Q9>();
  check_all_kept<D3Q19>();
  check_all_kept<D3Q27>();
}

TEST_CASE("a regularised collision rebuilds what its lattice carries of third order") {
  check_third_order<D2Q9>();
  check_third_order<D3Q19>();
  check_third_order<D3Q27>();
}

} // namespace corral::test
