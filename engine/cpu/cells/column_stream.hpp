#pragma once

#include "engine/cpu/cells/row_method.hpp"

#include <corral/array.hpp>
#include <corral/for_each.hpp>

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace corral::cpu {

/// Whether writing past the caches repays itself: `bytes` are more than a cache keeps until somebody reads them, and
/// there are so many particles per group that a map waits for memory, not for arithmetic; with less the detour costs
/// more than it saves.
inline bool streaming_repays(std::int64_t bytes, std::int64_t particles, std::int64_t groups) {
  constexpr std::int64_t caches = 16 << 20, many = 20; // [bytes], particles per group
  return bytes > caches && particles > many * groups;
}

/// Writes one value after the other to a column, past the caches, line by line: memory that is written whole need not
/// be read first, which an ordinary store does. For what is too large to be found in a cache later. Lines of which
/// others may write a part are written as usual.
template <class T> class ColumnStream {
public:
  /// Begins at `first`; pieces hold at most `most` values.
  ColumnStream(T* first, std::int64_t most) : room_(per_line + most) {
    not_ours_ = filled_ = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(first) / sizeof(T) % per_line);
    line_ = first - filled_;
  }
  ColumnStream(ColumnStream&&) = default;

  /// Where the next values are to be put.
  T* piece() { return room_.data() + filled_; }
  /// So many of them are there now.
  void advance(std::int64_t n) {
    filled_ += n;
    const T* const from = room_.data();
    std::int64_t i = 0;
    if (not_ours_ > 0 && filled_ >= per_line) {
      std::copy(from + not_ours_, from + per_line, line_ + not_ours_);
      not_ours_ = 0;
      i = per_line;
    }
    for (; i + per_line <= filled_; i += per_line) write_line(from + i, line_ + i);
    line_ += i;
    filled_ -= i;
    std::copy(from + i, from + i + filled_, room_.data());
  }
  /// Writes what does not fill a line, and makes all of it visible to whomever the calling thread then tells of it.
  void end() {
    std::copy(room_.data() + not_ours_, room_.data() + filled_, line_ + not_ours_);
#if defined(__SSE2__)
    _mm_sfence();
#endif
  }

private:
  static constexpr std::int64_t per_line = 64 / sizeof(T);

  static void write_line(const T* from, T* to) {
#if defined(__SSE2__)
    for (std::int64_t i = 0; i < 4; ++i)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, _mm_load_si128(reinterpret_cast<const __m128i*>(from) + i));
#else
    std::copy(from, from + per_line, to);
#endif
  }

  Array<T> room_;                ///< from the beginning of a line on
  T* line_;                      ///< where room_[0] goes
  std::int64_t not_ours_, filled_; ///< values of the line that lie before the first; values in room_
};

/// The columns of a pass over particles that don't lie in cell order. Reaching each of several columns through the
/// permutation costs a cache line a particle and column; so the values of a particle are first brought side by side, in
/// the caller's order, which streams, and then reached together. Few particles, which stay in the cache, and single
/// columns are reached directly. V is const T where columns are read, T where they are written.
template <class T, class V> class UnsortedColumns {
public:
  using Values = std::array<T*, field_block>; ///< [fields] one number per particle of a piece

  void add(const Column<V>& column) { column_[fields_++] = column; }

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
        for (int f = 0; f < fields_; ++f) row_[i * width() + f] = column_[f][i];
      });
    }
  }
  void end(Cpu cpu) const
    requires(!std::is_const_v<V>)
  {
    if (!side_by_side_) return;
    for_each(cpu, order_->size, [&](std::int64_t i) {
      for (int f = 0; f < fields_; ++f) column_[f][i] = row_[i * width() + f];
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
