#pragma once

#include "engine/gpu/methods/gather/copies.cuh"
#include "engine/gpu/methods/gather/groups.cuh"
#include "engine/gpu/methods/gather/launch.hpp"
#include "engine/gpu/methods/gather/sums.cuh"

/// The entry of the method bricks, and its launches.
namespace corral::gpu::gather {

/// A warp a group.
template <class S>
__device__ void interpolate_group(const Job& job, const Brick& brick, const Groups& groups, const MemoryLayout& layout,
                                  const double* points, const double* formulas_here, double* weights, std::uint32_t group) {
  int lane = static_cast<int>(threadIdx.x) % 32;
  asm volatile("" : "+r"(lane)); // or the compiler keeps what follows from it from group to group, in registers that sums need
  const int g = lane / 4, t = lane % 4;
  const int column = groups.column_of(group);
  const std::uint32_t first = (group - (column == 0 ? 0 : groups.end[column - 1])) * together, left = groups.size[column] - first,
                      p = static_cast<std::uint32_t>(lane % together);
  const Member mine = groups.member(job, brick, column, first + (p < left ? p : left - 1));
  double* const of_x_and_z = weights; // in turn
  double* const of_y = weights + job.buffer[0] * weight_pitch;
  double u[3];
#pragma unroll
  for (int d = 0; d < 3; ++d) u[d] = job.places.u[d][mine.place];
  const int begin_x = mine.x + lead(job.axis[0], u[0]), begin_y = mine.y + lead(job.axis[1], u[1]),
            begin_z = mine.z + lead(job.axis[2], u[2]);
  constexpr bool may_be_alike = S::stretches_of_lane > 0;
  AlikeWeights<may_be_alike ? S::stretches_of_lane : 1> alike;
  if (may_be_alike && job.alike) {
    alike.put_x_y(job, formulas_here, u, of_x_and_z + p, of_y + p);
  } else {
    put_weights(job, formulas_here, 0, mine.place, u[0], of_x_and_z);
    put_weights(job, formulas_here, 1, mine.place, u[1], of_y);
  }
  __syncwarp();
  double a[S::KX][2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int begin = __shfl_sync(all_lanes, begin_x, g + 8 * i);
#pragma unroll
    for (int s = 0; s < S::KX; ++s) a[s][i] = weight(of_x_and_z, 4 * s + t - begin, job.axis[0].points, g + 8 * i);
  }
  __syncwarp();
  if (may_be_alike && job.alike) alike.put_z(job.axis[2].points, of_x_and_z + p);
  else put_weights(job, formulas_here, 2, mine.place, u[2], of_x_and_z);
  __syncwarp();

  const int z = __shfl_sync(all_lanes, mine.z, 0), planes = __shfl_sync(all_lanes, mine.z, together - 1) - z + job.axis[2].width;
  const int row = groups.y_of(column) + g / 2 + (S::side_by_side == 1 ? g % 2 * 4 : 0), x = groups.x_of(column) + t;
  const double* const from = points + z * layout.plane + S::row(row) + x * S::side_by_side + (S::side_by_side == 2 ? g % 2 : 0);
  Sums<S> sums;
  sums.add(from, layout, a, of_x_and_z, job.axis[2].points, __shfl_sync(all_lanes, begin_z, g) - z,
           __shfl_sync(all_lanes, begin_z, g + 8) - z, planes);

  double low[S::sets][S::side_by_side], high[S::sets][S::side_by_side];
  sums.over_rows(of_y, job.axis[1].points, __shfl_sync(all_lanes, begin_y, g), 0, low);
  sums.over_rows(of_y, job.axis[1].points, __shfl_sync(all_lanes, begin_y, g + 8), 1, high);
  const int own = g + t / 2 * 8;
  const std::int64_t to = job.places.source_of(__shfl_sync(all_lanes, mine.place, own));
  Sums<S>::finish(low, high, [&](int f, double result) {
    if (f < job.fields && static_cast<std::uint32_t>(own) < left) job.source[f].column[to] = result;
  });
  __syncwarp();
}

/// A block a part: it copies what the stencils of a brick reach, meanwhile finds the groups of its particles, and then each
/// warp takes one group after the other.
template <class S> __global__ void __launch_bounds__(S::threads, S::blocks) interpolate_bricks_global(const __grid_constant__ Job job) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  CORRAL_DYNAMIC_SHARED(unsigned char, memory);
  if (blockIdx.x >= *job.parts.count) return;
  const Part part = job.parts.part[blockIdx.x];
  const Brick brick(job, part.brick);
  const MemoryLayout layout = MemoryLayout::of<S>(job.division, job.buffer);
  double* const points = reinterpret_cast<double*>(memory);
  double* const formulas_here = reinterpret_cast<double*>(memory + layout.formulas);
  ask_for_points<S>(job, brick, layout, points);
  put_formulas<S>(job, formulas_here);
  Groups groups(job.division, memory + layout.runs);
  const auto all = static_cast<std::uint64_t>(groups.find<S>(job, brick));
  wait_copies<0>();
  __syncthreads();
  const std::uint32_t warp = threadIdx.x / 32, end = static_cast<std::uint32_t>(all * (part.number + 1) / part.of);
  double* const weights = reinterpret_cast<double*>(memory + layout.weights + warp * layout.warp_weights);
  for (std::uint32_t group = static_cast<std::uint32_t>(all * part.number / part.of) + warp; group < end; group += S::warps)
    interpolate_group<S>(job, brick, groups, layout, points, formulas_here, weights, group);
#endif
}

template <class S> void launch(cudaStream_t stream, const Job& job) {
  const std::size_t bytes = MemoryLayout::of<S>(job.division, job.buffer).bytes;
  allow_shared_memory(reinterpret_cast<const void*>(&interpolate_bricks_global<S>), most_bytes<S>());
  check(CORRAL_LAUNCH((interpolate_bricks_global<S>), job.parts.most, S::threads, bytes, stream, job), "an interpolation by bricks");
}

} // namespace corral::gpu::gather
