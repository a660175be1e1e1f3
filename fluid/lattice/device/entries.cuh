#pragma once

/// The device entries of a set of velocities, for the file of each set.

#include "fluid/lattice/device/launches.hpp"

#include <corral/device_code.cuh>

#include <cmath>

namespace corral::fluid::lattice {

/// The populations of a cell in registers; a collision puts them where they go in memory.
template <class Set, class T, class A> struct InRegisters {
  const A (&g)[Set::count];
  const StepView<T, A>& step;
  T* own;
  const Link* links; ///< of the cell; null: those of cells at no end

  template <class Q> CORRAL_INLINED A get(Q q) const { return g[q]; }
  template <class Q> CORRAL_INLINED void put(Q q, A value) const {
    own[links ? links[q].to : step.inner_to[q]] = static_cast<T>(value);
  }
};

/// The populations of a cell as they arrive.
template <class T, class A> struct AsTheyArrive {
  const LookView<T, A>& look;
  const T* own;
  const Link* links;
  const CellPlace& place;

  template <class Q> CORRAL_INLINED A get(Q q) const {
    const Link& link = links[q];
    const A g = static_cast<A>(own[link.from]);
    return look.sides.change(link) ? look.sides.returned(look.box, link, place, g) : g;
  }
};

/// to[d] = the largest `most` of a block, which all of its threads bring; the first three write.
template <class A> __device__ inline void keep_fastest(const A (&most)[3], A* to) {
  constexpr int warp = 32, warps = collide_threads / warp;
  CORRAL_SHARED(A, of_warps, [3][warps]);
  for (int d = 0; d < 3; ++d) {
    A u = most[d];
    for (int lanes = warp / 2; lanes > 0; lanes /= 2) u = larger(u, __shfl_xor_sync(~0u, u, lanes));
    if (threadIdx.x % warp == 0) of_warps[d][threadIdx.x / warp] = u;
  }
  __syncthreads();
  if (threadIdx.x >= 3) return;
  A u = 0;
  for (int w = 0; w < warps; ++w) u = larger(u, of_warps[threadIdx.x][w]);
  to[threadIdx.x] = u;
}

template <class A> __device__ inline void tell_outlets(const BoxView& box, double* const (&outlets)[6][3], const CellPlace& p,
                                                       const A* u) {
  const std::uint32_t at[3] = {p.x, p.y, p.z};
  for (int s = 0; s < 6; ++s) {
    if (!outlets[s][0] || at[s / 2] != (s % 2 == 0 ? 0 : box.n[s / 2] - 1)) continue;
    for (int d = 0; d < 3; ++d) outlets[s][d][SidesView::face(box, s, p)] = static_cast<double>(u[d]);
  }
}

/// A step of cells. What arrives is in registers before anything is written, so places may be the same.
template <class Set, class T, class A, class Op>
__global__ void __launch_bounds__(collide_threads, 1) collide_global(const StepView<T, A> step, const Op op) {
  const auto [row, x, there] = step.cells.of(step.box, blockIdx.x * collide_threads + threadIdx.x);
  A most[3]{};
  if (there && !(step.apart.first && step.apart.contain(row, x))) {
    const CellPlace at = step.box.in_row(row, x);
    const std::uint32_t cell = x + step.box.n[0] * row;
    const std::int64_t own = step.box.own(at);
    const Link* const links = at.kind == inner_kind ? nullptr : step.box.links_of(at.kind);
    A g[Set::count];
    unrolled<Set::count>([&](auto q) __attribute__((always_inline)) {
      g[q] = static_cast<A>(step.from[own + (links ? links[q].from : step.inner_from[q])]);
    });
    const Moments<A> m = op(InRegisters<Set, T, A>{g, step, step.to + own, links}, step.force.on(cell, row, x));
    step.velocity.put(cell, m.u);
    if (links && step.any_outlet) tell_outlets(step.box, step.outlets, at, m.u);
    for (int d = 0; d < 3; ++d) most[d] = std::abs(m.u[d]);
  }
  keep_fastest(most, step.fastest + 3 * static_cast<std::int64_t>(blockIdx.x));
}

template <class Set, class T, class A>
__global__ void __launch_bounds__(look_threads, 1) look_global(const LookView<T, A> look) {
  const auto [row, x, there] = look.cells.of(look.box, blockIdx.x * look_threads + threadIdx.x);
  if (!there) return;
  const CellPlace at = look.box.in_row(row, x);
  const std::uint32_t cell = x + look.box.n[0] * row;
  const AsTheyArrive<T, A> arrive{look, look.from + look.box.own(at), look.box.links_of(at.kind), at};
  const Moments<A> m = moments<Set, A>(arrive, look.force.on(cell, row, x));
  look.velocity.put(cell, m.u);
  if (look.pressure) look.pressure[cell] = static_cast<double>(m.excess) * look.pressure_unit;
}

template <class Set, class T, class A> void launch_step(Gpu gpu, const StepView<T, A>& step, const Rule<A>& rule) {
  with_collision<Set>(rule.collision, rule.relaxation, [&](const auto& op) {
    using Op = std::decay_t<decltype(op)>;
    corral::detail::check_cuda(CORRAL_LAUNCH((collide_global<Set, T, A, Op>), blocks_for(step.cells, collide_threads),
                                             collide_threads, 0, gpu.stream, step, op),
                               "a step of the lattice");
  });
}

template <class Set, class T, class A> void launch_look(Gpu gpu, const LookView<T, A>& look) {
  corral::detail::check_cuda(CORRAL_LAUNCH((look_global<Set, T, A>), blocks_for(look.cells, look_threads), look_threads, 0,
                                           gpu.stream, look),
                             "a look at the lattice");
}

} // namespace corral::fluid::lattice
