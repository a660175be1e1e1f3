#pragma once

#include <corral/array.hpp>

#include <algorithm>
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

} // namespace corral::cpu
