#pragma once

/// The loops of block.hpp, for the file of each set of velocities.

#include "fluid/lattice/block.hpp"

#include <algorithm>
#include <type_traits>

namespace corral::fluid::lattice {

/// A cell of a block, and of a stretch (collision.hpp, InArray).
template <class Set, class A> struct InBlock {
  Block<Set, A>& block;
  int i;
  template <class Q> CORRAL_INLINED A get(Q q) const { return block.g[q][i]; }
  template <class Q> CORRAL_INLINED void put(Q q, A value) const { block.g[q][i] = value; }
};
template <class Set, class T, class A> struct InStretch {
  const Stretch<Set, T>& stretch;
  int i;
  template <class Q> CORRAL_INLINED A get(Q q) const { return static_cast<A>(stretch.from[q][i]); }
  template <class Q> CORRAL_INLINED void put(Q q, A value) const { stretch.to[q][i] = static_cast<T>(value); }
};

/// Of a stretch, a pair alone.
template <int q, class T, class A> struct OfPair {
  const T *from, *other_from;
  T *to, *other_to;
  int i;
  CORRAL_INLINED OfPair at(int cell) const { return {from, other_from, to, other_to, cell}; }
  CORRAL_INLINED A get(Number<q>) const { return static_cast<A>(from[i]); }
  CORRAL_INLINED A get(Number<q + 1>) const { return static_cast<A>(other_from[i]); }
  CORRAL_INLINED void put(Number<q>, A value) const { to[i] = static_cast<T>(value); }
  CORRAL_INLINED void put(Number<q + 1>, A value) const { other_to[i] = static_cast<T>(value); }
};

/// Of cell i.
template <bool forced, class Set, class A> CORRAL_INLINED auto force_on(const Block<Set, A>& b, int i) {
  if constexpr (forced) return Force<A>{b.force[0][i], b.force[1][i], Set::axes > 2 ? b.force[2][i] : A(0)};
  else return NoForce{};
}

template <class Op, class Set, class A>
CORRAL_WIDE_VECTOR_CLONES [[maybe_unused]] static void run(Block<Set, A>& b, int n, const Op op) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (int i = 0; i < n; ++i) {
    const Moments<A> m = op(InBlock<Set, A>{b, i}, force_on<true>(b, i));
    unrolled<3>([&](auto d) __attribute__((always_inline)) { b.u[d][i] = m.u[d]; });
    b.excess[i] = m.excess;
  }
}

/// Asks for as many cells of those that come next.
template <class Set, class T> CORRAL_INLINED void ask_for(const Stretch<Set, T>& s, int q, int n) {
  constexpr int line = 64 / sizeof(T);
  for (int k = 0; k < n; k += line)
    __builtin_prefetch(s.from[q] + s.ahead + k, 1);
}

/// From memory to memory, cell by cell.
template <class Op, class Set, class T, class A>
CORRAL_WIDE_VECTOR_CLONES [[maybe_unused]] static void run(const Stretch<Set, T>& s, Block<Set, A>& b, int n, const Op op) {
  const Stretch<Set, T> own = s; // no store can change where they lie
  for (int q = 0; q < Set::count; ++q) ask_for(own, q, n);
  CORRAL_INDEPENDENT_ITERATIONS
  for (int i = 0; i < n; ++i) {
    const Moments<A> m = op(InStretch<Set, T, A>{own, i}, force_on<true>(b, i));
    unrolled<3>([&](auto d) __attribute__((always_inline)) { b.u[d][i] = m.u[d]; });
  }
}

