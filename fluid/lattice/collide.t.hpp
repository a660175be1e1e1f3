#pragma once

/// The loops of block.hpp, for the file of each set of velocities.

#include "fluid/lattice/block.hpp"

namespace corral::fluid::lattice {

template <class Op, class Set, class A>
CORRAL_WIDE_VECTOR_CLONES [[maybe_unused]] static void run(Block<Set, A>& b, int n, const Op op) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (int i = 0; i < n; ++i) {
    A g[Set::count], force[3];
    unrolled<Set::count>([&](auto q) __attribute__((always_inline)) { g[q] = b.g[q][i]; });
    unrolled<3>([&](auto d) __attribute__((always_inline)) { force[d] = b.force[d][i]; });
    const Moments<A> m = op(g, force);
    unrolled<Set::count>([&](auto q) __attribute__((always_inline)) { b.g[q][i] = g[q]; });
    unrolled<3>([&](auto d) __attribute__((always_inline)) { b.u[d][i] = m.u[d]; });
    b.excess[i] = m.excess;
  }
}

/// No collision.
template <class Set, class A> struct Look {
  CORRAL_INLINED Moments<A> operator()(const A* g, const A* force) const { return moments<Set>(g, force); }
};

template <class Set, class A> void collide(Block<Set, A>& b, int n, const Rule<A>& rule) {
  if (rule.collision == Collision::regularised) run(b, n, Regularised<Set, A>{rule.relaxation});
  else if (rule.relaxation.eddies > 0) run(b, n, TwoRates<Set, A, true>{rule.relaxation});
  else run(b, n, TwoRates<Set, A, false>{rule.relaxation});
}

template <class Set, class A> void look(Block<Set, A>& b, int n) { run(b, n, Look<Set, A>{}); }

} // namespace corral::fluid::lattice
