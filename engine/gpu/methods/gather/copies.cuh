#pragma once

#include "engine/gpu/async_copies.cuh"
#include "engine/gpu/methods/gather/memory.cuh"

/// From the fields to shared memory.
namespace corral::gpu::gather {

/// The planes of one padded point across: where its values lie, in the field and beyond it.
struct Pillar {
  const double *in_field, *beyond; ///< at the brick's first plane; `in_field` may point outside
  int begin, end;                  ///< planes of the field

  __device__ Pillar(const Job& job, const Brick& brick, const Source& source, int x, int y, int planes) {
    const Points& points = job.points;
    const int px = brick.origin[0] + x, py = brick.origin[1] + y, pz = brick.origin[2];
    in_field = source.field + (points.first[0] + px) * source.stride[0] + (points.first[1] + py) * source.stride[1] +
               (points.first[2] + pz) * source.stride[2];
    beyond = source.beyond + px + py * points.stride[1] + pz * points.stride[2];
    const bool across = unsigned(points.first[0] + px) < unsigned(points.of_field[0]) &&
                        unsigned(points.first[1] + py) < unsigned(points.of_field[1]);
    const int first = -(points.first[2] + pz), last = across ? first + points.of_field[2] : first;
    begin = first < 0 ? 0 : first < planes ? first : planes;
    end = last < begin ? begin : last < planes ? last : planes;
  }
};

/// Asks for planes [begin, end) of a pillar. words: 2, or 4 for two fields at once.
template <int words>
__device__ void ask_for_planes(double* to, std::int64_t plane, const double* from, std::int64_t up, int begin, int end) {
  to += begin * plane;
  from += begin * up;
#pragma unroll 4
  for (int k = begin; k < end; ++k) {
    if constexpr (words == 4) copy_four_words(to, from);
    else copy_two_words(to, from);
    to += plane;
    from += up;
  }
}

/// Asks for the points that the stencils of a brick reach. A thread takes a point across and goes from plane to plane. Points
/// that windows have beyond them along x are 0, for they are multiplied; rows beyond are not looked at.
template <class S> __device__ void ask_for_points(const Job& job, const Brick& brick, const MemoryLayout& layout, double* memory) {
  const Division& division = job.division;
  const int reached = brick.cells[0] + job.axis[0].width - 1, rows = brick.cells[1] + job.axis[1].width - 1,
            planes = brick.cells[2] + job.axis[2].width - 1, wide = (division.columns_x - 1) * division.column[0] + 4 * S::KX;
#pragma unroll 1
  for (int e = static_cast<int>(threadIdx.x); e < rows * S::pitch; e += S::threads) {
    const int y = e / S::pitch, x = e % S::pitch;
    if (x >= wide) continue;
    double* const across = memory + S::row(y) + x * S::side_by_side;
#pragma unroll 1
    for (int f = 0; f < job.fields; ++f) {
      double* const to = across + f / S::side_by_side * layout.set + f % S::side_by_side;
      if (x >= reached) {
#pragma unroll 1
        for (int k = 0; k < planes; ++k) to[k * layout.plane] = 0;
        continue;
      }
      const Source& source = job.source[f];
      const Pillar pillar(job, brick, source, x, y, planes);
      const std::int64_t up = job.points.stride[2];
      ask_for_planes<2>(to, layout.plane, pillar.beyond, up, 0, pillar.begin);
      if (S::side_by_side == 1 || (job.paired >> f / 2 & 1) == 0)
        ask_for_planes<2>(to, layout.plane, pillar.in_field, source.stride[2], pillar.begin, pillar.end);
      else if (f % 2 == 0) ask_for_planes<4>(to, layout.plane, pillar.in_field, source.stride[2], pillar.begin, pillar.end);
      ask_for_planes<2>(to, layout.plane, pillar.beyond, up, pillar.end, planes);
    }
  }
  commit_copies();
}

} // namespace corral::gpu::gather
