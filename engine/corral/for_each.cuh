#pragma once

/// `for_each`, `accumulate`, `reduce`, `sum` and `maximum` on a CUDA device, for `.cu` files: the calls of
/// <corral/for_each.hpp> with `Gpu` in place of `Cpu`. Functions are host-device objects with device pointers inside.

#include <corral/device_code.cuh>
#include <corral/execution.hpp>
#include <corral/host_device.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace corral {

namespace detail {

inline constexpr int threads_per_block = 256;
inline constexpr std::int64_t most_blocks = 1 << 16;

template <class F> __global__ void for_each_global(std::int64_t n, F f) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) f(i);
}

/// Threads of a block whose sums fit into the shared memory that every launch may ask for, 48 KB.
template <class R> constexpr int threads_that_sum() {
  static_assert(sizeof(R) <= 1536 && alignof(R) <= 16, "a sum is at most 1536 bytes, aligned to 16");
  int threads = threads_per_block;
  while (threads * sizeof(R) > 48 * 1024) threads /= 2;
  return threads;
}

/// sums[b] = the sum of the b-th `share` of the indices: each thread adds up every blockDim.x-th of them, so that
/// neighbours read neighbours, and the block combines pairs. What is added to what depends on n alone.
template <class R, class Add, class Combine>
__global__ void accumulate_global(std::int64_t n, std::int64_t share, R identity, Add add, Combine combine, R* sums) {
  CORRAL_DYNAMIC_SHARED(R, part);
  const auto t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const std::int64_t begin = blockIdx.x * share, end = begin + share < n ? begin + share : n;
  R sum = identity;
  for (std::int64_t i = begin + t; i < end; i += threads) add(i, sum);
  part[t] = sum;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) part[t] = combine(part[t], part[t + half]);
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

/// add(i, sum) for sums that are there already.
template <class R, class Combine> struct CombineSums {
  const R* sums;
  Combine combine;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, R& sum) const { sum = combine(sum, sums[i]); }
};

/// add(i, sum) for values that are combined.
template <class R, class Map, class Combine> struct CombineMapped {
  Map map;
  Combine combine;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, R& sum) const { sum = combine(sum, map(i)); }
};

struct Plus {
  CORRAL_HOST_DEVICE double operator()(double a, double b) const { return a + b; }
};
struct Larger {
  CORRAL_HOST_DEVICE double operator()(double a, double b) const { return a >= b || a != a ? a : b; }
};

inline unsigned blocks_for(std::int64_t threads) {
  const std::int64_t blocks = (threads + threads_per_block - 1) / threads_per_block;
  return static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
}

} // namespace detail

/// Calls f(i) for i in [0, n), in any order; returns before the work is done, as the stream does.
template <class F> void for_each(Gpu gpu, std::int64_t n, F f) {
  if (n <= 0) return;
  detail::check_cuda(CORRAL_LAUNCH((detail::for_each_global<F>), detail::blocks_for(n), detail::threads_per_block, 0,
                                   gpu.stream, n, f),
                     "for_each");
}

/// Lets add(i, sum) add index i to a running sum, for i in [0, n), which begins with `identity`, and combines the sums:
/// in an order that n alone decides, though not the CPU's. `add` and `combine(a, b)` are host-device objects, and
/// combine(a, b) = combine(b, a), since neighbours go into different sums. R is trivially copyable, at most 1536 bytes.
/// Takes memory from the engine's pool for a moment, and waits for the stream.
template <class R, class Add, class Combine>
R accumulate(Gpu gpu, std::int64_t n, R identity, Add add, Combine combine) {
  static_assert(std::is_trivially_copyable_v<R>, "sums are copied from the device as bytes");
  constexpr int threads = detail::threads_that_sum<R>();
  constexpr std::int64_t share = 16 * threads;
  if (n <= 0) return identity;
  const std::int64_t blocks = (n + share - 1) / share;
  R* sums = nullptr; // a block's each, then their total
  detail::check_cuda(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&sums),
                                             static_cast<std::size_t>(blocks + 1) * sizeof(R),
                                             detail::device_memory_pool(), gpu.stream),
                     "accumulate");
  const detail::CombineSums<R, Combine> add_sums{sums, combine};
  constexpr std::size_t shared = threads * sizeof(R);
  cudaError_t status = CORRAL_LAUNCH((detail::accumulate_global<R, Add, Combine>), static_cast<unsigned>(blocks),
                                     threads, shared, gpu.stream, n, share, identity, add, combine, sums);
  if (status == cudaSuccess)
    status = CORRAL_LAUNCH((detail::accumulate_global<R, detail::CombineSums<R, Combine>, Combine>), 1u, threads,
                           shared, gpu.stream, blocks, blocks, identity, add_sums, combine, sums + blocks);
  R total = identity;
  if (status == cudaSuccess)
    status = cudaMemcpyAsync(&total, sums + blocks, sizeof(R), cudaMemcpyDeviceToHost, gpu.stream);
  if (status == cudaSuccess) status = cudaStreamSynchronize(gpu.stream);
  const cudaError_t freed = cudaFreeAsync(sums, gpu.stream);
  detail::check_cuda(status != cudaSuccess ? status : freed, "accumulate");
  return total;
}

/// Combines map(i), i in [0, n), starting from `identity`, in the order of `accumulate`.
template <class R, class Map, class Combine>
R reduce(Gpu gpu, std::int64_t n, R identity, Map map, Combine combine) {
  return accumulate(gpu, n, identity, detail::CombineMapped<R, Map, Combine>{map, combine}, combine);
}

/// Sum of map(i) over [0, n) in the order of `accumulate`.
template <class Map> double sum(Gpu gpu, std::int64_t n, Map map) { return reduce(gpu, n, 0.0, map, detail::Plus{}); }

/// Largest map(i) over [0, n); `floor` where n is 0. A NaN among the values is returned.
template <class Map> double maximum(Gpu gpu, std::int64_t n, double floor, Map map) {
  return reduce(gpu, n, floor, map, detail::Larger{});
}

} // namespace corral
