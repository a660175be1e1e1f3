#pragma once

/// What device code is written in beyond CUDA itself: a launch, and shared memory. They are macros so that the tests
/// can compile the same source for the CPU (tests/cuda_on_host), which brings its own.

#include <cuda_runtime.h>

#ifndef CORRAL_CUDA_ON_HOST

/// Shared memory of a block: CORRAL_SHARED(double, sums, [4][32]);
#define CORRAL_SHARED(type, name, ...) __shared__ type name __VA_ARGS__

/// The shared memory whose size the launch says, as an array of `type`.
#define CORRAL_DYNAMIC_SHARED(type, name)                                                                              \
  extern __shared__ __align__(16) unsigned char corral_dynamic_shared[];                                               \
  type* const name = reinterpret_cast<type*>(corral_dynamic_shared)

/// Launches a device entry; its value is a cudaError_t. An entry with commas in its name stands in parentheses.
#define CORRAL_LAUNCH(entry, grid, block, shared_bytes, stream, ...)                                                   \
  (entry<<<grid, block, shared_bytes, stream>>>(__VA_ARGS__), cudaGetLastError())

#endif
