#pragma once

#include <corral/device_code.cuh>

#include <cub/cub.cuh>

// Small kernels, each right with Bug::none and wrong in one well-known way with another. nvcc compiles them, too.
namespace corral::test {

enum class Bug {
  none,
  missing_syncthreads,
  divergent_barrier,
  incomplete_barrier,
  uninitialised_shared,
  out_of_bounds_shared,
  missing_syncwarp,
  wrong_mask,
  wrong_lane,
  early_leaver,
  plain_add_shared,
  plain_add_global,
  missing_fence,
  read_past_allocation,
  write_past_allocation,
};

inline constexpr unsigned block_size = 96, whole_warp = 0xffffffffu;

/// One block: out is in, last first.
template <Bug bug> __global__ void turn_block(const double* in, double* out) {
  CORRAL_SHARED(double, values, [block_size]);
  const unsigned t = threadIdx.x;
  double* const written = values + (bug == Bug::out_of_bounds_shared && t == block_size - 1 ? 1 : 0);
  if (bug != Bug::uninitialised_shared || t != 5) written[t] = in[t];
  if (bug == Bug::divergent_barrier) {
    if (t % 2)
      __syncthreads();
    else
      __syncthreads();
  } else if (bug == Bug::incomplete_barrier) {
    if (t < 64) __syncthreads();
  } else if (bug != Bug::missing_syncthreads) {
    __syncthreads();
  }
  out[t] = values[block_size - 1 - t];
}

/// One block: each lane gets the value of the next lane of its warp.
template <Bug bug> __global__ void rotate_warps(const double* in, double* out) {
  CORRAL_SHARED(double, values, [block_size]);
  const unsigned t = threadIdx.x, next = t / 32 * 32 + (t + 1) % 32;
  values[t] = in[t];
  if (bug != Bug::missing_syncwarp) __syncwarp();
  out[t] = values[next];
}

/// One block: out[w] is the sum of warp w's part of `count` values.
template <Bug bug> __global__ void sum_warps(int count, const double* in, double* out) {
  const int t = static_cast<int>(threadIdx.x);
  if (bug == Bug::early_leaver && t >= count) return;
  double sum = t < count ? in[t] : 0;
  for (int step = 16; step > 0; step /= 2) {
    const unsigned mask = bug == Bug::wrong_mask ? 0xffff0000u : whole_warp;
    sum += __shfl_xor_sync(mask, sum, bug == Bug::wrong_lane && step == 4 ? 8 : step);
  }
  if (t % 32 == 0) out[t / 32] = sum;
}

/// Any blocks: adds to bins[k] how many of the values are k modulo 4.
template <Bug bug> __global__ void count_values(int count, const int* in, int* bins) {
  CORRAL_SHARED(int, of_block, [4]);
  const unsigned t = threadIdx.x;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + t);
  if (t < 4) of_block[t] = 0;
  __syncthreads();
  if (i < count) {
    if (bug == Bug::plain_add_shared)
      ++of_block[in[i] % 4];
    else
      atomicAdd(&of_block[in[i] % 4], 1);
  }
  __syncthreads();
  if (t >= 4) return;
  if (bug == Bug::plain_add_global)
    bins[t] += of_block[t];
  else
    atomicAdd(&bins[t], of_block[t]);
}

/// Any blocks of one warp: the block that ends last adds what all have written.
template <Bug bug> __global__ void sum_blocks(const double* in, double* parts, unsigned* ended, double* out) {
  CORRAL_SHARED(bool, last, [1]);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = in[blockIdx.x];
    if (bug != Bug::missing_fence) __threadfence();
    last[0] = atomicInc(ended, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last[0] || threadIdx.x != 0) return;
  double sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) sum += parts[block];
  *out = sum;
}

/// Any blocks: out[i] = in[i + 1], and the last of the `count` stays what it was.
template <Bug bug> __global__ void shift(int count, const double* in, double* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= (bug == Bug::read_past_allocation ? count : count - 1)) return;
  out[bug == Bug::write_past_allocation && i == 0 ? count : i] = in[i + 1];
}

} // namespace corral::test
