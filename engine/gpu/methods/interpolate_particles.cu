#include "engine/gpu/methods/methods.cuh"
#include "engine/gpu/tuning.cuh"

#include <type_traits>

namespace corral::gpu {
namespace {

/// L threads per particle read the points of its stencil, each every L-th along x: "base" of ParkiPy 3.3 where
/// particles come in the caller's order, "target" where they lie in cell order and neighbours in a warp read the same
/// lines. P is the points along x, or where not Exact the most, known to the compiler so that they are read together; 0
/// where there may be any number. With four threads a particle the rows of a wide stencil are read in whole sectors,
/// also where particles are sparse.
template <class T, int P, bool Exact, int F, int L>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    interpolate_global(Stencils<T> stencils, BlockFields<const T, T> fields) {
  constexpr int own = (P + L - 1) / L; // points along x of a thread, at most
  const std::int64_t place = thread_number() / L;
  const int part = static_cast<int>(threadIdx.x) % L;
  if (place >= stencils.places.size || !stencils.places.inside(place)) return; // all L of them
  const std::int64_t first = stencils.first(place);
  const int points = Exact ? P : stencils.axis[0].points();
  T sum[F];
#pragma unroll
  for (int f = 0; f < F; ++f) sum[f] = T(0);
  T x[P == 0 ? 1 : own];
  if constexpr (P > 0) {
#pragma unroll
    for (int i = 0; i < own; ++i) x[i] = part + i * L < points ? stencils.weight(0, part + i * L, place) : T(0);
  }
  for (int c = 0; c < stencils.axis[2].points(); ++c) {
    const T weight_z = stencils.weight(2, c, place);
    for (int b = 0; b < stencils.axis[1].points(); ++b) {
      const T weight_yz = stencils.weight(1, b, place) * weight_z;
      const std::int64_t row = first + b * stencils.stride[1] + c * stencils.stride[2];
      if constexpr (P > 0) {
#pragma unroll
        for (int f = 0; f < F; ++f) {
          T line = T(0);
#pragma unroll
          for (int i = 0; i < own; ++i)
            if ((Exact && P % L == 0) || part + i * L < points)
              line = fma(x[i], fields.padded[f][row + part + i * L], line);
          sum[f] = fma(weight_yz, line, sum[f]);
        }
      } else {
        for (int a = part; a < points; a += L) {
          const T weight = stencils.weight(0, a, place) * weight_yz;
#pragma unroll
          for (int f = 0; f < F; ++f) sum[f] = fma(weight, fields.padded[f][row + a], sum[f]);
        }
      }
    }
  }
  const std::int64_t source = stencils.places.source_of(place);
  const unsigned of_particle = ((1u << L) - 1) << (threadIdx.x % 32 / L * L); // its threads
#pragma unroll
  for (int f = 0; f < F; ++f) {
#pragma unroll
    for (int d = 1; d < L; d *= 2) sum[f] += __shfl_xor_sync(of_particle, sum[f], d);
    if (part == 0) fields.column[f][source] = sum[f];
  }
}

template <class T, int P, bool Exact, int F>
void launch(const InterpolateCall<T>& call, const FieldBlock<T, Interpolate<T>>& block) {
  constexpr int L = P == 0 || P >= 4 ? tuning::threads_of_a_wide_stencil : 1;
  check(CORRAL_LAUNCH((interpolate_global<T, P, Exact, F, L>), blocks_for(call.places.size * L, tuning::range_threads),
                      tuning::range_threads, 0, call.stream, block.stencils, block.fields),
        "an interpolation");
}

template <class T, int P, bool Exact>
void with_fields(const InterpolateCall<T>& call, const FieldBlock<T, Interpolate<T>>& block) {
  switch (block.fields.count) {
  case 1: return launch<T, P, Exact, 1>(call, block);
  case 2: return launch<T, P, Exact, 2>(call, block);
  case 3: return launch<T, P, Exact, 3>(call, block);
  default: return launch<T, P, Exact, 4>(call, block);
  }
}

} // namespace

template <class T> void interpolate_particles(const InterpolateCall<T>& call) {
  if (call.places.size == 0) return;
  for (const auto& block : call.blocks) {
    const int points = block.support.axis[0].thin ? 1 : block.support.axis[0].support;
    if (points == 2) with_fields<T, 2, true>(call, block);
    else if (points <= 3) with_fields<T, 3, false>(call, block);
    else if (points == 4) with_fields<T, 4, true>(call, block);
    else if (points == 8) with_fields<T, 8, true>(call, block);
    else if (points < 8) with_fields<T, 8, false>(call, block);
    else if (points <= 16) with_fields<T, 16, false>(call, block);
    else with_fields<T, 0, false>(call, block);
  }
}

template void interpolate_particles(const InterpolateCall<float>&);
template void interpolate_particles(const InterpolateCall<double>&);

} // namespace corral::gpu
