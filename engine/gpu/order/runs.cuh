#pragma once

#include "engine/gpu/order/order.cuh"

#include <cstdint>

/// The particles of a brick of groups as one sequence: the order has a run of them for each row of groups along x.
namespace corral::gpu {

inline constexpr int most_runs = 160; ///< rows of groups in a brick, at most

/// Run r is row (r % n[1], r / n[1]) along y and z, n being the brick's groups along each axis.
struct RunsOfBrick {
  std::uint32_t begin[most_runs];    ///< first place of each run
  std::uint32_t upto[most_runs + 1]; ///< particles before each run, and behind the last
  std::uint32_t particles;           ///< all of them
};

/// By all threads of the block, which are whole warps; ends with a barrier.
template <class T>
__device__ void find_runs(const Places<T>& places, const std::uint32_t (&low)[3], const std::uint32_t (&n)[3],
                          RunsOfBrick& runs) {
  constexpr unsigned warp = 32;
  const std::uint32_t count = n[1] * n[2];
  for (std::uint32_t r = threadIdx.x; r < count; r += blockDim.x) {
    const std::uint32_t group =
        ((low[2] + r / n[1]) * places.per_axis[1] + low[1] + r % n[1]) * places.per_axis[0] + low[0];
    runs.begin[r] = places.begin[group];
    runs.upto[r + 1] = places.begin[group + n[0]] - runs.begin[r];
  }
  __syncthreads();
  if (threadIdx.x < warp) {
    const std::uint32_t lane = threadIdx.x;
    std::uint32_t before = 0; // particles of the runs below `first`
    for (std::uint32_t first = 0; first < count; first += warp) {
      const std::uint32_t sum = sum_up_to_lane(first + lane < count ? runs.upto[first + lane + 1] : 0);
      if (first + lane < count) runs.upto[first + lane + 1] = before + sum;
      before += __shfl_sync(all_lanes, sum, static_cast<int>(warp) - 1);
    }
    if (lane == 0) {
      runs.upto[0] = 0;
      runs.particles = before;
    }
  }
  __syncthreads();
}

/// Which of `count` runs particle i of the sequence lies in.
inline __device__ std::uint32_t run_of(const RunsOfBrick& runs, std::uint32_t count, std::uint32_t i) {
  std::uint32_t low = 0, high = count; // the run lies in [low, high)
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    if (runs.upto[middle] <= i) low = middle;
    else high = middle;
  }
  return low;
}

/// The place of particle i, which lies in run r.
inline __device__ std::uint32_t place_in_run(const RunsOfBrick& runs, std::uint32_t r, std::uint32_t i) {
  return runs.begin[r] + (i - runs.upto[r]);
}

} // namespace corral::gpu
