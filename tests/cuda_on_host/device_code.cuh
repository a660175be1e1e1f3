#pragma once

// What the tests' device code needs to be taken by nvcc and by host compilers alike.
#include <cub/cub.cuh>
#include <cuda_runtime.h>

#ifndef CORRAL_CUDA_ON_HOST
#define CORRAL_SHARED(type, name, ...) __shared__ type name __VA_ARGS__
#define CORRAL_DYNAMIC_SHARED(type, name)                                                                              \
  extern __shared__ __align__(16) unsigned char corral_dynamic_shared_[];                                              \
  type* const name = reinterpret_cast<type*>(corral_dynamic_shared_)
#define CORRAL_LAUNCH(entry, grid, block, dynamic_shared_bytes, stream, ...)                                           \
  (entry<<<grid, block, dynamic_shared_bytes, stream>>>(__VA_ARGS__), cudaGetLastError())
#endif
