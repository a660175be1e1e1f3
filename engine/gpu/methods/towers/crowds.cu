#include "engine/gpu/methods/towers/launch.hpp"
#include "engine/gpu/methods/towers/rows.cuh"
#include "engine/gpu/tuning.cuh"

namespace corral::gpu::towers {
namespace {

constexpr int threads = tuning::range_threads;

__device__ void brick_at(const int (&bricks)[3], std::int64_t brick, int (&along)[3]) {
  const auto b = static_cast<unsigned>(brick), nx = static_cast<unsigned>(bricks[0]),
             ny = static_cast<unsigned>(bricks[1]);
  along[0] = static_cast<int>(b % nx);
  along[1] = static_cast<int>(b / nx % ny);
  along[2] = static_cast<int>(b / nx / ny);
}

// A thread a brick. Which number a part gets is chance, which no sum shows.
__global__ void __launch_bounds__(threads, 1)
    find_crowds_global(const __grid_constant__ Cells cells, const __grid_constant__ Crowds crowds) {
  const std::int64_t brick = thread_number();
  if (brick >= std::int64_t{crowds.bricks[0]} * crowds.bricks[1] * crowds.bricks[2]) return;
  int along[3], low[3], high[3];
  brick_at(crowds.bricks, brick, along);
  for (int d = 0; d < 3; ++d) {
    low[d] = along[d] * brick_edge;
    high[d] = low[d] + brick_edge < cells.count[d] ? low[d] + brick_edge : cells.count[d];
  }
  std::uint32_t held = 0;
  for (int z = low[2]; z < high[2]; ++z)
    for (int y = low[1]; y < high[1]; ++y) {
      const std::uint32_t* const row = cells.begin + (std::int64_t{z} * cells.count[1] + y) * cells.count[0];
      held += row[high[0]] - row[low[0]];
    }
  crowds.first[brick] = 0;
  if (held <= crowds.particles) return;
  const std::uint32_t of = (held - 1) / crowds.particles + 1, first = atomicAdd(crowds.count, of);
  crowds.first[brick] = first + 1;
  for (std::uint32_t i = 0; i < of; ++i) crowds.part[first + i] = {static_cast<std::uint32_t>(brick), i, of};
}

// A warp a pair of planes of a tower, a lane a row of cells.
__global__ void __launch_bounds__(threads, 1)
    count_visits_global(const __grid_constant__ Job job, int points_of_tower, std::uint64_t* visits) {
  const std::int64_t pairs = (job.points.padded[2] + 1) / 2, all = pairs * job.towers[0] * job.towers[1],
                     number = thread_number() / 32, tower = number / pairs;
  if (number > all) return;
  const int lane = static_cast<int>(threadIdx.x) % 32, plane = static_cast<int>(number % pairs) * 2;
  Walk walk{};
  walk.x = static_cast<int>(tower % job.towers[0]) * edge;
  walk.y = static_cast<int>(tower / job.towers[0]) * points_of_tower;
  walk.part = -1;
  for (int d = 0; d < 3; ++d) walk.high[d] = job.cells.count[d];
  const int y = walk.y - job.cells.width[1] + 1 + lane;
  unsigned mine = 0;
  if (number < all && lane < points_of_tower + job.cells.width[1] - 1 && y >= 0 && y < job.cells.count[1])
    for (int z = plane; z < plane + 2 && z < job.cells.count[2]; ++z) {
      RowWords row{};
      look_up_row(job, walk, y, z, row, [](std::uint32_t& to, const std::uint32_t* from) { to = *from; });
      mine += ranges_of(row, job.crowds, walk).particles();
    }
#pragma unroll
  for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(all_lanes, mine, d);
  if (lane == 0) visits[number] = number < all ? mine + tuning::visits_of_a_pair : 0;
}

/// The bricks along an axis whose stencils reach point p: [first, last].
__device__ void bricks_that_reach(int p, int width, int bricks, int& first, int& last) {
  const int lowest = p - width + 1; // cell
  first = lowest <= 0 ? 0 : lowest / brick_edge;
  last = p / brick_edge < bricks ? p / brick_edge : bricks - 1;
}

/// Sum of a point over the parts of all crowded bricks that reach it, in the order of bricks and parts. 0 and false
/// where `owner` is not the first of them, who adds for all.
__device__ bool sum_of_crowds(const Job& job, std::int64_t owner, int f, const int (&p)[3], double& sum) {
  const Crowds& crowds = job.crowds;
  int first[3], last[3];
  for (int d = 0; d < 3; ++d) bricks_that_reach(p[d], job.cells.width[d], crowds.bricks[d], first[d], last[d]);
  bool any = false;
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x) {
        const std::int64_t brick = (std::int64_t{z} * crowds.bricks[1] + y) * crowds.bricks[0] + x;
        const std::uint32_t part = crowds.first[brick];
        if (part == 0) continue;
        if (!any && brick != owner) return false;
        any = true;
        for (std::uint32_t i = 0; i < crowds.part[part - 1].of; ++i)
          sum += *crowds.point(part - 1 + i, f, job.points.fields, job.cells.width, p[0] - x * brick_edge,
                               p[1] - y * brick_edge, p[2] - z * brick_edge);
      }
  return any;
}

// A block a crowded brick, its first part's.
__global__ void __launch_bounds__(threads, 1) add_crowds_global(const __grid_constant__ Job job) {
  if (blockIdx.x >= *job.crowds.count || job.crowds.part[blockIdx.x].number != 0) return;
  const std::int64_t brick = job.crowds.part[blockIdx.x].brick;
  int along[3], points[3], all = job.points.fields;
  brick_at(job.crowds.bricks, brick, along);
  for (int d = 0; d < 3; ++d) {
    const int rest = job.cells.count[d] - along[d] * brick_edge;
    points[d] = (rest < brick_edge ? rest : brick_edge) + job.cells.width[d] - 1;
    all *= points[d];
  }
  for (int i = static_cast<int>(threadIdx.x); i < all; i += threads) {
    const int n = i % (all / job.points.fields), f = i / (all / job.points.fields);
    const int p[3] = {along[0] * brick_edge + n % points[0], along[1] * brick_edge + n / points[0] % points[1],
                      along[2] * brick_edge + n / points[0] / points[1]};
    double sum = 0;
    if (!sum_of_crowds(job, brick, f, p, sum)) continue;
    job.points.add(f, p[0], p[1], p[2], sum);
  }
}

} // namespace

void find_crowds(cudaStream_t stream, const Cells& cells, const Crowds& crowds) {
  if (crowds.most == 0) return;
  check(cudaMemsetAsync(crowds.count, 0, sizeof *crowds.count, stream), "clearing a count");
  const std::int64_t bricks = std::int64_t{crowds.bricks[0]} * crowds.bricks[1] * crowds.bricks[2];
  check(CORRAL_LAUNCH(find_crowds_global, blocks_for(bricks, threads), threads, 0, stream, cells, crowds),
        "looking for crowded bricks");
}

void count_visits(cudaStream_t stream, const Job& job, int points_of_tower, std::uint64_t* visits) {
  const std::int64_t warps = std::int64_t{job.towers[0]} * job.towers[1] * ((job.points.padded[2] + 1) / 2) + 1;
  check(CORRAL_LAUNCH(count_visits_global, blocks_for(32 * warps, threads), threads, 0, stream, job, points_of_tower,
                      visits),
        "counting visits of towers");
}

void add_crowds(cudaStream_t stream, const Job& job) {
  if (job.crowds.most == 0) return;
  check(CORRAL_LAUNCH(add_crowds_global, job.crowds.most, threads, 0, stream, job), "adding crowds");
}

} // namespace corral::gpu::towers
