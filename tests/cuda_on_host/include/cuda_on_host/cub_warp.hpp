#pragma once

#include "cuda_runtime.h"

#include <bit>
#include <functional>

// Warp and block collectives are made of the intrinsics, so that what is asked of those is asked of these.
namespace cub {

/// Sums over each `width` lanes of a warp, valid in the first of them.
template <class T, int width = 32> class WarpReduce {
public:
  struct TempStorage {
    T unused;
  };
  explicit WarpReduce(TempStorage&) {}

  T Sum(T value, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    return Reduce(value, std::plus<T>(), place);
  }

  template <class Op> T Reduce(T value, Op op, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    const int within = static_cast<int>(cuda_on_host::self().lane) % width;
    for (int step = 1; step < width; step *= 2) {
      const T other = __shfl_down_sync(lanes(), value, static_cast<unsigned>(step), width, place);
      if (within + step < width) value = op(value, other);
    }
    return value;
  }

  /// A sum per segment, valid where `head` says that one starts.
  T HeadSegmentedSum(T value, int head, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    static_assert(width == 32, "segments are those of whole warps here");
    const unsigned lane = cuda_on_host::self().lane, heads = __ballot_sync(~0u, head, place);
    const unsigned above = lane == 31 ? 0 : heads >> (lane + 1);
    const unsigned last = above ? lane + static_cast<unsigned>(std::countr_zero(above)) : 31;
    for (unsigned step = 1; step < 32; step *= 2) {
      const T other = __shfl_down_sync(~0u, value, step, 32, place);
      if (lane + step <= last) value += other;
    }
    return value;
  }

private:
  static unsigned lanes() {
    if constexpr (width == 32) return ~0u;
    const unsigned first = cuda_on_host::self().lane / width * width;
    return ((1u << (width % 32)) - 1) << first;
  }
};

/// Running sums over each `width` lanes of a warp.
template <class T, int width = 32> class WarpScan {
public:
  struct TempStorage {
    T unused;
  };
  explicit WarpScan(TempStorage&) {}

  void InclusiveSum(T value, T& sum, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    static_assert(width == 32, "scans are those of whole warps here");
    sum = value;
    for (unsigned step = 1; step < 32; step *= 2) {
      const T other = __shfl_up_sync(~0u, sum, step, 32, place);
      if (cuda_on_host::self().lane >= step) sum += other;
    }
  }

  void ExclusiveSum(T value, T& sum, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    InclusiveSum(value, sum, place);
    sum = __shfl_up_sync(~0u, sum, 1, 32, place);
    if (cuda_on_host::self().lane == 0) sum = T{};
  }
};

} // namespace cub
