#pragma once

#include "engine/gpu/methods/cell_sums.cuh"

/// Eight lanes a cell, each with sums of all its points in registers.
namespace corral::gpu {

inline constexpr int octet = 8;

/// Lanes exchange halves: from 8 K sums in each of 8 lanes to the totals of sums [sub K, sub K + K) in lane `sub`, by
/// 7 K shuffles. By whole warps. Recursion, since a loop over halves stays a loop and sends the array to local memory.
template <int H = octet / 2, class T, int sums> __device__ __forceinline__ void exchange_halves(T (&a)[sums], int sub) {
  constexpr int K = sums / octet;
  const bool upper = (sub & H) != 0;
#pragma unroll
  for (int i = 0; i < H * K; ++i) {
    const T give = upper ? a[i] : a[i + H * K], keep = upper ? a[i + H * K] : a[i];
    a[i] = keep + __shfl_xor_sync(all_lanes, give, H);
  }
  if constexpr (H > 1) exchange_halves<H / 2>(a, sub);
}

} // namespace corral::gpu
