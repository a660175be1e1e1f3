#include "engine/gpu/methods/cell_sums.cuh"

namespace corral::gpu {
namespace {

constexpr int warp = 32;

/// Lanes that share a particle: a lane per point, rounded up to a power of two.
template <class S> inline constexpr int lanes_per_particle = S::points <= 8 ? 8 : S::points <= 16 ? 16 : 32;

/// Larson's "Corners" with shuffles: a warp per group, a lane per point and share of the particles. Each lane keeps the
/// sums of its own point; the shares are then added.
template <class T, class S, int F>
__global__ void __launch_bounds__(tuning::cell_threads, 1) corners_global(CellWork<T> work) {
  constexpr int per_particle = lanes_per_particle<S>, shares = warp / per_particle;
  const int lane = static_cast<int>(threadIdx.x) % warp, point = lane % per_particle, share = lane / per_particle;
  const std::int64_t group = thread_number() / warp; // or a part of one
  const auto [begin, end] = work.range(group);
  const int a = point % S::x, b = point / S::x % S::y, c = point / S::x / S::y;
  T sum[F];
#pragma unroll
  for (int f = 0; f < F; ++f) sum[f] = T(0);
  for (std::int64_t place = begin + share; place < end; place += shares) {
    T x[S::x], y[S::y], z[S::z];
    group_weights<S::x>(work.places.u[0][place], work.thin[0], x);
    group_weights<S::y>(work.places.u[1][place], work.thin[1], y);
    group_weights<S::z>(work.places.u[2][place], work.thin[2], z);
    const std::int64_t source = work.places.source_of(place);
    T weight_x = x[0], weight_y = y[0], weight_z = z[0]; // no index known at run time: arrays stay in registers
#pragma unroll
    for (int i = 1; i < 3; ++i) {
      if (i < S::x && a == i) weight_x = x[i < S::x ? i : 0];
      if (i < S::y && b == i) weight_y = y[i < S::y ? i : 0];
      if (i < S::z && c == i) weight_z = z[i < S::z ? i : 0];
    }
    const T weight = weight_x * (weight_y * weight_z);
#pragma unroll
    for (int f = 0; f < F; ++f) sum[f] = fma(weight, work.column[f][source], sum[f]);
  }
#pragma unroll
  for (int f = 0; f < F; ++f) {
#pragma unroll
    for (int s = 1; s < shares; s *= 2) sum[f] += __shfl_xor_sync(all_lanes, sum[f], s * per_particle);
    if (share == 0 && point < S::points) work.store(group, F * S::points, f * S::points + point, sum[f]);
  }
}

} // namespace

template <class T> void spread_corners(const SpreadCall<T>& call) {
  by_cells(call, []<class S, int F>(S, std::integral_constant<int, F>, const CellBlock<T>& cells) {
    check(CORRAL_LAUNCH((corners_global<T, S, F>), blocks_for(cells.count * warp, tuning::cell_threads),
                        tuning::cell_threads, 0, cells.stream, cells.work),
          "a spread by corners");
  });
}

template void spread_corners(const SpreadCall<float>&);
template void spread_corners(const SpreadCall<double>&);

} // namespace corral::gpu
