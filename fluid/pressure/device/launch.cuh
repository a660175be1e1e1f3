#pragma once

#include "fluid/pressure/device/views.hpp"

#include <corral/device_code.cuh>

#include <algorithm>
#include <cstdint>

namespace corral::fluid {

inline constexpr int cell_threads = 256;   ///< of a block that goes over cells
inline constexpr int block_threads = 1024; ///< of the block that has the small grids, at most

using corral::detail::check_cuda;

inline void check(cudaError_t status, const char* what) { check_cuda(status, what); }

inline unsigned blocks_of(std::int64_t threads) {
  return static_cast<unsigned>(std::max<std::int64_t>(1, (threads + cell_threads - 1) / cell_threads));
}

/// Into pinned memory; what the stream was given before is done then.
inline void copy_and_wait(Gpu gpu, void* to, const void* from, std::size_t bytes, const char* what) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, gpu.stream), what);
  check(cudaStreamSynchronize(gpu.stream), what);
}

namespace multigrid {

/// A thread for each cell of a colour of the largest grid, as far as there are so many.
inline int threads_of_block(const LevelsOfBlock& block) {
  const auto sites = static_cast<int>(block.level[0].sites());
  return std::clamp((sites + 31) / 32 * 32, 128, block_threads);
}

} // namespace multigrid
} // namespace corral::fluid
