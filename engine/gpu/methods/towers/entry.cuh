#pragma once

#include "engine/gpu/methods/towers/fetch.cuh"
#include "engine/gpu/methods/towers/launch.hpp"
#include "engine/gpu/methods/towers/sums.cuh"
#include "engine/gpu/methods/towers/windows.cuh"

#include <iterator>
#include <type_traits>
#include <utility>

/// The entry of the method towers, and its launches. Compiled in a file for each number of points.
namespace corral::gpu::towers {

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks) towers_global(const __grid_constant__ Job job) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  CORRAL_DYNAMIC_SHARED(Memory<S>, memory);
  if (threadIdx.x == 0) {
    for (PhaseBarrier& b : memory->record_full) begin(b, 1);
    for (PhaseBarrier& b : memory->record_empty) begin(b, S::window_warps);
    for (PhaseBarrier& b : memory->window_full) begin(b, 1);
    for (PhaseBarrier& b : memory->window_empty) begin(b, S::consumers);
    fence_begun();
  }
  for (int i = static_cast<int>(threadIdx.x); i < S::pitch; i += S::threads) memory->zeros[i] = 0;
  for (int i = static_cast<int>(threadIdx.x); i < S::window_stages * S::window_rows * together;
       i += S::threads) // behind a full stage
    memory->window[i / together / S::window_rows][i / together % S::window_rows][S::staged + i % together] = 0;
  find_share(job, memory->share);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp < S::consumers)
    consume<S>(job, *memory);
  else if (warp == S::consumers)
    fetch<S>(job, *memory);
  else
    make_windows<S>(*memory, warp - S::consumers - 1);
#endif
}

template <class S> void launch(cudaStream_t stream, const Job& job) {
  constexpr std::size_t bytes = sizeof(Memory<S>), of_multiprocessor = 228 << 10,
                        of_system = 1 << 10; // the latter a block's
  static_assert(S::blocks * (bytes + of_system) <= of_multiprocessor);
  allow_shared_memory(reinterpret_cast<const void*>(&towers_global<S>), bytes);
  check(CORRAL_LAUNCH((towers_global<S>), static_cast<unsigned>(multiprocessors() * S::blocks), S::threads, bytes,
                      stream, job),
        "a spread by towers");
}

template <int P> void launch_points(cudaStream_t stream, const Job& job, int fields) {
  const auto launch_if = [&](auto served) {
    if (fields == served) launch<Shape<P, served>>(stream, job);
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (launch_if(std::integral_constant<int, fields_served[i]>{}), ...);
  }(std::make_index_sequence<std::size(fields_served)>{});
}

} // namespace corral::gpu::towers
