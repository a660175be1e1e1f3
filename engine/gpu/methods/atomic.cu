#include "engine/gpu/methods/methods.cuh"
#include "engine/gpu/tuning.cuh"

namespace corral::gpu {
namespace {

/// ParkiPy's Algorithm 3, "base" where particles come in the caller's order and "source" where they lie in cell order:
/// a thread per particle adds to every point of its stencil.
template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    atomic_global(Stencils<T> stencils, BlockFields<T, const T> fields) {
  const std::int64_t place = thread_number();
  if (place >= stencils.places.size || !stencils.places.inside(place)) return;
  const std::int64_t first = stencils.first(place), source = stencils.places.source_of(place);
  for (int c = 0; c < stencils.axis[2].points(); ++c)
    for (int b = 0; b < stencils.axis[1].points(); ++b) {
      const T weight_yz = stencils.weight(1, b, place) * stencils.weight(2, c, place);
      const std::int64_t row = first + b * stencils.stride[1] + c * stencils.stride[2];
      for (int a = 0; a < stencils.axis[0].points(); ++a) {
        const T weight = stencils.weight(0, a, place) * weight_yz;
#pragma unroll
        for (int f = 0; f < 4; ++f)
          if (f < fields.count) atomicAdd(fields.padded[f] + row + a, weight * fields.column[f][source]);
      }
    }
}

} // namespace

template <class T> void spread_atomic(const SpreadCall<T>& call) {
  for (const auto& block : call.blocks)
    check(CORRAL_LAUNCH((atomic_global<T>), blocks_for(call.places.size, tuning::range_threads), tuning::range_threads,
                        0, call.stream, block.stencils, block.fields),
          "a spread by atomic");
}

template void spread_atomic(const SpreadCall<float>&);
template void spread_atomic(const SpreadCall<double>&);

} // namespace corral::gpu
