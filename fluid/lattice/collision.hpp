#pragma once

#include "fluid/lattice/velocities.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

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

/// What is no number stays.
template <class A> CORRAL_INLINED A larger(A most, A x) { return x <= most || most != most ? most : x; }

/// The populations of a cell in an array. Collisions meet a cell through such as this: get(q) reads, put(q, value) writes. What
/// takes the places of a pair of opposite populations was read from these two, so pairs can be read again, which costs less
/// than registers for all of them.
template <class A> struct InArray {
  A* g;
  template <class Q> CORRAL_INLINED A get(Q q) const { return g[q]; }
  template <class Q> CORRAL_INLINED void put(Q q, A value) const { g[q] = value; }
};

/// The force on a cell; NoForce where it is known that there is none.
template <class A> struct Force {
  A of[3];
  CORRAL_INLINED const A& operator[](int d) const { return of[d]; }
};
struct NoForce {};

template <int q> using Number = std::integral_constant<int, q>;

/// What populations and force hold: j = sum of c f, and u = (j + F/2)/rho (Guo, Zheng and Shi 2002).
template <class Set, class A, class Cell, class F> CORRAL_INLINED Moments<A> moments(const Cell& cell, const F& force) {
  Moments<A> m{cell.get(Number<0>{}), {A(0), A(0), A(0)}};
  unrolled<Set::count / 2>([&](auto pair) __attribute__((always_inline)) {
    constexpr int a = 2 * pair + 1;
    const A one = cell.get(Number<a>{}), other = cell.get(Number<a + 1>{});
    m.excess += one + other;
    const A odd = one - other;
    unrolled<Set::axes>([&](auto d) __attribute__((always_inline)) {
      if constexpr (Set::c[a][d] > 0) m.u[d] += odd;
      if constexpr (Set::c[a][d] < 0) m.u[d] -= odd;
    });
  });
  const A inverse = A(1) / (A(1) + m.excess);
  unrolled<Set::axes>([&](auto d) __attribute__((always_inline)) {
    if constexpr (!std::is_same_v<F, NoForce>) m.u[d] += A(0.5) * force[d];
    m.u[d] *= inverse;
  });
  return m;
}

/// Places of a symmetric tensor's components xx yy zz xy xz yz.
constexpr int place(int a, int b) { return a == b ? a : a + b + 2; }

/// sum of (c c - delta/3)(f - f_eq + S/2), where S is what the force adds: -2 tau rho/3 times the rate of strain.
template <class Set, class A, class Cell>
CORRAL_INLINED std::array<A, 6> stress(const Cell& cell, const Force<A>& force, const Moments<A>& m) {
  std::array<A, 6> a{};
  unrolled<Set::count / 2>([&](auto pair) __attribute__((always_inline)) {
    constexpr int q = 2 * pair + 1;
    const A even = cell.get(Number<q>{}) + cell.get(Number<q + 1>{});
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

/// bgk and trt. What is of a pair of opposite populations alone is added to what all pairs share: much less to compute than
/// equilibrium and force of each population.
template <class Set, class A, bool eddies> struct TwoRates {
  Relaxation<A> relaxation;

  /// By what a pair's sum, its difference, and what is even and odd of force, of squares of velocity and of velocity count.
  struct Rates {
    A even_kept, odd_kept, even_force, odd_force, of_square, of_speed, rest_kept, of_excess;
  };
  CORRAL_INLINED Rates rates(A tau) const {
    const A even = A(1) / tau, odd = A(1) / (A(0.5) + relaxation.magic / (tau - A(0.5)));
    return {A(0.5) - A(0.5) * even, A(0.5) - A(0.5) * odd, A(9) - A(4.5) * even, A(3) - A(1.5) * odd,
            A(4.5) * even,          A(3) * odd,            A(1) - even,          even};
  }

  /// Of all pairs of weight 1.
  template <class F> CORRAL_INLINED static A common(const Rates& r, const Moments<A>& m, A rho, const F& force) {
    A square = m.u[0] * m.u[0];
    unrolled<Set::axes - 1>([&](auto d) __attribute__((always_inline)) { square += m.u[d + 1] * m.u[d + 1]; });
    A sum = r.of_excess * m.excess - A(1. / 3) * r.of_square * (rho * square);
    if constexpr (!std::is_same_v<F, NoForce>) {
      A work = m.u[0] * force[0];
      unrolled<Set::axes - 1>([&](auto d) __attribute__((always_inline)) { work += m.u[d + 1] * force[d + 1]; });
      sum -= A(1. / 3) * r.even_force * work;
    }
    return sum;
  }

  template <class Cell> CORRAL_INLINED static void rest(const Cell& cell, const Rates& r, A shared) {
    cell.put(Number<0>{}, r.rest_kept * cell.get(Number<0>{}) + A(Set::weight(0)) * shared);
  }

  /// q and q + 1.
  template <int q, class Cell, class F>
  CORRAL_INLINED static void pair(const Cell& cell, const Rates& r, const A* u, A rho, A shared, const F& force) {
    constexpr A w = A(Set::weight(q));
    const A one = cell.get(Number<q>{}), other = cell.get(Number<q + 1>{});
    const A cu = along<Set, q>(u), flow = rho * cu;
    A of_even = (w * r.of_square) * flow, o = r.odd_kept * (one - other) + (w * r.of_speed) * flow;
    if constexpr (!std::is_same_v<F, NoForce>) {
      const A cf = along<Set, q>(&force[0]);
      of_even += (w * r.even_force) * cf;
      o += (w * r.odd_force) * cf;
    }
    const A e = r.even_kept * (one + other) + (w * shared + of_even * cu);
    cell.put(Number<q>{}, e + o);
    cell.put(Number<q + 1>{}, e - o);
  }

  template <class Cell, class F> CORRAL_INLINED Moments<A> operator()(const Cell& cell, const F& force) const {
    const Moments<A> m = moments<Set, A>(cell, force);
    const A rho = A(1) + m.excess;
    A tau = relaxation.tau;
    if constexpr (eddies) tau = with_eddies<Set>(relaxation, stress<Set>(cell, force, m), rho);
    const Rates r = rates(tau);
    const A shared = common(r, m, rho, force);
    rest(cell, r, shared);
    unrolled<Set::count / 2>([&](auto p) __attribute__((always_inline)) { pair<2 * p + 1>(cell, r, m.u, rho, shared, force); });
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

  template <class Cell> CORRAL_INLINED Moments<A> operator()(const Cell& cell, const Force<A>& force) const {
    const Moments<A> m = moments<Set, A>(cell, force);
    const A rho = A(1) + m.excess;
    std::array<A, 6> a = stress<Set>(cell, force, m);
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
    cell.put(Number<0>{}, A(Set::weight(0)) * (m.excess - A(1.5) * trace - A(1.5) * work));
    unrolled<Set::count / 2>([&](auto pair) __attribute__((always_inline)) {
      constexpr int q = 2 * pair + 1;
      constexpr A w = A(Set::weight(q));
      const A cu = along<Set, q>(m.u), cf = along<Set, q>(&force[0]);
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
      cell.put(Number<q>{}, w * (even + odd));
      cell.put(Number<q + 1>{}, w * (even - odd));
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

/// f(the collision).
template <class Set, class A, class F> void with_collision(Collision collision, const Relaxation<A>& relaxation, const F& f) {
  if (collision == Collision::regularised) f(Regularised<Set, A>{relaxation});
  else if (relaxation.eddies > 0) f(TwoRates<Set, A, true>{relaxation});
  else f(TwoRates<Set, A, false>{relaxation});
}

} // namespace corral::fluid::lattice
