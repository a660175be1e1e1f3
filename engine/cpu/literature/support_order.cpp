#include "engine/cpu/literature/support_order.hpp"

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

} // namespace corral::cpu
