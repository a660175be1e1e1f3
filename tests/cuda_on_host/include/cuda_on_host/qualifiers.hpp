#pragma once

// The words CUDA adds to C++. Left out on purpose, so that they don't compile: __shared__ (CORRAL_SHARED poisons what
// it gives, per block), __managed__, __activemask and cooperative groups (what they give depends on the hardware's
// convergence), __noinline__ (the standard library spells an attribute so).
#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))

#define CUDART_VERSION 13000
