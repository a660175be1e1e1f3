#pragma once

#include "engine/shared/cell_key.hpp"
#include "engine/shared/order_data.hpp"

#include <corral/for_each.hpp>
#include <corral/views.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace corral::cpu {

/// key[i] = the group of the particle at x[d][i], or `groups` where it is outside, `groups` + 1 where it is not finite;
/// groups is the number of groups, at most vector_groups. For the instruction set at hand; all give the same.
template <class T>
void cell_keys(const shared::CellKey<T>&, const std::array<const T*, 3>& x, std::int64_t n, std::uint32_t* key);
inline constexpr std::int64_t vector_groups = std::int64_t{1} << 30;

/// u[i] = the fraction of coordinate x[i] within its group. Coordinates that are outside or not finite get some u that
/// nobody uses.
template <class T> void cell_fractions(const shared::AxisKey<T>&, const T* x, std::int64_t n, T* u);

/// The coordinates of a few particles, one behind the other.
template <class T> class CoordinateBatch {
public:
  static constexpr std::int64_t capacity = 256;

  /// Of the particles [begin, begin + n), n <= capacity: the caller's memory where they stand so in it.
  std::array<const T*, 3> stretch(const Positions<T>& p, std::int64_t begin, std::int64_t n) {
    std::array<const T*, 3> x;
    for (std::size_t d = 0; d < 3; ++d) {
      x[d] = copy_[d];
      if (p.axis[d].stride == 1) x[d] = p.axis[d].data + begin;
      else
        for (std::int64_t i = 0; i < n; ++i) copy_[d][i] = p.axis[d][begin + i];
    }
    return x;
  }

private:
  alignas(64) T copy_[3][capacity];
};

/// Runs of the input that the sorts hand to a thread each. Because both sorts are stable, the result is the same
/// however many runs there are.
struct SortRuns {
  std::int64_t count, length;

  /// `counters` is how many a run has, one for each place its particles may go to.
  static SortRuns of(std::int64_t particles, std::int64_t counters) {
    constexpr std::int64_t least = 16384; // below, a thread of its own costs more than it gains
    const std::int64_t most = 2 * particles / counters + 1; // so that counters never outweigh the particles
    const std::int64_t count =
        std::clamp<std::int64_t>(std::min(particles / least, most), 1, current_threads());
    return {count, (particles + count - 1) / count};
  }
  /// Calls f(run, begin, end) for every run, on all threads.
  template <class F> void for_each_run(Cpu cpu, std::int64_t particles, const F& f) const {
    for_each_chunk(cpu, particles, length,
                   [&](std::int64_t begin, std::int64_t end) { f(begin / length, begin, end); });
  }
};

/// key[i] = the group of the particle at x[d][i]; the number of groups where it is outside, one more where it is not
/// finite.
template <class T, class Index>
void sort_keys(const typename CellOrder<T>::Data& order, const std::array<const T*, 3>& x, std::int64_t n, Index* key) {
  const std::int64_t groups = order.group_count();
  if constexpr (std::is_same_v<Index, std::uint32_t>)
    if (groups + 2 <= vector_groups) {
      cell_keys(order.key, x, n, key);
      return;
    }
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t group = order.key(x[0][i], x[1][i], x[2][i]).group;
    key[i] = static_cast<Index>(group >= 0 ? group : groups - 1 - group);
  }
}

/// Calls f(begin, n, x) for the particles [begin, end) of the input in batches, x as `sort_keys` takes it.
template <class T, class F>
void for_each_coordinates(const Positions<T>& positions, std::int64_t begin, std::int64_t end, const F& f) {
  CoordinateBatch<T> batch;
  for (; begin < end; begin += batch.capacity) {
    const std::int64_t n = std::min(batch.capacity, end - begin);
    f(begin, n, batch.stretch(positions, begin, n));
  }
}

/// Whether most neighbours in memory are far apart in the order, as a sample tells: further than a page of a column.
template <class T> bool scattered(const typename CellOrder<T>::Data& order, const Positions<T>& positions) {
  constexpr std::int64_t sample = 1024, page = 4096 / sizeof(T);
  if (order.size < 2 * sample) return false;
  const auto key = [&](std::int64_t i) {
    return order.key(positions.axis[0][i], positions.axis[1][i], positions.axis[2][i]).group;
  };
  const double particles_per_group = static_cast<double>(order.size) / static_cast<double>(order.group_count());
  std::int64_t far = 0;
  for (std::int64_t s = 0; s < sample; ++s) {
    const std::int64_t i = s * (order.size / sample), apart = key(i + 1) - key(i);
    far += static_cast<double>(apart < 0 ? -apart : apart) * particles_per_group > page ? 1 : 0;
  }
  return 2 * far > sample;
}

} // namespace corral::cpu
