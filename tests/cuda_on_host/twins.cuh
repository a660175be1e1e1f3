#pragma once

#include "engine/gpu/async_copies.cuh"

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
  missing_wait_for_copy,
  missing_wait_for_place,
  wrong_parity,
  missing_arrival,
  missing_expected_bytes,
  missing_begin_fence,
  missing_wait_for_words,
  missing_commit,
  missing_barrier_after_words,
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

/// One block of two warps: out is in, which comes by bulk copies of 64 numbers and goes through two places in turn.
template <Bug bug> __global__ void pass_on(int copies, const double* in, double* out) {
  using namespace corral::gpu;
  constexpr unsigned together = 64, bytes = together * sizeof(double);
  CORRAL_SHARED(double2, place, [2][together / 2]);
  CORRAL_SHARED(PhaseBarrier, full, [2]);
  CORRAL_SHARED(PhaseBarrier, empty, [2]);
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int p = 0; p < 2; ++p) begin(full[p], 1), begin(empty[p], 1);
    if (bug != Bug::missing_begin_fence) fence_begun();
  }
  __syncthreads();
  for (int copy = 0; copy < copies; ++copy) {
    const int p = copy % 2;
    const unsigned parity = copy / 2 % 2;
    if (threadIdx.x < 32) {
      if (lane != 0) continue;
      if (bug != Bug::missing_wait_for_place) wait_for_phase(empty[p], parity ^ 1);
      if (bug == Bug::missing_arrival)
        expect(full[p], bytes);
      else if (bug == Bug::missing_expected_bytes)
        arrive(full[p]);
      else
        arrive_expecting(full[p], bytes);
      copy_bulk(place[p], in + copy * int{together}, bytes, full[p]);
    } else {
      if (bug != Bug::missing_wait_for_copy) wait_for_phase(full[p], bug == Bug::wrong_parity ? parity ^ 1 : parity);
      const double2 two = place[p][lane];
      out[copy * int{together} + 2 * lane] = two.x;
      out[copy * int{together} + 2 * lane + 1] = two.y;
      __syncwarp();
      if (lane == 0) arrive(empty[p]);
    }
  }
}

/// One block of 32: the first 32, the next 64 and the 128 after these of `in`, each last first, by copies of one, two
/// and four words in a group each.
template <Bug bug> __global__ void turn_words(const int* in, int* out) {
  using namespace corral::gpu;
  CORRAL_SHARED(int4, fours, [32]);
  CORRAL_SHARED(int2, twos, [32]);
  CORRAL_SHARED(int, ones, [32]);
  const unsigned t = threadIdx.x, from = 31 - t;
  copy_word(&ones[t], in + t);
  commit_copies();
  copy_two_words(&twos[t], in + 32 + 2 * t);
  commit_copies();
  copy_four_words(&fours[t], in + 96 + 4 * t);
  if (bug != Bug::missing_commit) commit_copies();
  wait_copies<2>();
  if (bug != Bug::missing_barrier_after_words) __syncwarp();
  out[t] = ones[from];
  wait_copies<bug == Bug::missing_wait_for_words ? 1 : 0>();
  __syncwarp();
  const int2 two = twos[from];
  const int4 four = fours[from];
  out[32 + 2 * t] = two.y, out[33 + 2 * t] = two.x;
  out[96 + 4 * t] = four.w, out[97 + 4 * t] = four.z, out[98 + 4 * t] = four.y, out[99 + 4 * t] = four.x;
}

/// A warp: d += a b, with a 16 x 4, b 4 x 8 and d 16 x 8, each row by row.
template <Bug bug> __global__ void multiply_matrices(const double* a, const double* b, double* d) {
  if (bug == Bug::early_leaver && threadIdx.x == 31) return;
  const unsigned k = threadIdx.x % 4, r = threadIdx.x / 4;
  double sum[4];
  for (unsigned i = 0; i < 4; ++i) sum[i] = d[(r + i / 2 * 8) * 8 + 2 * k + i % 2];
  corral::gpu::multiply_16x8x4(sum, a[r * 4 + k], a[(r + 8) * 4 + k], b[k * 8 + r]);
  for (unsigned i = 0; i < 4; ++i) d[(r + i / 2 * 8) * 8 + 2 * k + i % 2] = sum[i];
}

} // namespace corral::test
