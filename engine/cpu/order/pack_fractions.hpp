#pragma once

#include "engine/cpu/machine/huge_pages.hpp"
#include "engine/cpu/order/sort_keys.hpp"

#include <hwy/cache_control.h>

namespace corral::cpu {

/// Particles ahead of which memory is asked for: a random place in it takes longer to come than the work on one.
inline constexpr std::int64_t particles_ahead = 32;

/// x[d][i] = the coordinates of the particle at place begin + i, i in [0, n), of those inside.
template <class T, class Index, std::size_t capacity>
void gather_coordinates(const Positions<T>& p, const Index* permutation, std::int64_t begin, std::int64_t n, std::int64_t inside,
                        T (&x)[3][capacity]) {
  const Column<const T> from_x = p.axis[0], from_y = p.axis[1], from_z = p.axis[2];
  const auto source = [&](std::int64_t i) { return static_cast<std::int64_t>(permutation[i]); };
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t next = source(std::min(begin + i + particles_ahead, inside - 1)), s = source(begin + i);
    hwy::Prefetch(&from_x[next]), hwy::Prefetch(&from_y[next]), hwy::Prefetch(&from_z[next]);
    x[0][i] = from_x[s], x[1][i] = from_y[s], x[2][i] = from_z[s];
  }
}

/// Sets an order's fractions, of so many particles inside, where groups and permutation are known.
template <class T, class Index>
void pack_fractions(Cpu cpu, typename CellOrder<T>::Data& order, const Array<Index>& permutation, std::int64_t inside,
                    const Positions<T>& positions) {
  for (auto& f : order.fraction) resize_on_huge_pages(f, inside);
  for_each_chunk(cpu, inside, chunk_size, [&](std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t capacity = CoordinateBatch<T>::capacity;
    alignas(64) T x[3][capacity];
    for (; begin < end; begin += capacity) {
      const std::int64_t n = std::min(capacity, end - begin);
      gather_coordinates(positions, permutation.data(), begin, n, inside, x);
      for (std::size_t d = 0; d < 3; ++d) cell_fractions(order.key.axis[d], x[d], n, order.fraction[d].data() + begin);
    }
  });
}

} // namespace corral::cpu
