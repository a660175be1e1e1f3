#pragma once

/// What device code is written in beyond CUDA itself: a launch, and shared memory. They are macros so that the tests
/// can compile the same source for the CPU (tests/cuda_on_host), which brings its own.

#include <corral/error.hpp>
#include <corral/export.h>
#include <corral/memory.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>

namespace corral::detail {

/// Throws Error, or OutOfDeviceMemory where memory does not suffice.
inline void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError(); // it would be reported again, as that of somebody's next call
  if (status == cudaErrorMemoryAllocation) throw OutOfDeviceMemory();
  throw Error(std::string(what) + " failed on the device (" + cudaGetErrorString(status) + ")");
}

/// Where corral takes memory on the current device: what is given back stays with the process. Throws Error where the
/// device has no memory pools, or corral was built without CUDA.
CORRAL_PUBLIC cudaMemPool_t device_memory_pool();

} // namespace corral::detail

#ifndef CORRAL_CUDA_ON_HOST

/// Shared memory of a block: CORRAL_SHARED(double, sums, [4][32]);
#define CORRAL_SHARED(type, name, ...) __shared__ type name __VA_ARGS__

/// The shared memory whose size the launch says, as an array of `type`.
#define CORRAL_DYNAMIC_SHARED(type, name)                                                                              \
  extern __shared__ __align__(16) unsigned char corral_dynamic_shared[];                                               \
  type* const name = reinterpret_cast<type*>(corral_dynamic_shared)

namespace corral::detail {

/// Not entry<<<...>>>: what that leaves in cudaGetLastError may be an earlier error of somebody else's.
template <class... Expected, class... Given>
cudaError_t launch(void (*entry)(Expected...), dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream,
                   Given&&... given) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, entry, std::forward<Given>(given)...);
}

} // namespace corral::detail

/// Launches a device entry; its value is the cudaError_t of this launch. An entry with commas in its name stands in
/// parentheses.
#define CORRAL_LAUNCH(entry, grid, block, shared_bytes, stream, ...)                                                   \
  ::corral::detail::launch(entry, grid, block, shared_bytes, stream __VA_OPT__(, ) __VA_ARGS__)

#endif
