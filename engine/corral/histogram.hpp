#pragma once

#include <corral/for_each.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace corral {

namespace detail {
/// Parts that a histogram is counted in at most: each has counters of its own.
inline constexpr std::int64_t most_histogram_parts = 64;
} // namespace detail

/// How many i of [0, n) fall into each of `bins` bins: bin(i), in [0, bins), says which; -1 counts nowhere. The same
/// numbers for any number of threads, and on the GPU (<corral/histogram.cuh>).
template <class Bin> std::vector<std::int64_t> histogram(Cpu cpu, std::int64_t n, int bins, Bin&& bin) {
  const std::int64_t chunk = std::max(chunk_size, n / detail::most_histogram_parts + 1), parts = (n + chunk - 1) / chunk;
  const auto size = static_cast<std::size_t>(bins);
  std::vector<std::vector<std::int64_t>> counts(static_cast<std::size_t>(parts));
  for_each_chunk(cpu, n, chunk, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> own(size, 0);
    for (std::int64_t i = begin; i < end; ++i)
      if (const int b = bin(i); b >= 0) ++own[static_cast<std::size_t>(b)];
    counts[static_cast<std::size_t>(begin / chunk)] = std::move(own);
  });
  std::vector<std::int64_t> total(size, 0);
  for (const std::vector<std::int64_t>& part : counts)
    for (std::size_t b = 0; b < size; ++b) total[b] += part[b];
  return total;
}

} // namespace corral
