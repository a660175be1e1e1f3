#pragma once

#include <corral/array.hpp>
#include <corral/memory.hpp>

#include <algorithm>
#include <cstdint>

namespace corral::fluid {

inline constexpr int sum_threads = 256;   ///< of a block that sums
inline constexpr int blocks_that_sum = 4; ///< on a multiprocessor at once, which leaves 64 registers a thread
/// Cells that give one part of a sum: what is added to what depends on them alone.
inline constexpr std::int64_t summed_at_once = 1024;

/// Where blocks leave parts of a sum of n terms, and how many of them have done so.
template <class R> struct SumView {
  R* parts = nullptr;
  unsigned* done = nullptr;
  std::int64_t n = 0;
};

template <class R> class SumMemory {
public:
  /// For n terms and as many blocks as the device has room for; memory is taken the first time.
  void resize(std::int64_t n, std::int64_t most_blocks) {
    n_ = n;
    most_blocks_ = most_blocks;
    parts_.resize((n + summed_at_once - 1) / summed_at_once);
    done_.resize(1, 0u);
  }
  SumView<R> view() { return {parts_.data(), done_.data(), n_}; }
  /// Of a launch: their number shows in no sum.
  unsigned blocks() const { return static_cast<unsigned>(std::min(parts_.size(), most_blocks_)); }

private:
  Array<R> parts_{Memory::device};
  Array<unsigned> done_{Memory::device};
  std::int64_t n_ = 0, most_blocks_ = 1;
};

} // namespace corral::fluid
