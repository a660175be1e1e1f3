#pragma once

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
