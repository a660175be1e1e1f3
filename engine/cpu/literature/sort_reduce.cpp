#include "engine/cpu/literature/support_order.hpp"
#include "engine/cpu/methods.hpp"
#include "engine/cpu/stencil_batch.hpp"

#include <corral/for_each.hpp>

#include <algorithm>

namespace corral::cpu {
namespace {

/// The first point of the stencil of each particle, by its place in the order.
template <class T>
Array<std::int64_t> first_points(Cpu cpu, const typename CellOrder<T>::Data& order, const FieldBlock<T>& block) {
  Array<std::int64_t> point(order.counts.inside);
  const std::int64_t gx = order.groups[0].count, gy = order.groups[1].count;
  for_each(cpu, gy * order.groups[2].count, [&](std::int64_t row) {
    for (std::int64_t i = 0; i < gx; ++i) {
      const std::int64_t group = i + row % gy * block.layout.stride(1) + row / gy * block.layout.stride(2);
      for (std::int64_t p = order.begin[row * gx + i]; p < order.begin[row * gx + i + 1]; ++p) {
        point[p] = group;
        for (std::size_t d = 0; d < 3; ++d) {
          const shared::AxisSupport& s = block.support.axis[d];
          if (s.straddled) point[p] += shared::stencil_position(s, order.fraction[d][p]).lead * block.stride()[d];
        }
      }
    }
  });
  return point;
}

} // namespace

template <class T>
SupportOrder::SupportOrder(Cpu cpu, const typename CellOrder<T>::Data& order, const FieldBlock<T>& block) {
  sort(cpu, first_points<T>(cpu, order, block), block.layout.size());
}

/// A stable counting sort: each run of particles is counted and placed by one thread, and the result is the same
/// however many runs there are.
void SupportOrder::sort(Cpu cpu, const Array<std::int64_t>& key, std::int64_t keys) {
  constexpr std::int64_t least_run = 65536;
  const std::int64_t n = key.size(), most = std::min(n / least_run, 2 * n / keys + 1); // counters never outweigh keys
  const std::int64_t runs = std::clamp<std::int64_t>(most, 1, current_threads());
  const std::int64_t length = std::max<std::int64_t>((n + runs - 1) / runs, 1);
  Array<std::int64_t> next(runs * keys, 0);
  for_each_chunk(cpu, n, length, [&](std::int64_t first, std::int64_t end) {
    std::int64_t* const histogram = next.data() + first / length * keys;
    for (std::int64_t i = first; i < end; ++i) ++histogram[key[i]];
  });

  point_.resize(std::min(n, keys));
  begin_.resize(point_.size() + 1);
  std::int64_t total = 0, segment = 0;
  for (std::int64_t k = 0; k < keys; ++k) {
    const std::int64_t before = total;
    for (std::int64_t r = 0; r < runs; ++r) {
      const std::int64_t count = next[r * keys + k];
      next[r * keys + k] = total;
      total += count;
    }
    if (total == before) continue;
    point_[segment] = k;
    begin_[segment++] = before;
  }
  begin_[segment] = total;
  point_.resize(segment);

  place_.resize(n);
  for_each_chunk(cpu, n, length, [&](std::int64_t first, std::int64_t end) {
    std::int64_t* const to = next.data() + first / length * keys;
    for (std::int64_t i = first; i < end; ++i) place_[to[key[i]]++] = i;
  });
}

template SupportOrder::SupportOrder(Cpu, const CellOrder<float>::Data&, const FieldBlock<float>&);
template SupportOrder::SupportOrder(Cpu, const CellOrder<double>::Data&, const FieldBlock<double>&);

namespace {

// Kassen's Algorithms 4, 5 and 6: sort the particles by the first point of their stencil; then, shift by shift of the
// stencil, reduce each segment of equal points and add its sum to the grid, which is the only write of the occupied
// cell and shift. Algorithm 5 takes a few shifts at a time, so that a stencil is evaluated less often, through
// output buffers that are kept; in Algorithm 6 they live within the call.

/// Shifts that the buffered methods take at a time: Kassen's s_z. Where it doesn't divide s^d, the last pass is short.
constexpr int buffered_shifts = 8;

template <class T> class SortReduce {
public:
  /// `weights` and `sums` are the scratch memory, in which they may find anything.
  SortReduce(const SpreadCall<T>& call, const FieldBlock<T>& block, Array<T>& weights, Array<T>& sums)
      : call_(call), block_(block), sorted_(call.cpu, call.order, block), weights_(weights), sums_(sums) {
    for (std::size_t d = 0; d < 3; ++d) points_[d] = block.support.axis[d].support;
  }

  void operator()(int shifts_at_a_time, bool buffered) {
    const int shifts = points_[0] * points_[1] * points_[2];
    for (int first = 0; first < shifts; first += shifts_at_a_time) {
      const int n = std::min(shifts_at_a_time, shifts - first);
      set_weights(first, n);
      for (std::size_t f = 0; f < block_.terms.size(); ++f)
        if (buffered) add_buffered(f, first, n);
        else add(f, first);
    }
  }

private:
  /// weights_[s * particles + i]: the weight of particle i on the point of shift first + s, for n shifts.
  void set_weights(int first, int n) {
    const std::int64_t particles = sorted_.particles();
    weights_.resize(particles * n);
    for_each_chunk(call_.cpu, particles, chunk_size, [&](std::int64_t begin, std::int64_t end) {
      StencilBatch<T> batch(call_.kernel, block_.support, block_.stride());
      T u[3][StencilBatch<T>::capacity];
      for (; begin < end; begin += batch.capacity) {
        const int count = static_cast<int>(std::min<std::int64_t>(batch.capacity, end - begin));
        for (int i = 0; i < count; ++i)
          for (std::size_t d = 0; d < 3; ++d) u[d][i] = call_.order.fraction[d][sorted_.place(begin + i)];
        batch.set({u[0], u[1], u[2]}, count);
        for (int s = 0; s < n; ++s) {
          const auto [a, b, c] = shift(first + s);
          T* const w = weights_.data() + s * particles + begin;
          for (int i = 0; i < count; ++i)
            w[i] = batch.weights(2, i)[c] * batch.weights(1, i)[b] * batch.weights(0, i)[a];
        }
      }
    });
  }

  void add(std::size_t f, int first) {
    T* const point = shifted(f, first);
    for_each(call_.cpu, sorted_.segments(), [&](std::int64_t g) { point[sorted_.point(g)] += reduced(f, g, 0); });
  }

  void add_buffered(std::size_t f, int first, int n) {
    const std::int64_t segments = sorted_.segments();
    sums_.resize(segments * n);
    for_each(call_.cpu, segments, [&](std::int64_t g) {
      for (int s = 0; s < n; ++s) sums_[s * segments + g] = reduced(f, g, s);
    });
    for (int s = 0; s < n; ++s) {
      T* const point = shifted(f, first + s);
      const T* const sum = sums_.data() + s * segments;
      for_each(call_.cpu, segments, [&](std::int64_t g) { point[sorted_.point(g)] += sum[g]; });
    }
  }

  /// What the particles of segment g give to the point of shift s.
  T reduced(std::size_t f, std::int64_t g, int s) const {
    const auto& column = call_.terms[block_.terms[f]].column;
    const T* const w = weights_.data() + s * sorted_.particles();
    T sum = 0;
    for (std::int64_t i = sorted_.begin(g); i < sorted_.begin(g + 1); ++i)
      sum += w[i] * column[call_.order.source(sorted_.place(i))];
    return sum;
  }

  /// The point of a shift along x, y, z.
  std::array<int, 3> shift(int s) const {
    return {s % points_[0], s / points_[0] % points_[1], s / points_[0] / points_[1]};
  }
  T* shifted(std::size_t f, int s) const {
    const auto [a, b, c] = shift(s);
    return block_.padded[f] + a + b * block_.layout.stride(1) + c * block_.layout.stride(2);
  }

  const SpreadCall<T>& call_;
  const FieldBlock<T>& block_;
  SupportOrder sorted_;
  Array<T>&weights_, &sums_;
  std::array<int, 3> points_;
};

} // namespace

template <class T> void spread_sort_reduce(const SpreadCall<T>& call) {
  auto& scratch = call.order.sort_reduce;
  for (const FieldBlock<T>& block : call.blocks)
    SortReduce<T>(call, block, scratch.weights, scratch.sums)(1, false);
}

template <class T> void spread_sort_reduce_buffered(const SpreadCall<T>& call) {
  auto& scratch = call.order.sort_reduce;
  for (const FieldBlock<T>& block : call.blocks)
    SortReduce<T>(call, block, scratch.weights, scratch.sums)(buffered_shifts, true);
}

template <class T> void spread_sort_reduce_on_the_fly(const SpreadCall<T>& call) {
  for (const FieldBlock<T>& block : call.blocks) {
    Array<T> weights, sums;
    SortReduce<T>(call, block, weights, sums)(buffered_shifts, true);
  }
}

template void spread_sort_reduce(const SpreadCall<float>&);
template void spread_sort_reduce(const SpreadCall<double>&);
template void spread_sort_reduce_buffered(const SpreadCall<float>&);
template void spread_sort_reduce_buffered(const SpreadCall<double>&);
template void spread_sort_reduce_on_the_fly(const SpreadCall<float>&);
template void spread_sort_reduce_on_the_fly(const SpreadCall<double>&);

} // namespace corral::cpu
