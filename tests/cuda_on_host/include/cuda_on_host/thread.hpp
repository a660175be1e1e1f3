#pragma once

#include "vector_types.hpp"

namespace cuda_on_host {

struct BlockPosition {
  uint3 index;
  dim3 extent; ///< threads
  dim3 grid;   ///< blocks
};

/// What device code may see of a CUDA thread.
struct Thread {
  uint3 index{};
  unsigned number = 0; ///< within the block, x fastest
  unsigned lane = 0;
  bool fenced = false; ///< has called __threadfence: from then on its atomics order memory
  const BlockPosition* block = nullptr;
};

// constinit and a plain pointer, so that reading it needs no call.
extern constinit thread_local Thread* current_thread;
inline Thread& self() { return *current_thread; }

} // namespace cuda_on_host

#define threadIdx (::cuda_on_host::self().index)
#define blockIdx (::cuda_on_host::self().block->index)
#define blockDim (::cuda_on_host::self().block->extent)
#define gridDim (::cuda_on_host::self().block->grid)
inline constexpr int warpSize = 32;
