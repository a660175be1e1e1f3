#pragma once

#include "engine/gpu/methods/bricks.cuh"

/// What a warp of tensor_core does.
namespace corral::gpu::tensor {

inline constexpr int staged = 32;  ///< particles that a block holds at a time: a lane looks at each
inline constexpr int edge = 8;     ///< points of a tensor step along x and y
inline constexpr int together = 4; ///< particles of a tensor step

/// Windows of 8 Tiles points along x and y serve stencils of groups up to this width: the wider the window, the more
/// groups share it, and the more of what is multiplied are zeros.
template <int Tiles> inline constexpr int most_width = Tiles == 1 ? 6 : Tiles == 2 ? 14 : most_brick_points + 1;

/// d += A B on the FP64 tensor cores: A[8][4] row by row, B[4][8]. Lane l brings A[l/4][l%4] and B[l%4][l/4], and has
/// d[l/4][2 (l%4)] and the one behind it.
__device__ __forceinline__ void tensor_step(double (&d)[2], double a, double b) {
#ifdef CORRAL_CUDA_ON_HOST
  cuda_on_host::mma_m8n8k4(d, a, b);
#else
  // volatile: all lanes take part, so that the compiler must not move it under a lane's own condition
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(d[0]), "+d"(d[1])
               : "d"(a), "d"(b));
#endif
}

/// A row of steps with one B: d[t] += A[t] B. Two of them are one instruction on Hopper.
template <int Tiles>
__device__ __forceinline__ void tensor_steps(double (&d)[Tiles][2], const double (&a)[Tiles], double b) {
  int t = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ / 100 == 9
#pragma unroll
  for (; t + 1 < Tiles; t += 2)
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+d"(d[t][0]), "+d"(d[t][1]), "+d"(d[t + 1][0]), "+d"(d[t + 1][1])
                 : "d"(a[t]), "d"(a[t + 1]), "d"(b));
#endif
#pragma unroll
  for (; t < Tiles; ++t) tensor_step(d[t], a[t], b);
}

/// The numbers of a batch of particles: weights on the points of the window along x and y, and on those that the layer
/// reaches along z; then values. Zeros where the particle's own stencil does not reach.
template <int Tiles, int F> struct Batch {
  static constexpr int y = Tiles * edge, z = 2 * Tiles * edge, value = z + most_width<Tiles>, used = value + F;
  static constexpr int pitch = staged + 4; ///< so that the points and particles of a step lie in different banks

  double number[used][pitch];
};

/// What a warp has of the tower: the sums of one plane of the window.
template <int Tiles, int F> struct Plane {
  double sum[F][Tiles][Tiles][2] = {};
  int at = -1; ///< from the tower's first; -1 at the beginning

  /// Adds the particles [begin, end) of a batch, of one layer; z is the plane's number in that layer's reach.
  __device__ void add(const Batch<Tiles, F>& batch, int begin, int end, int z) {
    using B = Batch<Tiles, F>;
    const int lane = static_cast<int>(threadIdx.x) % 32, k = lane % together, r = lane / together;
#pragma unroll 1 // a second step at once would take registers that sums need
    for (int first = begin; first < end; first += together) {
      const bool exists = first + k < end;
      const int p = exists ? first + k : first;
      double a[Tiles];
#pragma unroll
      for (int tx = 0; tx < Tiles; ++tx) a[tx] = exists ? batch.number[tx * edge + r][p] : 0.0;
      const double weight_z = exists ? batch.number[B::z + z][p] : 0.0;
#pragma unroll
      for (int ty = 0; ty < Tiles; ++ty) {
        const double weight_yz = batch.number[B::y + ty * edge + r][p] * weight_z;
#pragma unroll
        for (int f = 0; f < F; ++f) tensor_steps(sum[f][ty], a, weight_yz * batch.number[B::value + f][p]);
      }
    }
  }

  /// Adds the sums to where they belong, of which no other block of this launch has a point, and clears them.
  __device__ void flush(const Stencils<double>& stencils, const BlockTask<double>& tower) {
    if (at < 0 || at >= static_cast<int>(tower.n[2]) + stencils.axis[2].support.width - 1) return;
    const int lane = static_cast<int>(threadIdx.x) % 32, k = lane % together, r = lane / together;
    const int most_x = static_cast<int>(tower.n[0]) + stencils.axis[0].support.width - 1,
              most_y = static_cast<int>(tower.n[1]) + stencils.axis[1].support.width - 1;
    const std::int64_t first = at * tower.stride[2];
#pragma unroll
    for (int f = 0; f < F; ++f)
#pragma unroll
      for (int ty = 0; ty < Tiles; ++ty) {
        double there[Tiles][2]; // all are asked for before the first is needed
#pragma unroll
        for (int i = 0; i < 4 * Tiles; ++i) { // first half: read; second half: written
          const int t = i % (2 * Tiles), tx = t / 2, h = t % 2, x = tx * edge + r, y = ty * edge + 2 * k + h;
          double* const to = tower.field[f] + first + x + y * tower.stride[1];
          const bool exists = x < most_x && y < most_y;
          if (i < 2 * Tiles) {
            there[tx][h] = exists ? *to : 0.0;
          } else {
            if (exists) *to = there[tx][h] + sum[f][ty][tx][h];
            sum[f][ty][tx][h] = 0;
          }
        }
      }
  }
};

} // namespace corral::gpu::tensor
