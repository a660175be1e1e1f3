#pragma once

#include "cuda_runtime.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <type_traits>

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

// Of the block's each writes its temporary storage and meets one barrier before it reads: whoever uses the storage again without a
// barrier between has the race that he'd have on a device.

/// A sum over the block, valid in its first thread.
template <class T, int threads> class BlockReduce {
public:
  struct TempStorage {
    T value[threads];
  };
  explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  T Sum(T value, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    return Reduce(value, std::plus<T>(), place);
  }

  template <class Op> T Reduce(T value, Op op, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    const unsigned me = cuda_on_host::self().number;
    storage_.value[me] = value;
    __syncthreads(place);
    if (me == 0) // from the back: CUB promises no order
      for (int i = threads - 1; i > 0; --i) value = op(value, storage_.value[i]);
    return value;
  }

private:
  TempStorage& storage_;
};

/// Running sums over the block.
template <class T, int threads> class BlockScan {
public:
  struct TempStorage {
    T value[threads];
  };
  explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  void ExclusiveSum(T value, T& sum, T& total, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    const int me = static_cast<int>(cuda_on_host::self().number);
    storage_.value[me] = value;
    __syncthreads(place);
    sum = total = T{};
    for (int i = 0; i < threads; ++i) {
      if (i == me) sum = total;
      total += storage_.value[i];
    }
  }
  void ExclusiveSum(T value, T& sum, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    T total;
    ExclusiveSum(value, sum, total, place);
  }
  void InclusiveSum(T value, T& sum, T& total, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    ExclusiveSum(value, sum, total, place);
    sum += value;
  }
  void InclusiveSum(T value, T& sum, cuda_on_host::Place place = cuda_on_host::Place::current()) {
    T total;
    InclusiveSum(value, sum, total, place);
  }

private:
  TempStorage& storage_;
};

struct NullType {};

/// A stable sort of the block's integers, `items` a thread, the first thread's first.
template <class Key, int threads, int items, class Value = NullType> class BlockRadixSort {
public:
  struct TempStorage {
    Key key[threads * items];
    Value value[threads * items];
    int from[threads * items];
  };
  explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  void Sort(Key (&keys)[items], int begin_bit = 0, int end_bit = int(sizeof(Key) * 8),
            cuda_on_host::Place place = cuda_on_host::Place::current()) {
    Value nothing[items];
    Sort(keys, nothing, begin_bit, end_bit, place);
  }

  void Sort(Key (&keys)[items], Value (&values)[items], int begin_bit = 0, int end_bit = int(sizeof(Key) * 8),
            cuda_on_host::Place place = cuda_on_host::Place::current()) {
    static_assert(std::is_unsigned_v<Key>, "only unsigned integers are sorted here");
    const unsigned me = cuda_on_host::self().number;
    for (int i = 0; i < items; ++i) {
      storage_.key[me * items + i] = keys[i];
      storage_.value[me * items + i] = values[i];
    }
    __syncthreads(place);
    if (me == 0) {
      const unsigned long long ones = ~0ull, below_end = end_bit >= 64 ? ones : (1ull << end_bit) - 1;
      std::iota(storage_.from, storage_.from + threads * items, 0);
      std::stable_sort(storage_.from, storage_.from + threads * items, [&](int a, int b) {
        return (storage_.key[a] & below_end) >> begin_bit < (storage_.key[b] & below_end) >> begin_bit;
      });
    }
    __syncthreads(place);
    for (int i = 0; i < items; ++i) {
      keys[i] = storage_.key[storage_.from[me * items + i]];
      values[i] = storage_.value[storage_.from[me * items + i]];
    }
  }

private:
  TempStorage& storage_;
};

} // namespace cub
