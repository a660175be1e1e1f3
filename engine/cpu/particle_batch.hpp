#pragma once

#include "engine/cpu/slabs.hpp"
#include "engine/shared/order_data.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::cpu {

/// A few particles of an order, whatever groups they are in.
template <class T> struct ParticleBatch {
  static constexpr int capacity = 64; ///< a multiple of every vector's length

  int n = 0;
  std::int64_t place[capacity];        ///< in the order
  std::int32_t group[3][capacity];
  alignas(64) T u[3][capacity] = {};   ///< fractions within the group

  void append(const typename CellOrder<T>::Data& order, std::int64_t first, std::int64_t end,
              std::array<std::int64_t, 3> g) {
    for (std::int64_t p = first; p < end; ++p, ++n) {
      place[n] = p;
      for (std::size_t d = 0; d < 3; ++d) {
        group[d][n] = static_cast<std::int32_t>(g[d]);
        u[d][n] = order.fraction[d][p];
      }
    }
  }
};

/// Calls f(batch) for the particles of a box in order, in full batches but for the last one.
template <class T, class F>
void for_each_batch(const typename CellOrder<T>::Data& order, const Box& box, const F& f) {
  ParticleBatch<T> batch;
  for (std::int64_t k = box.low[2]; k < box.high[2]; ++k)
    for (std::int64_t j = box.low[1]; j < box.high[1]; ++j) {
      const std::int64_t* begin = order.begin.data() + (k * order.groups[1].count + j) * order.groups[0].count;
      std::int64_t i = box.low[0], p = begin[i];
      for (const std::int64_t end = begin[box.high[0]]; p < end;) {
        while (i + 8 < box.high[0] && begin[i + 8] <= p) i += 8; // most groups may be empty
        while (begin[i + 1] <= p) ++i;
        const std::int64_t stop = std::min(begin[i + 1], p + batch.capacity - batch.n);
        batch.append(order, p, stop, {i, j, k});
        p = stop;
        if (batch.n < batch.capacity) continue;
        f(batch);
        batch.n = 0;
      }
    }
  if (batch.n > 0) f(batch);
}

/// Whether any particle lies in the box.
template <class T> bool has_particles(const typename CellOrder<T>::Data& order, const Box& box) {
  for (std::int64_t k = box.low[2]; k < box.high[2]; ++k)
    for (std::int64_t j = box.low[1]; j < box.high[1]; ++j) {
      const std::int64_t* begin = order.begin.data() + (k * order.groups[1].count + j) * order.groups[0].count;
      if (begin[box.high[0]] > begin[box.low[0]]) return true;
    }
  return false;
}

} // namespace corral::cpu
