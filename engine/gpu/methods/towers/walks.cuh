#pragma once

#include "engine/gpu/device.cuh"
#include "engine/gpu/methods/towers/job.cuh"

namespace corral::gpu::towers {

/// What a block walks: points 8 along x, a tower's along y, planes [z0, z1), and the cells that it sees there.
struct Walk {
  int x, y, z0, z1;
  int low[3], high[3]; ///< cells
  int part;            ///< of a crowd; -1: none
};

/// What of the towers is a block's. Whole ones in rounds, neighbours at once, since they share rows in the second
/// cache; of those that are left as many pairs of planes as make all blocks' visits alike.
struct Share {
  int rounds;
  int begin, end; ///< of [tower][pair], beyond the rounds: fewer than points
  int parts;      ///< of all crowds
};

/// Pairs of planes of a tower.
inline __device__ int pairs_of(const Job& job) { return (job.points.padded[2] + 1) / 2; }

/// What lies in front of block b's share of the towers behind so many rounds.
inline __device__ std::int64_t visits_before(const Job& job, int rounds, int b) {
  const int blocks = static_cast<int>(gridDim.x), towers = job.towers[0] * job.towers[1], pairs = pairs_of(job);
  const auto at = [&](int tower) { return static_cast<std::int64_t>(job.visits_before[tower * pairs]); };
  std::int64_t in_rounds = 0;
  for (int r = 0; r < rounds; ++r) in_rounds += at(r * blocks + b) - at(r * blocks);
  return at(towers) * b / blocks - in_rounds;
}

/// First index in [low, high] that has `target` visits before it, or more. By a warp, 32 guesses at once.
inline __device__ int first_with(const std::uint64_t* before, int low, int high, std::uint64_t target) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  while (low < high) {
    const int step = (high - low + 31) / 32, guess = low + lane * step;
    const int less = __popc(__ballot_sync(all_lanes, guess < high && before[guess < high ? guess : low] < target));
    if (less < 32 && low + less * step < high) high = low + less * step; // guesses rise, and so does what lies before
    if (less > 0) low += (less - 1) * step + 1;
  }
  return low;
}

/// By all threads of the block; ends with a barrier.
inline __device__ void find_share(const Job& job, Share& share) {
  const int blocks = static_cast<int>(gridDim.x), towers = job.towers[0] * job.towers[1], pairs = pairs_of(job);
  int rounds = towers / blocks;
  const auto someone_has_too_much = [&] {
    bool too_much = false;
    for (int b = static_cast<int>(threadIdx.x); b < blocks; b += static_cast<int>(blockDim.x))
      too_much = too_much || visits_before(job, rounds, b + 1) < visits_before(job, rounds, b);
    return __syncthreads_or(too_much) != 0;
  };
  while (rounds > 0 && someone_has_too_much()) rounds -= (rounds + 7) / 8;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp < 2) { // where it begins, where it ends
    const int first = rounds * blocks * pairs, b = static_cast<int>(blockIdx.x) + warp;
    int at = b == 0 ? first : towers * pairs;
    if (b > 0 && b < blocks)
      at = first_with(job.visits_before, first, towers * pairs,
                      job.visits_before[first] + static_cast<std::uint64_t>(visits_before(job, rounds, b)));
    if (threadIdx.x % 32 == 0) (warp == 0 ? share.begin : share.end) = at;
  }
  if (threadIdx.x == 0) {
    share.rounds = rounds;
    share.parts = job.crowds.most == 0 ? 0 : static_cast<int>(*job.crowds.count);
  }
  __syncthreads();
}

/// Walk `number` of this block over its towers.
template <class S> __device__ bool find_walk_of_towers(const Job& job, const Share& share, int number, Walk& walk) {
  const int pairs = pairs_of(job);
  int tower = number * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x), first = 0, last = pairs;
  if (number >= share.rounds) {
    tower = share.begin / pairs + number - share.rounds;
    if (tower * pairs >= share.end) return false;
    if (number == share.rounds) first = share.begin % pairs;
    if (share.end - tower * pairs < pairs) last = share.end - tower * pairs;
    if (first >= last) return false;
  }
  walk.x = tower % job.towers[0] * edge;
  walk.y = tower / job.towers[0] * S::points_of_tower;
  walk.z0 = 2 * first;
  walk.z1 = 2 * last < job.points.padded[2] ? 2 * last : job.points.padded[2];
  walk.part = -1;
#pragma unroll
  for (int d = 0; d < 3; ++d) walk.low[d] = 0, walk.high[d] = job.cells.count[d];
  return true;
}

/// Walk `number` of this block: over the points of its parts of crowds first, then over its towers. All warps of a
/// block walk alike.
template <class S> __device__ bool find_walk(const Job& job, const Share& share, int number, Walk& walk) {
  const int across = (Crowds::points(job.cells.width[0]) + edge - 1) / edge,
            up = (Crowds::points(job.cells.width[1]) + S::points_of_tower - 1) / S::points_of_tower,
            blocks = static_cast<int>(gridDim.x), block = static_cast<int>(blockIdx.x),
            mine = share.parts <= block ? 0 : (share.parts - block - 1) / blocks + 1;
  if (number >= mine * across * up) return find_walk_of_towers<S>(job, share, number - mine * across * up, walk);
  walk.part = number / (across * up) * blocks + block;
  const std::uint32_t brick = job.crowds.part[walk.part].brick;
  const unsigned nx = static_cast<unsigned>(job.crowds.bricks[0]), ny = static_cast<unsigned>(job.crowds.bricks[1]);
  const unsigned along[3] = {brick % nx, brick / nx % ny, brick / nx / ny};
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    walk.low[d] = static_cast<int>(along[d]) * brick_edge;
    walk.high[d] = walk.low[d] + brick_edge < job.cells.count[d] ? walk.low[d] + brick_edge : job.cells.count[d];
  }
  walk.x = walk.low[0] + number % across * edge;
  walk.y = walk.low[1] + number / across % up * S::points_of_tower;
  walk.z0 = walk.low[2];
  walk.z1 = walk.high[2] + job.cells.width[2] - 1;
  return true;
}

} // namespace corral::gpu::towers
