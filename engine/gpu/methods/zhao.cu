#include "engine/gpu/methods/cell_sums.cuh"

namespace corral::gpu {
namespace {

constexpr int lanes = 8; // of a group; and particles staged at a time

/// Zhao's shape, as Larson et al. describe it: eight threads per group load eight particles into shared memory, then
/// each adds all eight to its own points. Each group has rows of its own, and no barrier stands in a branch: the warp
/// goes round as often as its fullest group asks. The sums go to memory of their own instead of being added atomically.
template <class T, class S, int F>
__global__ void __launch_bounds__(tuning::cell_threads, 1) zhao_global(CellWork<T> work) {
  constexpr int groups = tuning::cell_threads / lanes, K = (S::points + lanes - 1) / lanes;
  CORRAL_SHARED(T, staged, [groups][3 + F][lanes]);
  const int lane = static_cast<int>(threadIdx.x) % lanes, row = static_cast<int>(threadIdx.x) / lanes;
  const std::int64_t group = thread_number() / lanes; // or a part of one
  const auto [begin, end] = work.range(group);
  const unsigned rounds = static_cast<unsigned>((end - begin + lanes - 1) / lanes);
  const unsigned most_rounds = __reduce_max_sync(all_lanes, rounds);
  T sum[F * K];
#pragma unroll
  for (int i = 0; i < F * K; ++i) sum[i] = T(0);
  for (unsigned r = 0; r < most_rounds; ++r) {
    const std::int64_t first = begin + std::int64_t{r} * lanes, place = first + lane;
    if (place < end) {
      for (int d = 0; d < 3; ++d) staged[row][d][lane] = work.places.u[d][place];
      const std::int64_t source = work.places.source_of(place);
#pragma unroll
      for (int f = 0; f < F; ++f) staged[row][3 + f][lane] = work.column[f][source];
    }
    __syncwarp(all_lanes);
    for (int i = 0; i < lanes && first + i < end; ++i) {
      T x[S::x], y[S::y], z[S::z];
      group_weights<S::x>(staged[row][0][i], work.thin[0], x);
      group_weights<S::y>(staged[row][1][i], work.thin[1], y);
      group_weights<S::z>(staged[row][2][i], work.thin[2], z);
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const int point = k * lanes + lane;
        T weight = T(0);
#pragma unroll
        for (int s = 0; s < S::points; ++s) // no index known at run time: arrays stay in registers
          if (s == point) weight = x[s % S::x] * (y[s / S::x % S::y] * z[s / S::x / S::y]);
#pragma unroll
        for (int f = 0; f < F; ++f) sum[f * K + k] = fma(weight, staged[row][3 + f][i], sum[f * K + k]);
      }
    }
    __syncwarp(all_lanes);
  }
#pragma unroll
  for (int k = 0; k < K; ++k)
#pragma unroll
    for (int f = 0; f < F; ++f) {
      const int point = k * lanes + lane;
      if (point < S::points) work.store(group, F * S::points, f * S::points + point, sum[f * K + k]);
    }
}

} // namespace

template <class T> void spread_zhao(const SpreadCall<T>& call) {
  by_cells(call, []<class S, int F>(S, std::integral_constant<int, F>, const CellBlock<T>& cells) {
    check(CORRAL_LAUNCH((zhao_global<T, S, F>), blocks_for(cells.count * lanes, tuning::cell_threads),
                        tuning::cell_threads, 0, cells.stream, cells.work),
          "a spread by zhao");
  });
}

template void spread_zhao(const SpreadCall<float>&);
template void spread_zhao(const SpreadCall<double>&);

} // namespace corral::gpu
