#pragma once

#include "fluid/lattice/velocities.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

/// What happens to the populations of a cell between two moves. Populations are kept as g_q = f_q - w_q, so that little is
/// lost where flow is slow and storage is in float (Skordos 1993). Everything is in units of the lattice: cells, steps, and
/// the density of the fluid at rest.
namespace corral::fluid::lattice {

enum class Collision : std::uint8_t {
  bgk, ///< all of what is out of equilibrium relaxes at one rate
  trt, ///< odd moments relax at a rate of their own, given by `magic` (Ginzburg, Verhaeghe and d'Humieres 2008)
  /// What is out of equilibrium is rebuilt from its stress, up to third order: recursive regularisation (Malaspinas 2015;
  /// for D3Q19 by Jacob, Malaspinas and Sagaut 2018). It stays calm at viscosities at which the others do not.
  regularised
};

std::string_view name(Collision);

/// What collisions need beside populations and force.
template <class A> struct Relaxation {
  A tau = 1;            ///< of even moments: viscosity is (tau - 1/2)/3
  A magic = A(3) / 16;  ///< (tau - 1/2)(tau of odd moments - 1/2), of trt
  A eddies = 0;         ///< 18 sqrt 2 C^2 of Smagorinsky's constant C, 0: none
};

/// rho - 1 and velocity of a cell.
template <class A> struct Moments {
  A excess;
  A u[3];
};

/// What populations and force hold: j = sum of c f, and u = (j + F/2)/rho (Guo, Zheng and Shi 2002).
template <class Set, class A> CORRAL_INLINED Moments<A> moments(const A* g, const A* force) {
  Moments<A> m{g[0], {A(0), A(0), A(0)}};
  unrolled<Set::count / 2>([&](auto pair) __attribute__((always_inline)) {
    constexpr int a = 2 * pair + 1;
    m.excess += g[a] + g[a + 1];
    const A odd = g[a] - g[a + 1];
    unrolled<Set::axes>([&](auto d) __attribute__((always_inline)) {
      if constexpr (Set::c[a][d] > 0) m.u[d] += odd;
      if constexpr (Set::c[a][d] < 0) m.u[d] -= odd;
    });
  });
  const A inverse = A(1) / (A(1) + m.excess);
  unrolled<Set::axes>([&](auto d) __attribute__((always_inline)) { m.u[d] = (m.u[d] + A(0.5) * force[d]) * inverse; });
  return m;
}

/// Places of a symmetric tensor's components xx yy zz xy xz yz.
constexpr int place(int a, int b) { return a == b ? a : a + b + 2; }

/// sum of (c c - delta/3)(f - f_eq + S/2), where S is what the force adds: -2 tau rho/3 times the rate of strain.
template <class Set, class A>
CORRAL_INLINED std::array<A, 6> stress(const A* g, const A* force, const Moments<A>& m) {
  std::array<A, 6> a{};
  unrolled<Set::count / 2>([&](auto pair) __attribute__((always_inline)) {
    constexpr int q = 2 * pair + 1;
    const A even = g[q] + g[q + 1];
    unrolled<Set::axes>([&](auto i) __attribute__((always_inline)) {
      unrolled<Set::axes>([&](auto k) __attribute__((always_inline)) {
        if constexpr (k >= i && Set::c[q][i] * Set::c[q][k] > 0) a[place(i, k)] += even;
        if constexpr (k >= i && Set::c[q][i] * Set::c[q][k] < 0) a[place(i, k)] -= even;
      });
    });
  });
  const A rho = A(1) + m.excess;
  unrolled<Set::axes>([&](auto i) __attribute__((always_inline)) {
    a[i] -= A(1. / 3) * m.excess;
    unrolled<Set::axes>([&](auto k) __attribute__((always_inline)) {
      if constexpr (k >= i)
        a[place(i, k)] += A(0.5) * (m.u[i] * force[k] + m.u[k] * force[i]) - rho * (m.u[i] * m.u[k]);
    });
  });
  return a;
}

/// tau with what eddies add that the lattice does not resolve (Hou et al. 1996).
template <class Set, class A> CORRAL_INLINED A with_eddies(const Relaxation<A>& r, const std::array<A, 6>& a, A rho) {
  A square = 0;
  unrolled<Set::axes>([&](auto i) __attribute__((always_inline)) {
    square += a[i] * a[i];
    unrolled<Set::axes>([&](auto k) __attribute__((always_inline)) {
      if constexpr (k > i) square += A(2) * a[place(i, k)] * a[place(i, k)];
    });
  });
  return A(0.5) * (r.tau + std::sqrt(r.tau * r.tau + r.eddies * std::sqrt(square) / rho));
}

/// bgk and trt.
template <class Set, class A, bool eddies> struct TwoRates {
  Relaxation<A> relaxation;

  CORRAL_INLINED Moments<A> operator()(A* g, const A* force) const {
    const Moments<A> m = moments<Set>(g, force);
    const A rho = A(1) + m.excess;
    A tau = relaxation.tau;
    if constexpr (eddies) tau = with_eddies<Set>(relaxation, stress<Set>(g, force, m), rho);
    const A even_rate = A(1) / tau;
    const A odd_rate = A(1) / (A(0.5) + relaxation.magic / (tau - A(0.5)));
    const A even_force = A(1) - A(0.5) * even_rate, odd_force = A(1) - A(0.5) * odd_rate;
    A square = 0, work = 0;
    unrolled<Set::axes>([&](auto d) __attribute__((always_inline)) {
      square += m.u[d] * m.u[d];
      work += m.u[d] * force[d];
    });
    square *= A(1.5);
    work *= A(3);
    constexpr A at_rest = A(Set::weight(0));
    g[0] += even_rate * (at_rest * (m.excess - rho * square) - g[0]) - even_force * (at_rest * work);
    unrolled<Set::count / 2>([&](auto pair) __attribute__((always_inline)) {
      constexpr int q = 2 * pair + 1;
      constexpr A w = A(Set::weight(q));
      const A cu = along<Set, q>(m.u), cf = along<Set, q>(force);
      const A even = A(0.5) * (g[q] + g[q + 1]), odd = A(0.5) * (g[q] - g[q + 1]);
      const A e = even + even_rate * (w * (m.excess + rho * (A(4.5) * (cu * cu) - square)) - even) +
                  even_force * (w * (A(9) * (cu * cf) - work));
      const A o = odd + odd_rate * (A(3) * w * rho * cu - odd) + odd_force * (A(3) * w * cf);
      g[q] = e + o;
      g[q + 1] = e - o;
    });
    return m;
  }
};

/// The polynomials of third order that a set carries, beside which its others are no new ones: H_aab = (c_a^2 - 1/3) c_b and
/// c_x c_y c_z. On D3Q19 H_xxy and H_zzy are not at right angles: their sum and their difference are.
template <class Set> struct ThirdOrder {
  static constexpr bool pairs = Set::count == 19;
  static constexpr int count = Set::count == 9 ? 2 : Set::count == 19 ? 6 : 7;

  struct Term {
    int a, b, other; ///< H_aab, and H_oob with the sign, where `other` is an axis; a = -1: c_x c_y c_z
    int sign;
  };
  static constexpr Term term(int n) {
    if (Set::count == 9) return n == 0 ? Term{0, 1, -1, 0} : Term{1, 0, -1, 0};
    if (n == 6) return {-1, -1, -1, 0};
    const int b = n / 2, one = (b + 1) % 3, two = (b + 2) % 3;
    if (pairs) return {one, b, two, n % 2 == 0 ? 1 : -1};
    return {n % 2 == 0 ? one : two, b, -1, 0};
  }
  static constexpr double hermite(int a, int b, int q) {
    const auto& c = Set::c[q];
    return (c[a] * c[a] - 1. / 3) * c[b];
  }
  static constexpr double value(int n, int q) {
    const Term t = term(n);
    if (t.a < 0) return Set::c[q][0] * Set::c[q][1] * Set::c[q][2];
    return hermite(t.a, t.b, q) + (t.other < 0 ? 0 : t.sign * hermite(t.other, t.b, q));
  }
  /// By which a moment is divided to give its polynomial's share.
  static constexpr double norm(int n) {
    double sum = 0;
    for (int q = 0; q < Set::count; ++q) sum += Set::weight(q) * value(n, q) * value(n, q);
    return sum;
  }
};

/// regularised, with eddies where `relaxation.eddies` is not 0.
template <class Set, class A> struct Regularised {
  Relaxation<A> relaxation;

  CORRAL_INLINED Moments<A> operator()(A* g, const A* force) const {
    const Moments<A> m = moments<Set>(g, force);
    const A rho = A(1) + m.excess;
    std::array<A, 6> a = stress<Set>(g, force, m);
    const A kept = A(1) - A(1) / with_eddies<Set>(relaxation, a, rho);
    for (A& x : a) x *= kept;
    A third[ThirdOrder<Set>::count];
    unrolled<ThirdOrder<Set>::count>([&](auto n) __attribute__((always_inline)) { third[n] = moment<n>(m, rho, a); });
    A work = 0;
    unrolled<Set::axes>([&](auto d) __attribute__((always_inline)) {
      work += m.u[d] * force[d];
      unrolled<Set::axes>([&](auto k) __attribute__((always_inline)) {
        if constexpr (k >= d) a[place(d, k)] += rho * (m.u[d] * m.u[k]);
      });
    });
    A trace = 0;
    unrolled<Set::axes>([&](auto d) __attribute__((always_inline)) { trace += a[d]; });
    g[0] = A(Set::weight(0)) * (m.excess - A(1.5) * trace - A(1.5) * work);
    unrolled<Set::count / 2>([&](auto pair) __attribute__((always_inline)) {
      constexpr int q = 2 * pair + 1;
      constexpr A w = A(Set::weight(q));
      const A cu = along<Set, q>(m.u), cf = along<Set, q>(force);
      A odd = A(3) * (rho * cu) + A(1.5) * cf, even = m.excess - A(1.5) * trace + A(0.5) * (A(9) * (cu * cf) - A(3) * work);
      unrolled<Set::axes>([&](auto i) __attribute__((always_inline)) {
        unrolled<Set::axes>([&](auto k) __attribute__((always_inline)) {
          constexpr int cc = Set::c[q][i] * Set::c[q][k] * (i == k ? 1 : 2);
          if constexpr (k >= i && cc != 0) even += A(4.5 * cc) * a[place(i, k)];
        });
      });
      unrolled<ThirdOrder<Set>::count>([&](auto n) __attribute__((always_inline)) {
        constexpr double share = ThirdOrder<Set>::value(n, q) / ThirdOrder<Set>::norm(n);
        if constexpr (share != 0) odd += A(share) * third[n];
      });
      g[q] = w * (even + odd);
      g[q + 1] = w * (even - odd);
    });
    return m;
  }

private:
  /// Of the equilibrium, and of what is out of it by recursion from the stress that is kept.
  template <int n> static CORRAL_INLINED A moment(const Moments<A>& m, A rho, const std::array<A, 6>& a) {
    constexpr auto t = ThirdOrder<Set>::term(n);
    if constexpr (t.a < 0) {
      return rho * (m.u[0] * m.u[1] * m.u[2]) + m.u[0] * a[place(1, 2)] + m.u[1] * a[place(0, 2)] + m.u[2] * a[place(0, 1)];
    } else {
      const A one = of<t.a, t.b>(m, rho, a);
      if constexpr (t.other < 0) return one;
      else return t.sign > 0 ? one + of<t.other, t.b>(m, rho, a) : one - of<t.other, t.b>(m, rho, a);
    }
  }
  template <int i, int k> static CORRAL_INLINED A of(const Moments<A>& m, A rho, const std::array<A, 6>& a) {
    return rho * (m.u[i] * m.u[i] * m.u[k]) + A(2) * m.u[i] * a[place(i < k ? i : k, i < k ? k : i)] + m.u[k] * a[i];
  }
};

} // namespace corral::fluid::lattice
