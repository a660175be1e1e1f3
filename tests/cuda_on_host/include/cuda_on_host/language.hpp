#pragma once

#include <cstddef>
#include <type_traits>

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

// CUDA's small vectors, with its alignments. They have no operators, as in CUDA.
#define CUDA_ON_HOST_VECTORS(NAME, TYPE, ALIGNMENT_2, ALIGNMENT_4)                                                     \
  struct alignas(ALIGNMENT_2) NAME##2 {                                                                                \
    TYPE x, y;                                                                                                         \
  };                                                                                                                   \
  struct NAME##3 {                                                                                                     \
    TYPE x, y, z;                                                                                                      \
  };                                                                                                                   \
  struct alignas(ALIGNMENT_4) NAME##4 {                                                                                \
    TYPE x, y, z, w;                                                                                                   \
  };                                                                                                                   \
  constexpr NAME##2 make_##NAME##2(TYPE x, TYPE y) { return {x, y}; }                                                  \
  constexpr NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; }                                       \
  constexpr NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }

CUDA_ON_HOST_VECTORS(char, signed char, 2, 4)
CUDA_ON_HOST_VECTORS(uchar, unsigned char, 2, 4)
CUDA_ON_HOST_VECTORS(short, short, 4, 8)
CUDA_ON_HOST_VECTORS(ushort, unsigned short, 4, 8)
CUDA_ON_HOST_VECTORS(int, int, 8, 16)
CUDA_ON_HOST_VECTORS(uint, unsigned, 8, 16)
CUDA_ON_HOST_VECTORS(longlong, long long, 16, 16)
CUDA_ON_HOST_VECTORS(ulonglong, unsigned long long, 16, 16)
CUDA_ON_HOST_VECTORS(float, float, 8, 16)
CUDA_ON_HOST_VECTORS(double, double, 16, 16)
#undef CUDA_ON_HOST_VECTORS

/// Extents of a grid or a block; an axis that isn't named has extent 1.
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

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

namespace cuda_on_host {

/// The running block's variable that `key` stands for, made and poisoned when its first thread comes by.
void* static_shared(const void* key, std::size_t bytes, std::size_t alignment, const char* name);
/// The block's dynamic shared memory, of the size the launch has asked for.
void* dynamic_shared(std::size_t alignment, const char* name);

} // namespace cuda_on_host

/// CORRAL_SHARED(double, sums, [4][32]) declares shared memory of a block, CORRAL_SHARED(int, first) a single variable.
/// Each block finds it full of 0xff: NaN, or -1.
#define CORRAL_SHARED(type, name, ...)                                                                                 \
  static char name##_key_;                                                                                             \
  using name##_type_ = type __VA_ARGS__;                                                                               \
  static_assert(::std::is_trivially_default_constructible_v<name##_type_>, "shared memory has no constructors");       \
  name##_type_& name = *static_cast<name##_type_*>(                                                                    \
      ::cuda_on_host::static_shared(&name##_key_, sizeof(name##_type_), alignof(name##_type_), #name))

/// CORRAL_DYNAMIC_SHARED(double, rows): a pointer to the shared memory that the launch has asked for.
#define CORRAL_DYNAMIC_SHARED(type, name)                                                                              \
  type* const name = static_cast<type*>(::cuda_on_host::dynamic_shared(alignof(type), #name))
