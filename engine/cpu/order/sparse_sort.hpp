#pragma once

#include "engine/cpu/order/pack_fractions.hpp"

#include <algorithm>

namespace corral::cpu {

/// The stable sort for particles that are few beside the groups: the points of some bodies in a box of fluid. It sorts their keys,
/// keeps these as the order's sparse_groups, and rewrites where groups begin no further than particles moved since the last one.
/// Sets all of an order but its size, to the very bits that CountingSort gives.
template <class T> class SparseSort {
public:
  SparseSort(Cpu cpu, typename CellOrder<T>::Data& order)
      : cpu_(cpu), order_(order), keys_(order.sort32.keys), pairs_(order.sort32.pairs), permutation_(order.permutation32) {}

  static bool suits(const typename CellOrder<T>::Data& order) {
    constexpr std::int64_t groups_each = 64, most = 1 << 20;
    return !order.wide() && order.size > 0 && order.size <= most && order.size * groups_each <= order.group_count();
  }

  void operator()(const Positions<T>& positions) {
    const std::int64_t n = order_.size;
    keys_.resize(n);
    pairs_.resize(n);
    permutation_.resize(n);
    for_each_coordinates(positions, 0, n, [&](std::int64_t first, std::int64_t count, const std::array<const T*, 3>& x) {
      sort_keys<T>(order_, x, count, keys_.data() + first);
    });
    for (std::int64_t i = 0; i < n; ++i) pairs_[i] = std::uint64_t{keys_[i]} << 32 | static_cast<std::uint64_t>(i);
    std::sort(pairs_.begin(), pairs_.end());
    for (std::int64_t i = 0; i < n; ++i) {
      keys_[i] = static_cast<std::uint32_t>(pairs_[i] >> 32);
      permutation_[i] = static_cast<std::uint32_t>(pairs_[i]);
    }
    set_begin();
    order_.sparse_groups.swap(keys_);
    pack_fractions(cpu_, order_, permutation_, order_.begin[order_.group_count()], positions);
  }

private:
  /// begin[b] = how many keys are below b. It is rewritten where that differs from what it was by the last sort's keys; where
  /// another one sorted last, everywhere.
  void set_begin() {
    constexpr std::int64_t at_once = 1 << 16;
    const std::int64_t size = order_.group_count() + 3;
    const bool anew = order_.sparse_groups.empty();
    order_.begin.resize(size);
    const Below now(keys_), before(order_.sparse_groups);
    for_each_chunk(cpu_, size, at_once, [&](std::int64_t b, std::int64_t end) {
      for (std::int64_t i = now.count(b), old = before.count(b); b < end;) {
        const std::int64_t next = std::min({end, now.up_to(i), anew ? end : before.up_to(old)});
        if (anew || i != old) std::fill(order_.begin.data() + b, order_.begin.data() + next, i);
        b = next;
        i = now.passed(i, b);
        old = before.passed(old, b);
      }
    });
  }

  /// Sorted keys, as steps of how many there are below a bucket.
  class Below {
  public:
    explicit Below(const Array<std::uint32_t>& keys) : keys_(keys) {}
    std::int64_t count(std::int64_t b) const { return std::lower_bound(keys_.begin(), keys_.end(), b) - keys_.begin(); }
    /// The bucket beyond the last one that has i keys below it.
    std::int64_t up_to(std::int64_t i) const {
      return i < keys_.size() ? std::int64_t{keys_[i]} + 1 : std::numeric_limits<std::int64_t>::max();
    }
    /// count(b), which is i or more.
    std::int64_t passed(std::int64_t i, std::int64_t b) const {
      while (i < keys_.size() && keys_[i] < b) ++i;
      return i;
    }

  private:
    const Array<std::uint32_t>& keys_;
  };

  Cpu cpu_;
  typename CellOrder<T>::Data& order_;
  Array<std::uint32_t>& keys_;
  Array<std::uint64_t>& pairs_;
  Array<std::uint32_t>& permutation_;
};

} // namespace corral::cpu