/// The same bits, pair by pair: loops so short that many cells are on their way at once. What comes next is asked for in
/// between.
template <bool forced, class Set, class T, class A>
CORRAL_WIDE_VECTOR_CLONES [[maybe_unused]] static void run_pairs(const Stretch<Set, T>& s, Block<Set, A>& b, int n,
                                                                 const TwoRates<Set, A, false> op) {
  using Op = TwoRates<Set, A, false>;
  const auto rates = op.rates(op.relaxation.tau);
  {
    const Stretch<Set, T> own = s; // no store can change where they lie
    CORRAL_INDEPENDENT_ITERATIONS
    for (int i = 0; i < n; ++i) {
      const InStretch<Set, T, A> cell{own, i};
      const auto force = force_on<forced>(b, i);
      const Moments<A> m = moments<Set, A>(cell, force);
      const A rho = A(1) + m.excess, shared = Op::common(rates, m, rho, force);
      Op::rest(cell, rates, shared);
      unrolled<3>([&](auto d) __attribute__((always_inline)) { b.u[d][i] = m.u[d]; });
      b.rho[i] = rho;
      b.shared[i] = shared;
    }
  }
  ask_for(s, 0, n);
  unrolled<Set::count / 2>([&](auto p) __attribute__((always_inline)) {
    constexpr int q = 2 * p + 1;
    ask_for(s, q, n);
    ask_for(s, q + 1, n);
    const OfPair<q, T, A> own{s.from[q], s.from[q + 1], s.to[q], s.to[q + 1], 0};
    CORRAL_INDEPENDENT_ITERATIONS
    for (int i = 0; i < n; ++i) {
      const A u[3]{b.u[0][i], b.u[1][i], b.u[2][i]};
      Op::template pair<q>(own.at(i), rates, u, b.rho[i], b.shared[i], force_on<forced>(b, i));
    }
  });
}

/// No collision.
template <class Set, class A> struct Look {
  template <class Cell, class F> CORRAL_INLINED Moments<A> operator()(const Cell& cell, const F& force) const {
    return moments<Set, A>(cell, force);
  }
};
template <class Set, class T, class A> struct Arriving {
  const Arrivals<Set, T>& arrivals;
  int i;
  template <class Q> CORRAL_INLINED A get(Q q) const { return static_cast<A>(arrivals.from[q][i]); }
};
/// Whole vectors of cells, the last of which may look at some once more: no line is read for cells that nobody asked for.
template <class Set, class T, class A>
CORRAL_WIDE_VECTOR_CLONES [[maybe_unused]] static void run(const Arrivals<Set, T>& s, Block<Set, A>& b, int n) {
  const Arrivals<Set, T> own = s; // no store can change where they lie
  const auto cells = [&](int begin, int count) __attribute__((always_inline)) {
    CORRAL_INDEPENDENT_ITERATIONS
    for (int i = begin; i < begin + count; ++i) {
      const Moments<A> m = moments<Set, A>(Arriving<Set, T, A>{own, i}, force_on<true>(b, i));
      unrolled<3>([&](auto d) __attribute__((always_inline)) { b.u[d][i] = m.u[d]; });
      b.excess[i] = m.excess;
    }
  };
  if (n < vector_cells) return cells(0, n);
  for (int i = 0; i < n; i += vector_cells) cells(std::min(i, n - vector_cells), vector_cells);
}

template <class Set, class A> void collide(Block<Set, A>& b, int n, const Rule<A>& rule) {
  with_collision<Set>(rule.collision, rule.relaxation, [&](const auto& op) { run(b, n, op); });
}

template <class Set, class T, class A> void collide(const Stretch<Set, T>& s, Block<Set, A>& b, int n, const Rule<A>& rule) {
  with_collision<Set>(rule.collision, rule.relaxation, [&](const auto& op) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(op)>, TwoRates<Set, A, false>>) {
      if (!rule.forces)
        for (A* const force : b.force) std::fill_n(force, n, A(0));
      run(s, b, n, op);
    } else rule.forces ? run_pairs<true>(s, b, n, op) : run_pairs<false>(s, b, n, op);
  });
}

template <class Set, class A> void look(Block<Set, A>& b, int n) { run(b, n, Look<Set, A>{}); }
template <class Set, class T, class A> void look(const Arrivals<Set, T>& s, Block<Set, A>& b, int n) { run(s, b, n); }

} // namespace corral::fluid::lattice
