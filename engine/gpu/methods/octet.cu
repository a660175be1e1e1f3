#include "engine/gpu/methods/octets.cuh"

namespace corral::gpu {
namespace {

/// The fractions and values of the particle at `place`, zeros where there is none.
template <int F, class T>
__device__ __forceinline__ void read(const CellWork<T>& work, std::int64_t place, std::int64_t end,
                                     T (&number)[3 + F]) {
  const bool exists = place < end;
#pragma unroll
  for (int d = 0; d < 3; ++d) number[d] = exists ? work.places.u[d][place] : T(0);
  const std::int64_t source = exists ? work.places.source_of(place) : place;
#pragma unroll
  for (int f = 0; f < F; ++f) number[3 + f] = exists ? work.column[f][source] : T(0);
}

/// Eight lanes per group, four groups per warp. Each lane adds up every eighth particle of its group for all points in
/// registers, while the next one is on its way from memory; no shared memory, no barrier.
template <class T, class S, int F>
__global__ void __launch_bounds__(tuning::cell_threads, tuning::octet_blocks) octet_global(CellWork<T> work) {
  constexpr int sums = S::points * F, K = (sums + octet - 1) / octet;
  const int sub = static_cast<int>(threadIdx.x) % octet;
  const std::int64_t group = thread_number() / octet; // or a part of one
  const auto [begin, end] = work.range(group);        // no early return: the whole warp shuffles
  T a[octet * K];
#pragma unroll
  for (int i = 0; i < octet * K; ++i) a[i] = T(0);
  T next[3 + F];
  read<F>(work, begin + sub, end, next);
  for (std::int64_t place = begin + sub; place < end; place += octet) {
    const T u[3] = {next[0], next[1], next[2]};
    T value[F];
#pragma unroll
    for (int f = 0; f < F; ++f) value[f] = next[3 + f];
    read<F>(work, place + octet, end, next);
    T w[S::points];
    point_weights<S>(work.thin, u, w);
#pragma unroll
    for (int f = 0; f < F; ++f)
#pragma unroll
      for (int s = 0; s < S::points; ++s) a[f * S::points + s] = fma(w[s], value[f], a[f * S::points + s]);
  }
  exchange_halves(a, sub);
#pragma unroll
  for (int i = 0; i < K; ++i)
    if (sub * K + i < sums) work.store(group, sums, sub * K + i, a[i]);
}

} // namespace

template <class T> void spread_octet(const SpreadCall<T>& call) {
  by_cells(call, []<class S, int F>(S, std::integral_constant<int, F>, const CellBlock<T>& cells) {
    check(CORRAL_LAUNCH((octet_global<T, S, F>), blocks_for(cells.count * octet, tuning::cell_threads), tuning::cell_threads, 0,
                        cells.stream, cells.work),
          "a spread by octet");
  });
}

template void spread_octet(const SpreadCall<float>&);
template void spread_octet(const SpreadCall<double>&);

} // namespace corral::gpu
