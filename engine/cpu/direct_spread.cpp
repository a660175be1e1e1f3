#include "engine/cpu/direct_call.hpp"

#include <corral/for_each.hpp>

#include <atomic>
#include <limits>

namespace corral {
namespace cpu {
namespace {

template <class T> using Block = DirectBlock<T, Spread<T>>;

/// Points along z that a thread owns, in the field's own indices.
struct Slab {
  std::int64_t low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
};

/// Adds a particle to all fields of a block, on the planes of the slab: any kernel.
template <class T, class Add> struct AddParticle {
  static constexpr bool needs_weights = true;

  const Block<T>& block;
  Slab slab;
  Add add;

  /// Points of others are not even asked for: they lie in the memory of the threads that write them.
  bool wants(const DirectStencils<T>& stencils, int i) const {
    const std::int64_t plane = stencils.first(2, i);
    return !stencils.inner(i) || (plane < slab.high && plane + stencils.points(2) > slab.low);
  }
  void expect(const DirectStencils<T>&, int) const {}

  void operator()(DirectStencils<T>& stencils, int i, std::int64_t particle) const {
    if (stencils.inner(i))
      for (const Spread<T>& term : block.terms)
        add_inner(stencils, i, term.column[particle], term.field.data + stencils.offset(i));
    else
      stencils.for_each_folded(i, slab.low, slab.high, [&](std::int64_t offset, T weight) {
        for (const Spread<T>& term : block.terms) add(term.field.data[offset], weight * term.column[particle]);
      });
  }

  void add_inner(const DirectStencils<T>& stencils, int i, T value, T* first) const {
    const T *x = stencils.weights(0, i), *y = stencils.weights(1, i), *z = stencils.weights(2, i);
    for (int c = 0; c < stencils.points(2); ++c) {
      const std::int64_t plane = stencils.first(2, i) + c;
      if (plane < slab.low || plane >= slab.high) continue;
      for (int b = 0; b < stencils.points(1); ++b) {
        T* const row = first + c * stencils.stride(2) + b * stencils.stride(1);
        const T q = z[c] * y[b] * value;
        for (int a = 0; a < stencils.points(0); ++a) add(row[a * stencils.stride(0)], x[a] * q);
      }
    }
  }
};

/// The same for F trilinear fields.
template <class T, int F, class Add> struct AddTrilinear : TrilinearTerms<const T, T, F> {
  AddParticle<T, Add> any;

  AddTrilinear(const Block<T>& block, const Slab& slab, Add add)
      : TrilinearTerms<const T, T, F>(block), any{block, slab, add} {}

  bool wants(const DirectStencils<T>& stencils, int i) const { return any.wants(stencils, i); }

  void operator()(DirectStencils<T>& stencils, int i, std::int64_t particle) const {
    if (!stencils.inner(i)) {
      any(stencils, i, particle);
      return;
    }
    const std::int64_t plane = stencils.first(2, i);
    const bool low = plane >= any.slab.low && plane < any.slab.high;
    const bool high = plane + 1 >= any.slab.low && plane + 1 < any.slab.high;
    if (low && high) add_rows<0, 4>(stencils, i, particle);
    else if (low) add_rows<0, 2>(stencils, i, particle);
    else if (high) add_rows<2, 4>(stencils, i, particle);
  }

  template <std::size_t Begin, std::size_t End>
  void add_rows(const DirectStencils<T>& stencils, int i, std::int64_t particle) const {
    const T right = stencils.u(0, i), left = T(1) - right;
    const std::array<T, 4> weight = this->across(stencils, i);
    for (std::size_t r = Begin; r < End; ++r)
      for (std::size_t f = 0; f < F; ++f) {
        T* const point = this->field[f] + stencils.offset(i) + this->row[r];
        const T q = weight[r] * this->column[f][particle];
        const T low = point[0] + left * q, high = point[1] + right * q;
        point[0] = low;
        point[1] = high;
      }
  }
};

struct PlainAdd {
  template <class T> void operator()(T& point, T gain) const { point += gain; }
};
struct AtomicAdd {
  template <class T> void operator()(T& point, T gain) const {
    std::atomic_ref<T>(point).fetch_add(gain, std::memory_order_relaxed);
  }
};

/// Each thread owns a slab of planes and walks all particles in their order: every point gets its sum in the order of
/// the particles, whoever owns it, so that the bits are those of one thread.
template <class T>
SortCounts add_by_slabs(Cpu cpu, const Positions<T>& positions, const KernelWeights<T>& kernel, const Block<T>& block,
                        int threads) {
  constexpr std::int64_t least_planes = 4, least_particles = 4096;
  const std::int64_t n = positions.size(), planes = block.support.grid.points(block.support.staggering, 2);
  const std::int64_t slabs = std::clamp<std::int64_t>(std::min(planes / least_planes, n / least_particles), 1, threads);
  SortCounts counts;
  for_each_chunk(cpu, slabs, 1, [&](std::int64_t s, std::int64_t) {
    Slab slab;
    if (s > 0) slab.low = planes * s / slabs; // the outer ones have the ghosts, too
    if (s + 1 < slabs) slab.high = planes * (s + 1) / slabs;
    const auto add_with = [&](const auto& map) { return for_each_stencil(positions, kernel, block, 0, n, map); };
    const SortCounts seen = block.trilinear(kernel)
                                ? with_fields(block.terms.size(),
                                              [&](auto fields) {
                                                return add_with(AddTrilinear<T, fields, PlainAdd>(block, slab, {}));
                                              })
                                : add_with(AddParticle<T, PlainAdd>{block, slab, {}});
    if (s == 0) counts = seen;
  });
  return counts;
}

template <class T>
SortCounts add_atomically(Cpu cpu, const Positions<T>& positions, const KernelWeights<T>& kernel,
                          const Block<T>& block) {
  constexpr std::int64_t particles_per_task = 8192;
  const std::int64_t n = positions.size();
  Array<SortCounts> counts((n + particles_per_task - 1) / particles_per_task);
  for_each_chunk(cpu, n, particles_per_task, [&](std::int64_t begin, std::int64_t end) {
    counts[begin / particles_per_task] =
        for_each_stencil(positions, kernel, block, begin, end, AddParticle<T, AtomicAdd>{block, {}, {}});
  });
  return total(counts);
}

} // namespace
} // namespace cpu

namespace detail {

template <class T>
SortCounts spread(Cpu cpu, const Grid& grid, const Positions<T>& positions, const KernelWeights<T>& kernel,
                  std::span<const Spread<T>> terms, Method method) {
  if (method != Method::automatic && method != Method::serial && method != Method::atomic)
    cpu::refuse_without_order(method, "serial, atomic, or automatic");
  SortCounts counts = terms.empty() ? cpu::count_places(grid, positions, kernel) : SortCounts{};
  for (const auto& block : cpu::direct_blocks(grid, positions, kernel, terms))
    counts = method == Method::atomic
                 ? cpu::add_atomically(cpu, positions, kernel, block)
                 : cpu::add_by_slabs(cpu, positions, kernel, block, method == Method::serial ? 1 : current_threads());
  return counts;
}

template SortCounts spread(Cpu, const Grid&, const Positions<float>&, const KernelWeights<float>&,
                           std::span<const Spread<float>>, Method);
template SortCounts spread(Cpu, const Grid&, const Positions<double>&, const KernelWeights<double>&,
                           std::span<const Spread<double>>, Method);

} // namespace detail
} // namespace corral
