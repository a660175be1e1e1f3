#pragma once

#include "engine/gpu/methods/stream/tiles.cuh"

#include <algorithm>
#include <type_traits>

/// What host code of the method stream shares.
namespace corral::gpu::stream {

/// Calls run with min(fields, most) as integral_constant.
template <int most, class Run> void with_fields(int fields, Run&& run) {
  if constexpr (most > 1)
    if (fields < most) return with_fields<most - 1>(fields, run);
  run(std::integral_constant<int, most>{});
}

template <class T, int N> Source<T, N> source_of(const Places<T>& places, const Column<const T>* columns) {
  Source<T, N> source{places, {}, {}};
  for (int n = 0; n < N; ++n) {
    source.in_bulk[n] = true;
    if (n < 3) continue;
    const Column<const T>& column = source.column[n - 3] = columns[n - 3];
    source.in_bulk[n] =
        places.source == nullptr && column.stride == 1 && reinterpret_cast<std::uintptr_t>(column.data) % 16 == 0;
  }
  return source;
}

/// As many blocks as find room at once, or a tile each.
template <class Memory, class... Expected, class... Given>
void launch(cudaStream_t stream, void (*entry)(Expected...), std::int64_t tiles, const char* what,
            const Given&... given) {
  constexpr std::size_t bytes = sizeof(Memory);
  allow_shared_memory(reinterpret_cast<const void*>(entry), bytes);
  const auto blocks = static_cast<unsigned>(std::min(tiles, std::int64_t{multiprocessors()} * tuning::stream_blocks));
  check(CORRAL_LAUNCH(entry, blocks, stream_threads, bytes, stream, given...), what);
}

} // namespace corral::gpu::stream
