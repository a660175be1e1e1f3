#pragma once

#include "engine/cpu/machine/huge_pages.hpp"
#include "engine/cpu/order/sort_keys.hpp"

#include <bit>
#include <utility>
#include <vector>

namespace corral::cpu {

/// The stable sort for many particles that lie in no order, where a counting sort would wait for a cache line for each
/// coordinate of each. First, what the order needs of a particle goes into one row, and the rows into buckets of
/// neighbouring groups, which streams; then the rows of each bucket are sorted within the cache.
/// Sets all of an order but its size, to the very bits that CountingSort gives.
template <class T, class Index> class BucketSort {
public:
  using Row = SortRow<T, Index>;

  BucketSort(Cpu cpu, typename CellOrder<T>::Data& order, Array<Index>& permutation, SortScratch<T, Index>& scratch)
      : cpu_(cpu), order_(order), permutation_(permutation), rows_(scratch.rows), groups_(order.group_count()),
        shift_(bucket_shift(order.size, groups_)), buckets_((groups_ >> shift_) + 1 + not_inside),
        runs_(SortRuns::of(order.size, buckets_)), next_(runs_.count * buckets_, 0), begin_(buckets_ + 1) {}

  /// Whether it is the faster one: neither where all lies in the cache, nor where rows would take gigabytes.
  static bool suits(const typename CellOrder<T>::Data& order, const Positions<T>& positions) {
    constexpr std::int64_t in_cache = 1 << 16, most_bytes = std::int64_t{1} << 30;
    return order.size >= in_cache && order.size <= most_bytes / std::int64_t{sizeof(Row)} &&
           scattered<T>(order, positions);
  }

  void operator()(const Positions<T>& positions) {
    resize_on_huge_pages(rows_, order_.size);
    resize_on_huge_pages(permutation_, order_.size);
    order_.begin.resize(groups_ + 3);
    runs_.for_each_run(cpu_, order_.size, [&](std::int64_t run, std::int64_t begin, std::int64_t end) {
      count(positions, begin, end, next_.data() + run * buckets_);
    });
    accumulate();
    for (auto& f : order_.fraction) resize_on_huge_pages(f, begin_[buckets_ - not_inside]);
    runs_.for_each_run(cpu_, order_.size, [&](std::int64_t run, std::int64_t begin, std::int64_t end) {
      scatter(positions, begin, end, next_.data() + run * buckets_);
    });
    for_each_chunk(cpu_, buckets_ - not_inside, 1, [&](std::int64_t bucket, std::int64_t) { sort_inside(bucket); });
    for (std::int64_t i = begin_[buckets_ - not_inside]; i < order_.size; ++i) permutation_[i] = rows_[i].source;
    for (std::int64_t b = 0; b <= not_inside; ++b) order_.begin[groups_ + b] = begin_[buckets_ - not_inside + b];
  }

private:
  static constexpr std::int64_t not_inside = 2; ///< buckets of their own: outside, and not finite

  /// Groups per bucket, as a power of two: its rows stay in the second cache where particles are everywhere alike, and
  /// the ends of all buckets in the first one, or nearly.
  static int bucket_shift(std::int64_t particles, std::int64_t groups) {
    constexpr std::int64_t cache = 512 * 1024, most_buckets = 1024;
    const std::int64_t rows = cache / std::int64_t{sizeof(Row)};
    const std::int64_t wanted = std::clamp<std::int64_t>(particles / rows, 1, most_buckets);
    const auto groups_each = static_cast<std::uint64_t>(std::max<std::int64_t>(groups / wanted, 1));
    return static_cast<int>(std::bit_width(groups_each)) - 1; // rounded down: buckets are up to twice those wanted
  }
  std::int64_t bucket(Index key) const {
    const auto k = static_cast<std::int64_t>(key);
    return k < groups_ ? k >> shift_ : buckets_ - not_inside + (k - groups_);
  }

  void count(const Positions<T>& p, std::int64_t begin, std::int64_t end, std::int64_t* counts) {
    for_each_coordinates(p, begin, end, [&](std::int64_t, std::int64_t n, const std::array<const T*, 3>& x) {
      Index key[CoordinateBatch<T>::capacity];
      sort_keys<T>(order_, x, n, key);
      for (std::int64_t i = 0; i < n; ++i) ++counts[bucket(key[i])];
    });
  }

  void accumulate() {
    std::int64_t total = 0;
    for (std::int64_t b = 0; b < buckets_; ++b) {
      begin_[b] = total;
      for (std::int64_t r = 0; r < runs_.count; ++r) {
        std::int64_t& next = next_[r * buckets_ + b];
        const std::int64_t n = next;
        next = total;
        total += n;
      }
    }
    begin_[buckets_] = total;
  }

  void scatter(const Positions<T>& p, std::int64_t begin, std::int64_t end, std::int64_t* next) {
    for_each_coordinates(p, begin, end, [&](std::int64_t first, std::int64_t n, const std::array<const T*, 3>& x) {
      constexpr std::int64_t capacity = CoordinateBatch<T>::capacity;
      Index key[capacity];
      alignas(64) T u[3][capacity];
      sort_keys<T>(order_, x, n, key);
      for (std::size_t d = 0; d < 3; ++d) cell_fractions(order_.key.axis[d], x[d], n, u[d]);
      for (std::int64_t i = 0; i < n; ++i)
        rows_[next[bucket(key[i])]++] = {{u[0][i], u[1][i], u[2][i]}, key[i], static_cast<Index>(first + i)};
    });
  }

  void sort_inside(std::int64_t bucket) {
    const std::int64_t low = bucket << shift_, high = std::min(groups_, low + (std::int64_t{1} << shift_));
    const Row* const begin = rows_.data() + begin_[bucket];
    const Row* const end = rows_.data() + begin_[bucket + 1];
    std::vector<std::int64_t> next(static_cast<std::size_t>(high - low), 0);
    const auto at = [&](const Row& row) -> std::int64_t& {
      return next[static_cast<std::size_t>(row.key) - static_cast<std::size_t>(low)];
    };
    for (const Row* row = begin; row != end; ++row) ++at(*row);
    std::int64_t total = begin_[bucket];
    for (std::int64_t g = low; g < high; ++g) {
      order_.begin[g] = total;
      total += std::exchange(next[g - low], total);
    }
    T *const x = order_.fraction[0].data(), *const y = order_.fraction[1].data(), *const z = order_.fraction[2].data();
    Index* const permutation = permutation_.data();
    for (const Row* row = begin; row != end; ++row) {
      const std::int64_t place = at(*row)++;
      permutation[place] = row->source;
      x[place] = row->u[0], y[place] = row->u[1], z[place] = row->u[2];
    }
  }

  Cpu cpu_;
  typename CellOrder<T>::Data& order_;
  Array<Index>& permutation_;
  Array<Row>& rows_;
  std::int64_t groups_;
  int shift_;
  std::int64_t buckets_; ///< of groups, then those not inside
  SortRuns runs_;
  Array<std::int64_t> next_, begin_;
};

} // namespace corral::cpu
