#pragma once

#include "engine/gpu/async_copies.cuh"
#include "engine/gpu/methods/gather/weights.cuh"

/// What a warp does with a group. Lane l = 4 g + t brings of particles g and g + 8 point 4 s + t along x, of the fields row
/// and field of column g. It has rows t, t + 4, ... of both particles.
///
/// The bits of a result don't depend on the window, the other particles and the other fields. A product is the chain of fused
/// multiply-adds of rising x, plane after plane, and what is multiplied by zero changes nothing. Rows of the own stencil are
/// added up every fourth one, in rising order, and these four sums two by two: a shift of the window hands them round among the
/// lanes, and leaves who is added to whom.
namespace corral::gpu::gather {

template <class S> struct Sums {
  double sum[S::sets][S::tiles][4]; ///< of particle g two columns, of g + 8 two

  /// Adds the planes of a window. a: weights along x; z: those along z, the plane where the own stencils of g and g + 8 begin.
  __device__ void add(const double* from, const MemoryLayout& layout, const double (&a)[S::KX][2], const double* z, int points,
                      int first0, int first1, int planes) {
#pragma unroll
    for (auto& set : sum)
#pragma unroll
      for (auto& tile : set)
#pragma unroll
        for (double& s : tile) s = 0;
    const int g = static_cast<int>(threadIdx.x) % 32 / 4;
    int j0 = -first0, j1 = -first1;
    const double *w0 = z + j0 * weight_pitch + g, *w1 = z + j1 * weight_pitch + g + 8; // which may point outside
#pragma unroll S::planes_at_once
    for (int k = 0; k < planes; ++k) {
      const double z0 = unsigned(j0) < unsigned(points) ? *w0 : 0.0, z1 = unsigned(j1) < unsigned(points) ? *w1 : 0.0;
      w0 += weight_pitch, w1 += weight_pitch, ++j0, ++j1;
      double a0[S::KX], a1[S::KX];
#pragma unroll
      for (int s = 0; s < S::KX; ++s) a0[s] = a[s][0] * z0, a1[s] = a[s][1] * z1;
#pragma unroll
      for (int s = 0; s < S::KX; ++s)
#pragma unroll
        for (int f = 0; f < S::sets; ++f)
#pragma unroll
          for (int i = 0; i < S::tiles; ++i)
            multiply_16x8x4(sum[f][i], a0[s], a1[s],
                            from[f * layout.set + S::row(8 / S::side_by_side) * i + 4 * s * S::side_by_side]);
      from += layout.plane;
    }
  }

  /// The sum over the rows of the own stencil of particle g + 8 q that this lane has.
  __device__ void over_rows(const double* y, int points, int first, int q, double (&total)[S::sets][S::side_by_side]) const {
    const int g = static_cast<int>(threadIdx.x) % 32 / 4, t = static_cast<int>(threadIdx.x) % 4;
#pragma unroll
    for (auto& set : total)
#pragma unroll
      for (double& s : set) s = 0;
#pragma unroll
    for (int m = 0; m < S::KY; ++m) {
      const int j = 4 * m + t - first;
      if (unsigned(j) >= unsigned(points)) continue; // rows beyond may hold anything
      const double w = y[j * weight_pitch + g + 8 * q];
#pragma unroll
      for (int s = 0; s < S::sets; ++s)
#pragma unroll
        for (int f = 0; f < S::side_by_side; ++f) {
          const double(&tile)[4] = sum[s][S::side_by_side == 2 ? m : m / 2];
          total[s][f] = fma(w, tile[2 * q + (S::side_by_side == 2 ? f : m % 2)], total[s][f]);
        }
    }
  }

  /// Adds up what the four lanes of a particle have, and calls put(field, result): lanes t / 2 = q for particle g + 8 q, with
  /// one field in lanes of even t alone.
  template <class Put>
  __device__ static void finish(const double (&low)[S::sets][S::side_by_side], const double (&high)[S::sets][S::side_by_side], Put&& put) {
    const int t = static_cast<int>(threadIdx.x) % 4, q = t / 2;
#pragma unroll
    for (int s = 0; s < S::sets; ++s) {
      double part[S::side_by_side];
#pragma unroll
      for (int f = 0; f < S::side_by_side; ++f)
        part[f] = (q == 0 ? low[s][f] : high[s][f]) + __shfl_xor_sync(all_lanes, q == 0 ? high[s][f] : low[s][f], 2);
      if constexpr (S::side_by_side == 1) {
        const double all = part[0] + __shfl_xor_sync(all_lanes, part[0], 1);
        if (t % 2 == 0) put(s, all);
      } else {
        const double all = (t % 2 == 0 ? part[0] : part[1]) + __shfl_xor_sync(all_lanes, t % 2 == 0 ? part[1] : part[0], 1);
        put(2 * s + t % 2, all);
      }
    }
  }
};

} // namespace corral::gpu::gather
