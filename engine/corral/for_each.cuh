#pragma once

/// `for_each` and `accumulate` on a CUDA device, for `.cu` files: the same calls as <corral/for_each.hpp> with `Gpu` in
/// place of `Cpu`. Functions are host-device objects that capture device pointers by value.

#include <corral/array.hpp>
#include <corral/device_code.cuh>
#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <cstdint>
#include <string>

namespace corral {

namespace detail {

inline void check_cuda(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw Error(std::string(what) + " failed on the device (" + cudaGetErrorString(status) + ")");
}

inline constexpr int threads_per_block = 256;
inline constexpr std::int64_t most_blocks = 1 << 16;

template <class F> __global__ void for_each_global(std::int64_t n, F f) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) f(i);
}

/// Each thread adds up its own run of indices in ascending order: which ones depends on n alone.
template <class R, class Add>
__global__ void accumulate_runs_global(std::int64_t n, std::int64_t run, R identity, Add add, R* parts) {
  const std::int64_t r = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r * run >= n) return;
  R sum = identity;
  const std::int64_t end = (r + 1) * run < n ? (r + 1) * run : n;
  for (std::int64_t i = r * run; i < end; ++i) add(i, sum);
  parts[r] = sum;
}

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

/// Adds up add(i, sum), i in [0, n), in a fixed order; waits for the stream. R is trivially copyable; `combine` runs
/// on the host.
template <class R, class Add, class Combine>
R accumulate(Gpu gpu, std::int64_t n, R identity, Add add, Combine combine) {
  constexpr std::int64_t run = 64;
  const std::int64_t runs = (n + run - 1) / run;
  if (runs == 0) return identity;
  Array<R> host(runs);
  R* parts = nullptr;
  detail::check_cuda(cudaMallocAsync(reinterpret_cast<void**>(&parts), runs * sizeof(R), gpu.stream), "accumulate");
  const auto blocks = static_cast<unsigned>((runs + detail::threads_per_block - 1) / detail::threads_per_block);
  cudaError_t status = CORRAL_LAUNCH((detail::accumulate_runs_global<R, Add>), blocks, detail::threads_per_block, 0,
                                     gpu.stream, n, run, identity, add, parts);
  if (status == cudaSuccess)
    status = cudaMemcpyAsync(host.data(), parts, runs * sizeof(R), cudaMemcpyDeviceToHost, gpu.stream);
  if (status == cudaSuccess) status = cudaStreamSynchronize(gpu.stream);
  R total = identity;
  for (std::int64_t r = 0; r < runs && status == cudaSuccess; ++r) total = combine(total, host[r]);
  cudaFreeAsync(parts, gpu.stream);
  detail::check_cuda(status, "accumulate");
  return total;
}

} // namespace corral
