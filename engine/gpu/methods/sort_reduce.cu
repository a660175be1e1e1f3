#include "engine/gpu/methods/methods.cuh"
#include "engine/gpu/order/order.cuh"
#include "engine/gpu/tuning.cuh"

#include <algorithm>
#include <limits>

namespace corral::gpu {
namespace {

constexpr int warp = 32;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// Kassen's Algorithms 4 and 5: sort the particles by the first point of their stencil; then, shift by shift of the
// stencil, reduce each segment of equal points and add its sum to the grid, the only write of an occupied point and
// shift. A warp reduces 32 particles; what a segment has beyond them is added by the thread that writes its sum. All in
// a fixed order: CUB's ReduceByKey is not, for floating point. Shifts that are reduced together are still added one
// after the other: a point is reached by many segments, but by one alone at each shift.

/// The particles in the order of their first points: point i of the sequence, and where the particle stands.
struct Segments {
  const std::uint32_t *point, *place;
  std::int64_t size;

  __device__ std::uint32_t at(std::int64_t i) const { return i >= 0 && i < size ? point[i] : nowhere; }
};

/// What reduce_global leaves, shift by shift: the sum of each segment within the warp in which it begins, at its first
/// particle; and, of each warp, the sum of the segment that came into it from the one before.
template <class T> struct Sums {
  T *of_head, *carried;
  std::int64_t size, warps;

  __device__ T& head(int s, std::int64_t i) const { return of_head[s * size + i]; }
  __device__ T& carry(int s, std::int64_t w) const { return carried[s * warps + w]; }
};

template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
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

/// Reduces S shifts from `shift` on, of `shifts` in all.
template <class T, int S>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    reduce_global(Stencils<T> stencils, Segments segments, Column<const T> column, int shift, int shifts,
                  Sums<T> sums) {
  const std::int64_t i = thread_number();
  const int lane = static_cast<int>(threadIdx.x) % warp;
  const std::uint32_t mine = segments.at(i);
  const bool counts = mine != nowhere;
  const bool first = lane == 0 || segments.at(i - 1) != mine; // of its segment in this warp
  const unsigned heads = __ballot_sync(all_lanes, first);
  const unsigned above = lane == warp - 1 ? 0u : heads >> (lane + 1);
  const int last = above == 0 ? warp - 1 : lane + __ffs(static_cast<int>(above)) - 1;
  const bool carried = lane == 0 && counts && segments.at(i - 1) == mine;
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
    if (carried) sums.carry(s, i / warp) = sum;
    else if (first && counts) sums.head(s, i) = sum;
  }
}

/// Adds the sums of shift `shift`, the s-th of those that were reduced together: a thread per first particle of a
/// segment.
template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    add_global(Stencils<T> stencils, Segments segments, T* padded, int shift, int s, Sums<T> sums) {
  const std::int64_t i = thread_number();
  const std::uint32_t mine = segments.at(i);
  if (mine == nowhere || segments.at(i - 1) == mine) return;
  T sum = sums.head(s, i);
  for (std::int64_t w = i / warp + 1; segments.at(w * warp) == mine; ++w) sum += sums.carry(s, w);
  const int nx = stencils.axis[0].points(), ny = stencils.axis[1].points();
  const int a = shift % nx, b = shift / nx % ny, c = shift / nx / ny;
  padded[mine + a + b * stencils.stride[1] + c * stencils.stride[2]] += sum;
}

template <class T> Segments sort_by_first_point(const SpreadCall<T>& call, const FieldBlock<T, Spread<T>>& block) {
  const std::int64_t n = call.places.size;
  OrderData<T>& d = call.scratch;
  d.segments.renew(n, call.stream);
  d.segment_places.renew(n, call.stream);
  d.other_key.renew(n, call.stream);
  d.other_permutation.renew(n, call.stream);
  check(CORRAL_LAUNCH((first_point_global<T>), blocks_for(n, tuning::range_threads), tuning::range_threads, 0,
                      call.stream, block.stencils, d.segments.data(), d.segment_places.data()),
        "a spread by sort_reduce");
  sort_pairs(call.stream, d.segments, d.other_key, d.segment_places, d.other_permutation, n, nowhere, d.sort_scratch);
  return {d.segments.data(), d.segment_places.data(), n};
}

template <class T, int S> void reduce_shifts(const SpreadCall<T>& call) {
  const unsigned blocks = blocks_for(call.places.size, tuning::range_threads);
  for (const auto& block : call.blocks) {
    const Segments segments = sort_by_first_point(call, block);
    const std::int64_t warps = (segments.size + warp - 1) / warp;
    T* const memory = call.scratch.sums.renew(S * (segments.size + warps), call.stream);
    const Sums<T> sums{memory, memory + S * segments.size, segments.size, warps};
    int shifts = 1;
    for (int d = 0; d < 3; ++d) shifts *= block.support.axis[d].support;
    for (int shift = 0; shift < shifts; shift += S)
      for (int f = 0; f < block.fields.count; ++f) {
        check(CORRAL_LAUNCH((reduce_global<T, S>), blocks, tuning::range_threads, 0, call.stream, block.stencils,
                            segments, block.fields.column[f], shift, shifts, sums),
              "a spread by sort_reduce");
        for (int s = 0; s < S && shift + s < shifts; ++s)
          check(CORRAL_LAUNCH((add_global<T>), blocks, tuning::range_threads, 0, call.stream, block.stencils, segments,
                              block.fields.padded[f], shift + s, s, sums),
                "a spread by sort_reduce");
      }
  }
}

} // namespace

template <class T> void spread_sort_reduce(const SpreadCall<T>& call, bool buffered) {
  buffered ? reduce_shifts<T, tuning::buffered_shifts>(call) : reduce_shifts<T, 1>(call);
}

template void spread_sort_reduce(const SpreadCall<float>&, bool);
template void spread_sort_reduce(const SpreadCall<double>&, bool);

} // namespace corral::gpu
