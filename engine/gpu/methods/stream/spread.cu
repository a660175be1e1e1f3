#include "engine/gpu/methods/stream/launch.cuh"

#include <bit>

namespace corral::gpu {
namespace stream {
namespace {

template <class T> struct Sums {
  T* of_cells; ///< as CellSums has them
  T* carried;
  bool thin[3]; ///< along the shape's axes
};

/// Eight lanes a cell, each with every eighth of the cell's particles in the tile, for all points in registers.
template <class T, class S, int F>
__global__ void __launch_bounds__(stream_threads, tuning::stream_blocks)
    stream_spread_global(const __grid_constant__ Source<T, 3 + F> source, const __grid_constant__ Sums<T> sums) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  using Numbers = Memory<T, 3 + F>;
  CORRAL_DYNAMIC_SHARED(Numbers, memory);
  constexpr int numbers = S::points * F, K = (numbers + octet - 1) / octet;
  const int sub = static_cast<int>(threadIdx.x) % octet;
  for_each_run(
      source, *memory,
      [&](int stage, std::int64_t first, const Run& run) {
        T a[octet * K];
#pragma unroll
        for (int i = 0; i < octet * K; ++i) a[i] = T(0);
        const T(&number)[3 + F][streamed] = memory->number[stage];
        for (int i = run.begin + sub; i < run.end; i += octet) {
          const T u[3] = {number[0][i], number[1][i], number[2][i]};
          T w[S::points];
          point_weights<S>(sums.thin, u, w);
#pragma unroll
          for (int f = 0; f < F; ++f) {
            const T value = number[3 + f][i];
#pragma unroll
            for (int s = 0; s < S::points; ++s) a[f * S::points + s] = fma(w[s], value, a[f * S::points + s]);
          }
        }
        exchange_halves(a, sub);
        if (run.begin == run.end) return; // behind the shuffles of whole warps
        T* const to = run.continues ? sums.carried + first / streamed * numbers : sums.of_cells + run.cell;
        const std::int64_t stride = run.continues ? 1 : std::int64_t{source.places.groups};
#pragma unroll
        for (int i = 0; i < K; ++i)
          if (sub * K + i < numbers) to[(sub * K + i) * stride] = a[i];
      },
      [](int, std::int64_t, int) {});
#endif
}

template <class T, class S, int F>
void spread_fields(const SpreadCall<T>& call, const FieldBlock<T, Spread<T>>& block, const Turn& turn, int first) {
  const std::int64_t numbers = S::points * F, tiles = (call.places.size - 1) / streamed + 1;
  T* const memory = call.scratch.sums_of(numbers * (call.places.groups + tiles), call.stream);
  Sums<T> sums{memory, memory + numbers * call.places.groups, {}};
  for (int a = 0; a < 3; ++a) sums.thin[a] = block.stencils.axis[turn.axis[a]].support.thin;
  const auto source = source_of<T, 3 + F>(turned(call.places, turn), block.fields.column + first);
  launch<Memory<T, 3 + F>>(call.stream, &stream_spread_global<T, S, F>, tiles, "a spread by stream", source, sums);
  CellSums<T> cells(memory, S{}, turn);
  cells.carried = sums.carried;
  cells.tile_bits = std::countr_zero(unsigned{streamed});
  add_cells<T>(call.stream, block.layout, call.places, cells, block.fields_of_caller.part(first, F));
}

} // namespace
} // namespace stream

template <class T> void spread_stream(const SpreadCall<T>& call) {
  for (const auto& block : call.blocks)
    with_shape(block, [&]<class S>(S, const Turn& turn) {
      for (int first = 0; first < block.fields.count; first += fields_at_once<S>)
        stream::with_fields<fields_at_once<S>>(block.fields.count - first, [&]<int F>(std::integral_constant<int, F>) {
          stream::spread_fields<T, S, F>(call, block, turn, first);
        });
    });
}

template void spread_stream(const SpreadCall<float>&);
template void spread_stream(const SpreadCall<double>&);

} // namespace corral::gpu
