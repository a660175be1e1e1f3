#include "engine/gpu/methods.cuh"
#include "engine/gpu/sort_pairs.cuh"
#include "engine/gpu/tuning.cuh"

#include <algorithm>
#include <limits>

namespace corral::gpu {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;
constexpr int warp = 32;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// Kassen's Algorithms 4 and 5: sort the particles by the first point of their stencil; then, shift by shift of the
// stencil, reduce each segment of equal points and add its sum to the grid, the only write of an occupied point and
// shift. A warp reduces 32 particles; what reaches beyond them is left as two pieces, which the thread of the segment's
// first warp adds up. All in a fixed order: CUB's ReduceByKey is not, for floating point.

/// The particles in the order of their first points: point i of the sequence, and where the particle stands.
struct Segments {
  const std::uint32_t *point, *place;
  std::int64_t size;

  __device__ std::uint32_t at(std::int64_t i) const { return i >= 0 && i < size ? point[i] : nowhere; }
};

/// Of each warp: the sum of its first segment where that began before it, and of its last one where that goes on.
template <class T> struct Pieces {
  T *first, *last;
};

template <class T>
__global__ void __launch_bounds__(tuning::range_threads)
    first_point_global(Stencils<T> stencils, std::uint32_t* point, std::uint32_t* place) {
  const std::int64_t i = thread_number();
  if (i >= stencils.places.size) return;
  point[i] = stencils.places.inside(i) ? static_cast<std::uint32_t>(stencils.first(i)) : nowhere;
  place[i] = static_cast<std::uint32_t>(i);
}

/// The weight of a shift, whose points along the axes are a, b, c.
template <class T> __device__ T shift_weight(const Stencils<T>& stencils, std::int64_t place, int a, int b, int c) {
  return stencils.weight(0, a, place) * (stencils.weight(1, b, place) * stencils.weight(2, c, place));
}

/// S shifts from `shift` on, of `shifts` in all.
template <class T, int S>
__global__ void __launch_bounds__(tuning::range_threads)
    reduce_global(Stencils<T> stencils, Segments segments, Column<const T> column, T* padded, int shift, int shifts,
                  Pieces<T> pieces, std::int64_t warps) {
  const std::int64_t i = thread_number();
  const int lane = static_cast<int>(threadIdx.x) % warp;
  const std::uint32_t mine = segments.at(i);
  const bool counts = mine != nowhere;
  const bool head = lane == 0 || segments.at(i - 1) != mine;
  const unsigned heads = __ballot_sync(all_lanes, head);
  const unsigned above = lane == warp - 1 ? 0u : heads >> (lane + 1);
  const int last = above == 0 ? warp - 1 : lane + __ffs(static_cast<int>(above)) - 1; // of my segment in this warp
  const bool began_before = lane == 0 && counts && segments.at(i - 1) == mine;
  const bool goes_on = counts && last == warp - 1 && segments.at(i - lane + warp) == mine;
  const std::int64_t place = counts ? segments.place[i] : 0;
  const T value = counts ? column[stencils.places.source_of(place)] : T(0);
  const int nx = stencils.axis[0].points(), ny = stencils.axis[1].points();
#pragma unroll
  for (int s = 0; s < S; ++s) {
    if (shift + s >= shifts) return; // the same for all threads
    const int a = (shift + s) % nx, b = (shift + s) / nx % ny, c = (shift + s) / nx / ny;
    T sum = counts ? shift_weight(stencils, place, a, b, c) * value : T(0);
#pragma unroll
    for (int d = 1; d < warp; d *= 2) {
      const T other = __shfl_down_sync(all_lanes, sum, static_cast<unsigned>(d));
      if (lane + d <= last) sum += other;
    }
    if (!head || !counts) continue;
    const std::int64_t piece = s * warps + i / warp;
    if (began_before) pieces.first[piece] = sum;
    else if (goes_on) pieces.last[piece] = sum;
    else padded[mine + a + b * stencils.stride[1] + c * stencils.stride[2]] += sum;
  }
}

/// A thread per warp of reduce_global adds up the segment that begins there and goes on.
template <class T, int S>
__global__ void __launch_bounds__(tuning::range_threads)
    join_global(Stencils<T> stencils, Segments segments, T* padded, int shift, int shifts, Pieces<T> pieces,
                std::int64_t warps) {
  const std::int64_t w = thread_number();
  if (w + 1 >= warps) return;
  const std::int64_t end = (w + 1) * warp;
  const std::uint32_t mine = segments.at(end - 1);
  if (mine == nowhere || segments.at(end) != mine) return;          // it does not go on
  if (segments.at(w * warp) == mine && segments.at(w * warp - 1) == mine) return; // it began before
  const int nx = stencils.axis[0].points(), ny = stencils.axis[1].points();
  for (int s = 0; s < S && shift + s < shifts; ++s) {
    T sum = pieces.last[s * warps + w];
    for (std::int64_t next = w + 1; segments.at(next * warp) == mine; ++next) sum += pieces.first[s * warps + next];
    const int a = (shift + s) % nx, b = (shift + s) / nx % ny, c = (shift + s) / nx / ny;
    padded[mine + a + b * stencils.stride[1] + c * stencils.stride[2]] += sum;
  }
}

template <class T> Segments sort_by_first_point(const SpreadCall<T>& call, const FieldBlock<T, Spread<T>>& block) {
  const std::int64_t n = call.places.size;
  OrderData<T>& d = call.scratch;
  d.segments.reserve(n, call.stream);
  d.segment_places.reserve(n, call.stream);
  d.other_key.reserve(n, call.stream);
  d.other_permutation.reserve(n, call.stream);
  check(CORRAL_LAUNCH((first_point_global<T>), blocks_for(n, tuning::range_threads), tuning::range_threads, 0,
                      call.stream, block.stencils, d.segments.data(), d.segment_places.data()),
        "a spread by sort_reduce");
  sort_pairs(call.stream, d.segments, d.other_key, d.segment_places, d.other_permutation, n, nowhere, d.sort_scratch);
  return {d.segments.data(), d.segment_places.data(), n};
}

template <class T, int S> void reduce_shifts(const SpreadCall<T>& call) {
  for (const auto& block : call.blocks) {
    const Segments segments = sort_by_first_point(call, block);
    const std::int64_t warps = (segments.size + warp - 1) / warp;
    T* const memory = call.scratch.sums.reserve(2 * S * warps, call.stream);
    const Pieces<T> pieces{memory, memory + S * warps};
    int shifts = 1;
    for (int d = 0; d < 3; ++d) shifts *= block.support.axis[static_cast<std::size_t>(d)].support;
    for (int shift = 0; shift < shifts; shift += S)
      for (int f = 0; f < block.fields.count; ++f) {
        check(CORRAL_LAUNCH((reduce_global<T, S>), blocks_for(segments.size, tuning::range_threads),
                            tuning::range_threads, 0, call.stream, block.stencils, segments, block.fields.column[f],
                            block.fields.padded[f], shift, shifts, pieces, warps),
              "a spread by sort_reduce");
        check(CORRAL_LAUNCH((join_global<T, S>), blocks_for(warps, tuning::range_threads), tuning::range_threads, 0,
                            call.stream, block.stencils, segments, block.fields.padded[f], shift, shifts, pieces,
                            warps),
              "a spread by sort_reduce");
      }
  }
}

} // namespace

template <class T> void spread_sort_reduce(const SpreadCall<T>& call, bool buffered) {
  constexpr int buffered_shifts = 8; // Kassen's s_z
  buffered ? reduce_shifts<T, buffered_shifts>(call) : reduce_shifts<T, 1>(call);
}

template void spread_sort_reduce(const SpreadCall<float>&, bool);
template void spread_sort_reduce(const SpreadCall<double>&, bool);

} // namespace corral::gpu
