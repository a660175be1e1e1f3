#pragma once

#include "engine/cpu/cells/row_task.hpp"

#include <corral/for_each.hpp>

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::cpu {

/// The columns of a pass over particles that don't lie in cell order. Reaching each of several columns through the
/// permutation costs a cache line a particle and column; so the values of a particle are first brought side by side, in
/// the caller's order, which streams, and then reached together. Few particles, which stay in the cache, and single
/// columns are reached directly. V is const T where columns are read, T where they are written.
template <class T, class V> class UnsortedColumns {
public:
  using Values = std::array<T*, field_block>; ///< [fields] one number per particle of a piece

  void add(const Column<V>& column) { column_[static_cast<std::size_t>(fields_++)] = column; }

  /// Values that `begin` needs memory for.
  std::int64_t room(const typename CellOrder<T>::Data& order) const {
    constexpr std::int64_t in_cache = 1 << 16; // particles
    return order.identity || fields_ < 2 || order.size < in_cache ? 0 : order.size * width();
  }
  void begin(Cpu cpu, const typename CellOrder<T>::Data& order, T* memory) {
    order_ = &order;
    side_by_side_ = room(order) > 0;
    row_ = memory;
    // Particles that the order skipped keep what they had.
    if (side_by_side_ && (std::is_const_v<V> || order.counts.inside < order.size)) {
      for_each(cpu, order.size, [&](std::int64_t i) {
        for (int f = 0; f < fields_; ++f) row_[i * width() + f] = column_[static_cast<std::size_t>(f)][i];
      });
    }
  }
  void end(Cpu cpu) const
    requires(!std::is_const_v<V>)
  {
    if (!side_by_side_) return;
    for_each(cpu, order_->size, [&](std::int64_t i) {
      for (int f = 0; f < fields_; ++f) column_[static_cast<std::size_t>(f)][i] = row_[i * width() + f];
    });
  }

  /// value[f][p] = column f at place first + p, p in [0, n).
  void read(std::int64_t first, std::int64_t n, const Values& value) const {
    for_each_value(first, n, value, [](T& to, const T& column) { to = column; });
  }
  /// The other way round.
  void write(std::int64_t first, std::int64_t n, const Values& value) const {
    for_each_value(first, n, value, [](T& from, T& column) { column = from; });
  }

private:
  static constexpr std::int64_t ahead = 32; ///< particles: stores, which retire in order, don't overlap by themselves

  std::int64_t width() const { return fields_ <= 2 ? 2 : 4; } ///< rows never cross a cache line

  template <class F> void for_each_value(std::int64_t first, std::int64_t n, const Values& value, const F& f) const {
    if (order_->identity)
      return from_sources([first](std::int64_t p) { return first + p; }, n, value, f);
    if (order_->permutation64.empty())
      return from_sources([p0 = order_->permutation32.data() + first](std::int64_t p) { return std::int64_t{p0[p]}; },
                          n, value, f);
    from_sources(
        [p0 = order_->permutation64.data() + first](std::int64_t p) { return static_cast<std::int64_t>(p0[p]); }, n,
        value, f);
  }
  template <class Source, class F>
  void from_sources(const Source& source, std::int64_t n, const Values& value, const F& f) const {
    if (!side_by_side_) {
      for (std::size_t g = 0; g < static_cast<std::size_t>(fields_); ++g)
        for (std::int64_t p = 0; p < n; ++p) f(value[g][p], column_[g][source(p)]);
    } else {
      for (std::int64_t p = 0; p < n; ++p) {
        hwy::Prefetch(row_ + source(std::min(p + ahead, n - 1)) * width());
        T* row = row_ + source(p) * width();
        for (std::size_t g = 0; g < static_cast<std::size_t>(fields_); ++g) f(value[g][p], row[g]);
      }
    }
  }

  const typename CellOrder<T>::Data* order_ = nullptr;
  int fields_ = 0;
  std::array<Column<V>, field_block> column_;
  bool side_by_side_ = false;
  T* row_ = nullptr;
};

} // namespace corral::cpu
