#pragma once

/// `histogram` on a CUDA device, for `.cu` files.

#include <corral/for_each.cuh>
#include <corral/stream_memory.cuh>

#include <cstdint>
#include <string>
#include <vector>

namespace corral {

namespace detail {

inline constexpr int most_device_bins = 12'288; ///< whose counters fit into the shared memory of any block, 48 KB

/// A block counts in its own counters, and then adds them up: whole numbers, so that no order shows.
template <class Bin>
__global__ void histogram_global(std::int64_t n, std::int64_t share, int bins, Bin bin, unsigned long long* counts) {
  CORRAL_DYNAMIC_SHARED(unsigned, own);
  const auto t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int b = t; b < bins; b += threads) own[b] = 0;
  __syncthreads();
  const std::int64_t begin = blockIdx.x * share, end = begin + share < n ? begin + share : n;
  for (std::int64_t i = begin + t; i < end; i += threads)
    if (const int b = bin(i); b >= 0) atomicAdd(own + b, 1u);
  __syncthreads();
  for (int b = t; b < bins; b += threads)
    if (own[b] > 0) atomicAdd(counts + b, static_cast<unsigned long long>(own[b]));
}

} // namespace detail

/// `bin` is a host-device object; at most 12'288 bins, else throws Error. Waits for the stream.
template <class Bin> std::vector<std::int64_t> histogram(Gpu gpu, std::int64_t n, int bins, Bin bin) {
  if (bins > detail::most_device_bins)
    throw Error("a histogram of " + std::to_string(bins) + " bins (a block on a device has room for " +
                std::to_string(detail::most_device_bins) + ") take fewer");
  std::vector<std::int64_t> total(static_cast<std::size_t>(bins), 0);
  if (n <= 0) return total;
  const detail::StreamMemory<unsigned long long> counts(gpu.stream, bins);
  detail::check_cuda(cudaMemsetAsync(counts.data(), 0, total.size() * sizeof(unsigned long long), gpu.stream),
                     "histogram");
  constexpr std::int64_t share = 64 * detail::threads_per_block; // so that adding up is little of the work
  const auto blocks = static_cast<unsigned>((n + share - 1) / share);
  detail::check_cuda(CORRAL_LAUNCH((detail::histogram_global<Bin>), blocks, detail::threads_per_block,
                                   total.size() * sizeof(unsigned), gpu.stream, n, share, bins, bin, counts.data()),
                     "histogram");
  std::vector<unsigned long long> found(total.size());
  counts.copy_to(found.data(), 0, bins, "histogram");
  for (std::size_t b = 0; b < total.size(); ++b) total[b] = static_cast<std::int64_t>(found[b]);
  return total;
}

} // namespace corral
