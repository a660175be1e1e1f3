#include "engine/gpu/methods/stream/launch.cuh"

namespace corral::gpu {
namespace stream {
namespace {

/// Padded fields, and where results go.
template <class T, int F> struct Read {
  const T* padded[F];
  std::int64_t stride[3]; ///< along the grid's axes
  std::int64_t step[3];   ///< along the shape's; 0 along thin ones, whose second point has no weight
  bool thin[3];           ///< likewise
  Column<T> column[F];
};

/// Eight lanes a cell, each with all points of the cell in registers, for every eighth of its particles in the tile.
/// Results take the place of fractions, so that threads then write them side by side.
template <class T, class S, int F>
__global__ void __launch_bounds__(stream_threads, tuning::stream_blocks)
    stream_interpolate_global(const __grid_constant__ Source<T, 3> source, const __grid_constant__ Read<T, F> read) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  using Numbers = Memory<T, 3>;
  CORRAL_DYNAMIC_SHARED(Numbers, memory);
  static_assert(F <= 3);
  const int sub = static_cast<int>(threadIdx.x) % octet;
  for_each_run(
      source, *memory,
      [&](int stage, std::int64_t, const Run& run) {
        if (run.begin == run.end) return;
        std::uint32_t cell[3];
        source.places.group_of(run.cell, cell);
        const std::int64_t at = cell[0] * read.stride[0] + cell[1] * read.stride[1] + cell[2] * read.stride[2];
        T point[F][S::points];
#pragma unroll
        for (int f = 0; f < F; ++f)
#pragma unroll
          for (int s = 0; s < S::points; ++s)
            point[f][s] = read.padded[f][at + s % S::x * read.step[0] + s / S::x % S::y * read.step[1] +
                                         s / S::x / S::y * read.step[2]];
        T(&number)[3][streamed] = memory->number[stage];
        for (int i = run.begin + sub; i < run.end; i += octet) {
          const T u[3] = {number[0][i], number[1][i], number[2][i]};
          T w[S::points];
          point_weights<S>(read.thin, u, w);
#pragma unroll
          for (int f = 0; f < F; ++f) {
            T sum = T(0);
#pragma unroll
            for (int s = 0; s < S::points; ++s) sum = fma(w[s], point[f][s], sum);
            number[f][i] = sum;
          }
        }
      },
      [&](int stage, std::int64_t first, int count) {
        for (int i = static_cast<int>(threadIdx.x); i < count; i += stream_threads) {
          const std::int64_t to = source.places.source_of(first + i);
#pragma unroll
          for (int f = 0; f < F; ++f) read.column[f][to] = memory->number[stage][f][i];
        }
        __syncthreads(); // the stage is asked for anew
      });
#endif
}

template <class T, class S, int F>
void interpolate_fields(const InterpolateCall<T>& call, const FieldBlock<T, Interpolate<T>>& block, const Turn& turn, int first) {
  Read<T, F> read{};
  for (int a = 0; a < 3; ++a) {
    read.stride[a] = block.layout.stride[a];
    read.thin[a] = block.stencils.axis[turn.axis[a]].support.thin;
    read.step[a] = read.thin[a] ? 0 : block.layout.stride[turn.axis[a]];
  }
  for (int f = 0; f < F; ++f) {
    read.padded[f] = block.fields.padded[first + f];
    read.column[f] = block.fields.column[first + f];
  }
  const std::int64_t tiles = (call.places.size - 1) / streamed + 1;
  launch<Memory<T, 3>>(call.stream, &stream_interpolate_global<T, S, F>, tiles, "an interpolation by stream",
                       source_of<T, 3>(turned(call.places, turn), nullptr), read);
}

} // namespace
} // namespace stream

template <class T> void interpolate_stream(const InterpolateCall<T>& call) {
  for (const auto& block : call.blocks)
    with_shape(block, [&]<class S>(S, const Turn& turn) {
      constexpr int most = std::min(fields_at_once<S>, 3); // results take the place of three fractions
      for (int first = 0; first < block.fields.count; first += most)
        stream::with_fields<most>(block.fields.count - first, [&]<int F>(std::integral_constant<int, F>) {
          stream::interpolate_fields<T, S, F>(call, block, turn, first);
        });
    });
}

template void interpolate_stream(const InterpolateCall<float>&);
template void interpolate_stream(const InterpolateCall<double>&);

} // namespace corral::gpu
