#include "engine/cpu/without_order/direct_call.hpp"
#include "engine/cpu/without_order/direct_rows.hpp"

#include <corral/for_each.hpp>

#include <atomic>
#include <limits>

namespace corral {
namespace cpu {
namespace {

template <class T> using Block = DirectBlock<T, Spread<T>>;

/// Points along z that a thread owns, in the field's own indices.
struct OwnedPlanes {
  std::int64_t low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
};

/// Adds a particle to all fields of a block, on the planes that its thread owns: any kernel.
template <class T, class Add> struct AddParticle {
  static constexpr bool needs_weights = true;

  const Block<T>& block;
  OwnedPlanes owned;
  Add add;

  /// Points of others are not even asked for: they lie in the memory of the threads that write them.
  bool wants(const DirectStencils<T>& stencils, int i) const {
    const std::int64_t plane = stencils.first(2, i);
    return !stencils.inner(i) || (plane < owned.high && plane + stencils.points(2) > owned.low);
  }
  void expect(const DirectStencils<T>&, int) const {}

  void operator()(DirectStencils<T>& stencils, int i, std::int64_t particle) const {
    if (stencils.inner(i))
      for (const Spread<T>& term : block.terms)
        add_inner(stencils, i, term.column[particle], term.field.data + stencils.offset(i));
    else
      stencils.for_each_folded(i, owned.low, owned.high, [&](std::int64_t offset, T weight) {
        for (const Spread<T>& term : block.terms) add(term.field.data[offset], weight * term.column[particle]);
      });
  }

  void add_inner(const DirectStencils<T>& stencils, int i, T value, T* first) const {
    const T *x = stencils.weights(0, i), *y = stencils.weights(1, i), *z = stencils.weights(2, i);
    for (int c = 0; c < stencils.points(2); ++c) {
      const std::int64_t plane = stencils.first(2, i) + c;
      if (plane < owned.low || plane >= owned.high) continue;
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

  AddTrilinear(const Block<T>& block, const OwnedPlanes& owned, Add add)
      : TrilinearTerms<const T, T, F>(block), any{block, owned, add} {}

  bool wants(const DirectStencils<T>& stencils, int i) const { return any.wants(stencils, i); }

  void operator()(DirectStencils<T>& stencils, int i, std::int64_t particle) const {
    if (!stencils.inner(i)) {
      any(stencils, i, particle);
      return;
    }
    const std::int64_t plane = stencils.first(2, i);
    const bool low = plane >= any.owned.low && plane < any.owned.high;
    const bool high = plane + 1 >= any.owned.low && plane + 1 < any.owned.high;
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

struct AtomicAdd {
  template <class T> void operator()(T& point, T gain) const {
    std::atomic_ref<T>(point).fetch_add(gain, std::memory_order_relaxed);
  }
};

/// Values [particle][4] of the particles [first, first + n): 0 for fields that are not there, up to two fields twice.
template <class T>
void set_values(std::span<const Spread<T>> terms, std::int64_t first, int n, TrilinearBatch<T>& batch) {
  for (std::size_t v = 0; v < batch.value_width; ++v) {
    T* const to = batch.value + v;
    const std::size_t f = terms.size() <= 2 ? v % 2 : v;
    if (f < terms.size())
      for (int i = 0; i < n; ++i) to[i * batch.value_width] = terms[f].column[first + i];
    else
      for (int i = 0; i < n; ++i) to[i * batch.value_width] = T(0);
  }
}

/// Planes cut into as many ranges as there are threads, of about equal work for the particles at hand, which a sample
/// tells: particles that lie in some order keep few planes busy at a time.
template <class T>
std::vector<PointRange> equal_ranges(const SideBySide<T>& fields, std::span<const TrilinearBatch<T>> batches,
                                     std::int64_t particles, int threads) {
  constexpr std::int64_t sampled = 16, capacity = TrilinearBatch<T>::capacity;
  const std::int64_t planes = fields.planes(), plane = fields.rows().plane;
  std::vector<std::int64_t> touching(static_cast<std::size_t>(planes + 1)); // twice: a particle touches two planes
  std::int64_t all = 0;
  for (std::int64_t i = 0; i < particles; i += sampled) {
    const std::int64_t p = batches[i / capacity].point[i % capacity] / plane;
    if (p >= planes) continue;
    ++touching[p], ++touching[p + 1];
    all += 2;
  }
  std::vector<PointRange> ranges;
  std::int64_t begin = 0, seen = 0;
  for (std::int64_t p = 0; p < planes; ++p) {
    seen += touching[p];
    if (p + 1 < planes && seen * threads < all * static_cast<std::int64_t>(ranges.size() + 1)) continue;
    ranges.push_back({begin * plane, (p + 1) * plane});
    begin = p + 1;
  }
  return ranges;
}

/// Many particles and trilinear fields: into accumulators that lie side by side. Some particles at a time are
/// placed in parallel, and added by threads that own ranges of planes: every point gets its sum in the order of the
/// particles, whoever owns it.
template <class T>
SortCounts add_side_by_side(Cpu cpu, const Positions<T>& positions, const Block<T>& block, SideBySide<T> fields,
                            int threads) {
  using Batch = TrilinearBatch<T>;
  constexpr std::int64_t capacity = Batch::capacity, in_parallel = 128; // batches
  Array<Batch> batches(threads == 1 ? 1 : in_parallel);
  Array<SortCounts> counts(batches.size());
  SortCounts seen;
  fields.clear(cpu);
  for (std::int64_t first = 0; first < positions.size(); first += batches.size() * capacity) {
    const std::int64_t particles = std::min(batches.size() * capacity, positions.size() - first);
    const auto size_of = [&](std::int64_t b) { return static_cast<int>(std::min(capacity, particles - b * capacity)); };
    counts.resize((particles + capacity - 1) / capacity);
    for_each_chunk(cpu, counts.size(), 4, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b) {
        counts[b] = fields.place(positions, first + b * capacity, size_of(b), batches[b]);
        set_values<T>(block.terms, first + b * capacity, size_of(b), batches[b]);
      }
    });
    seen = seen + total(counts);
    const std::vector<PointRange> ranges = threads == 1 ? std::vector<PointRange>{{0, fields.points()}}
                                                        : equal_ranges<T>(fields, batches.span(), particles, threads);
    for_each_chunk(cpu, static_cast<std::int64_t>(ranges.size()), 1, [&](std::int64_t r, std::int64_t) {
      ChosenParticles chosen;
      for (std::int64_t b = 0; b < counts.size(); ++b) {
        fields.choose(batches[b], size_of(b), ranges[r], chosen);
        add_rows(fields.rows(), batches[b], chosen, ranges[r]);
      }
    });
  }
  fields.fold_into(cpu, block.terms);
  return seen;
}

/// Each thread owns a slab of planes and walks all particles in their order: every point gets its sum in the order of
/// the particles, whoever owns it, so that the bits are those of one thread.
template <class T>
SortCounts add_by_slabs(Cpu cpu, const Positions<T>& positions, const KernelWeights<T>& kernel, const Block<T>& block,
                        int threads) {
  constexpr std::int64_t least_planes = 4, least_particles = 4096;
  const std::int64_t n = positions.size(), planes = block.support.grid.points(block.support.staggering, 2);
  if (block.trilinear(kernel)) {
    const PaddedLayout layout = block.padded_layout();
    if (SideBySide<T>::repays(layout, n))
      return add_side_by_side(cpu, positions, block, SideBySide<T>(block.support, layout, block.terms.size()), threads);
  }
  const std::int64_t slabs = std::clamp<std::int64_t>(std::min(planes / least_planes, n / least_particles), 1, threads);
  SortCounts counts;
  for_each_chunk(cpu, slabs, 1, [&](std::int64_t s, std::int64_t) {
    OwnedPlanes owned;
    if (s > 0) owned.low = planes * s / slabs; // the outer ones have the ghosts, too
    if (s + 1 < slabs) owned.high = planes * (s + 1) / slabs;
    const auto add_with = [&](const auto& map) { return for_each_stencil(positions, kernel, block, 0, n, map); };
    const SortCounts seen = block.trilinear(kernel)
                                ? with_fields(block.terms.size(),
                                              [&](auto fields) {
                                                return add_with(AddTrilinear<T, fields, PlainAdd>(block, owned, {}));
                                              })
                                : add_with(AddParticle<T, PlainAdd>{block, owned, {}});
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
