#pragma once

/// Sums over cells whose parts and order the number of cells alone decides: the same bits for any grid of blocks.

#include "fluid/pressure/device/sum_memory.hpp"

#include <corral/device_code.cuh>

#include <cstdint>

namespace corral::fluid {

/// Calls f(t) for t in [0, n) by all threads of the grid.
template <class F> __device__ inline void by_grid(std::uint32_t n, F f) {
  const std::uint32_t step = gridDim.x * blockDim.x;
  for (std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += step) f(t);
}

/// Calls f(t) for t in [0, n) by all threads of the block.
template <class F> __device__ inline void by_block(std::uint32_t n, F f) {
  for (std::uint32_t t = threadIdx.x; t < n; t += blockDim.x) f(t);
}

/// part[0] = the sum of all `part` of a block, pair by pair.
template <class R> __device__ inline void add_up(R* part) {
  const unsigned t = threadIdx.x;
  for (unsigned half = sum_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) part[t] += part[t + half];
  }
}

/// Lets add(i, sum) add cell i to a sum, and one thread of the block that is done last call finish(total).
template <class R, class Add, class Finish>
__device__ inline void sum_cells(const SumView<R>& to, Add add, Finish finish) {
  CORRAL_DYNAMIC_SHARED(R, part);
  CORRAL_SHARED(int, is_last);
  const unsigned t = threadIdx.x;
  const std::int64_t parts = (to.n + summed_at_once - 1) / summed_at_once;
  for (std::int64_t p = blockIdx.x; p < parts; p += gridDim.x) {
    const std::int64_t begin = p * summed_at_once, end = begin + summed_at_once < to.n ? begin + summed_at_once : to.n;
    R sum{};
    for (std::int64_t i = begin + t; i < end; i += sum_threads) add(static_cast<std::uint32_t>(i), sum);
    part[t] = sum;
    add_up(part);
    if (t == 0) to.parts[p] = part[0];
    __syncthreads();
  }
  if (t == 0) {
    __threadfence(); // the part before the count
    is_last = atomicInc(to.done, gridDim.x - 1) == gridDim.x - 1 ? 1 : 0; // and back to 0 for the next sum
    __threadfence();
  }
  __syncthreads();
  if (is_last == 0) return;
  R total{};
  for (std::int64_t p = t; p < parts; p += sum_threads) total += to.parts[p];
  part[t] = total;
  add_up(part);
  if (t == 0) finish(part[0]);
}

/// What fill the current device.
inline std::int64_t most_blocks_that_sum() {
  int device = 0, multiprocessors = 0;
  corral::detail::check_cuda(cudaGetDevice(&device), "a sum");
  corral::detail::check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "a sum");
  return blocks_that_sum * std::int64_t{multiprocessors};
}

} // namespace corral::fluid
