#pragma once

#include <corral/array.hpp>
#include <corral/for_each.hpp>

#include <cstdint>

namespace corral {

/// Writes the i of [0, n) for which keep(i) into `places`, in ascending order, and resizes it to as many; it lies where
/// calls of this kind work. keep(i) may be asked twice. What is compacted is then read as from[places[k]]. The same
/// places for any number of threads, and on the GPU (<corral/select.cuh>).
template <class Keep> std::int64_t select(Cpu cpu, std::int64_t n, Keep&& keep, Array<std::int64_t>& places) {
  const std::int64_t chunks = (n + chunk_size - 1) / chunk_size;
  Array<std::int64_t> first(chunks + 1, 0); // place in `places` of each chunk's first
  for_each_chunk(cpu, n, chunk_size, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t kept = 0;
    for (std::int64_t i = begin; i < end; ++i) kept += keep(i) ? 1 : 0;
    first[begin / chunk_size + 1] = kept;
  });
  for (std::int64_t c = 0; c < chunks; ++c) first[c + 1] += first[c];
  places.resize(first[chunks]);
  for_each_chunk(cpu, n, chunk_size, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t at = first[begin / chunk_size];
    for (std::int64_t i = begin; i < end; ++i)
      if (keep(i)) places[at++] = i;
  });
  return places.size();
}

} // namespace corral
