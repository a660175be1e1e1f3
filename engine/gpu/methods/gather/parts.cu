#include "engine/gpu/methods/gather/launch.hpp"
#include "engine/gpu/tuning.cuh"

namespace corral::gpu::gather {
namespace {

// A warp a brick, a lane a row of its cells. Which number a part gets is chance, which no result shows.
__global__ void __launch_bounds__(tuning::range_threads, 1) list_parts_global(const __grid_constant__ Job job) {
  const std::int64_t number = thread_number() / 32;
  if (number >= std::int64_t{job.division.bricks[0]} * job.division.bricks[1] * job.division.bricks[2]) return;
  const Brick brick(job, static_cast<std::uint32_t>(number));
  const int lane = static_cast<int>(threadIdx.x) % 32;
  std::uint32_t held = 0;
  for (int i = lane; i < brick.cells[1] * brick.cells[2]; i += 32) {
    const std::uint32_t* const row = job.places.begin + brick.cell(job, 0, i % brick.cells[1], i / brick.cells[1]);
    held += row[brick.cells[0]] - row[0];
  }
#pragma unroll
  for (int d = 16; d > 0; d /= 2) held += __shfl_xor_sync(all_lanes, held, d);
  if (lane != 0 || held == 0) return;
  const std::uint32_t of = (held - 1) / job.parts.particles + 1, first = atomicAdd(job.parts.count, of);
  for (std::uint32_t i = 0; i < of; ++i) job.parts.part[first + i] = {static_cast<std::uint32_t>(number), i, of};
}

} // namespace

void list_parts(cudaStream_t stream, const Job& job) {
  const Division& d = job.division;
  const std::int64_t bricks = std::int64_t{d.bricks[0]} * d.bricks[1] * d.bricks[2];
  check(cudaMemsetAsync(job.parts.count, 0, sizeof(std::uint32_t), stream), "counting parts of bricks");
  check(CORRAL_LAUNCH(list_parts_global, blocks_for(bricks * 32, tuning::range_threads), tuning::range_threads, 0, stream, job),
        "listing parts of bricks");
}

} // namespace corral::gpu::gather
