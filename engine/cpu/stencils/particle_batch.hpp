#pragma once

#include "engine/cpu/slabs.hpp"
#include "engine/shared/order_data.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::cpu {

/// Sets group[p - first] for the particles [first, end) of a row, of which begin[i] is the first one of group i; `i` is
/// not beyond the first one's group. Returns the last one's. Groups hold few particles, so that a loop over a group's
/// own would hardly ever be predicted: four values are written for each group, and overwritten by the next.
inline std::int64_t groups_of(const std::int64_t* begin, std::int64_t i, std::int64_t first, std::int64_t end,
                              std::int32_t* group) {
  while (begin[i + 1] <= first) ++i;
  for (std::int64_t p = first;; ++i) {
    const auto g = static_cast<std::int32_t>(i);
    group[p - first] = group[p - first + 1] = group[p - first + 2] = group[p - first + 3] = g;
    const std::int64_t next = std::min(begin[i + 1], end);
    for (std::int64_t q = p + 4; q < next; ++q) group[q - first] = g;
    if (next == end) return i;
    p = next;
  }
}

/// A few particles of an order, whatever groups they are in.
template <class T> struct ParticleBatch {
  static constexpr int capacity = 32; ///< a multiple of every vector's length

  int n = 0;
  std::int64_t place[capacity];        ///< in the order
  std::int32_t group[3][capacity + 4] = {};
  alignas(64) T u[3][capacity] = {};   ///< fractions within the group

  /// Takes the particles [first, end) of the order, which lie in the row (j, k).
  void append(const typename CellOrder<T>::Data& order, std::int64_t first, std::int64_t end, std::int64_t j,
              std::int64_t k) {
    const T *x = order.fraction[0].data(), *y = order.fraction[1].data(), *z = order.fraction[2].data();
    for (std::int64_t p = first; p < end; ++p, ++n) {
      place[n] = p;
      group[1][n] = static_cast<std::int32_t>(j);
      group[2][n] = static_cast<std::int32_t>(k);
      u[0][n] = x[p], u[1][n] = y[p], u[2][n] = z[p];
    }
  }
};

/// Where the groups of the row (j, k) begin.
template <class T>
const std::int64_t* row_begin(const typename CellOrder<T>::Data& order, std::int64_t j, std::int64_t k) {
  return order.begin.data() + (k * order.groups[1].count + j) * order.groups[0].count;
}

/// Asks for begin[low] to begin[high].
inline void prefetch_groups(const std::int64_t* begin, std::int64_t low, std::int64_t high) {
  constexpr std::int64_t line = 64 / sizeof(std::int64_t);
  for (std::int64_t i = low; i < high + line; i += line) hwy::Prefetch(begin + std::min(i, high));
}

/// Those of for_each_batch, of a box of whole rows in an order whose particles are few: their groups are known, and nobody
/// looks at empty ones.
template <class T, class F>
void for_each_sparse_batch(const typename CellOrder<T>::Data& order, const GroupBox& box, const F& f) {
  const std::uint32_t* const group = order.sparse_groups.data();
  const auto across = static_cast<std::uint32_t>(order.groups[0].count), rows = static_cast<std::uint32_t>(order.groups[1].count);
  ParticleBatch<T> batch;
  for (std::int64_t k = box.low[2]; k < box.high[2]; ++k) {
    const std::int64_t end = *row_begin<T>(order, box.high[1], k); // of the last row the next plane's first
    for (std::int64_t p = *row_begin<T>(order, box.low[1], k); p < end; ++p) {
      const std::uint32_t row = group[p] / across;
      batch.group[0][batch.n] = static_cast<std::int32_t>(group[p] - row * across);
      batch.append(order, p, p + 1, row % rows, k);
      if (batch.n < batch.capacity) continue;
      f(batch);
      batch.n = 0;
    }
  }
  if (batch.n > 0) f(batch);
}

/// Calls f(batch) for the particles of a box in order, in full batches but for the last one, and soon(first, end) for
/// those of a row before the row before it: short runs defeat the hardware's own prefetcher.
template <class T, class Soon, class F>
void for_each_batch(const typename CellOrder<T>::Data& order, const GroupBox& box, const Soon& soon, const F& f) {
  if (!order.sparse_groups.empty() && box.low[0] == 0 && box.high[0] == order.groups[0].count)
    return for_each_sparse_batch<T>(order, box, f);
  const std::int64_t across = box.high[1] - box.low[1], rows = across * (box.high[2] - box.low[2]);
  const auto begin_of = [&](std::int64_t row) {
    return row_begin<T>(order, box.low[1] + row % across, box.low[2] + row / across);
  };
  ParticleBatch<T> batch;
  for (std::int64_t row = 0; row < rows; ++row) {
    if (row + 2 < rows) prefetch_groups(begin_of(row + 2), box.low[0], box.high[0]);
    if (row + 1 < rows) {
      const std::int64_t* next = begin_of(row + 1);
      soon(next[box.low[0]], next[box.high[0]]);
    }
    const std::int64_t* begin = begin_of(row);
    std::int64_t i = box.low[0];
    for (std::int64_t p = begin[i]; p < begin[box.high[0]];) {
      const std::int64_t end = std::min(begin[box.high[0]], p + batch.capacity - batch.n);
      i = groups_of(begin, i, p, end, batch.group[0] + batch.n);
      batch.append(order, p, end, box.low[1] + row % across, box.low[2] + row / across);
      p = end;
      if (batch.n < batch.capacity) continue;
      f(batch);
      batch.n = 0;
    }
  }
  if (batch.n > 0) f(batch);
}

} // namespace corral::cpu
