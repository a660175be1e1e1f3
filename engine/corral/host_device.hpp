#pragma once

/// Marks functions that both processors run. Empty unless nvcc compiles the file, so that no public header
/// depends on CUDA.
#ifdef __CUDACC__
#define CORRAL_HOST_DEVICE __host__ __device__
#else
#define CORRAL_HOST_DEVICE
#endif
