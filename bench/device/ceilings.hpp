#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace corral::bench {

/// A rate of the device that no map on it can exceed.
struct Ceiling {
  std::string_view name;
  std::string_view unit; ///< "bytes/s" or "adds/s"
  double rate;
};

/// Measured on the default stream, in this order:
/// - copy: one array into another, bytes read and bytes written counted
/// - atomic_adds_coalesced: atomic additions of doubles to global memory, lane beside lane, to 8 MiB that stay in cache
/// - atomic_adds_scattered: the same to places drawn at random
/// - atomic_adds_scattered_wide: the same over all of `bytes`
/// - shared_reads: doubles read from shared memory without bank conflicts
/// `bytes`: of each of the two arrays, a power of two from 64 KiB; caches must not hold it where the rates shall mean
/// something. Throws Error where there is no device.
std::vector<Ceiling> measure_ceilings(std::int64_t bytes = std::int64_t{1} << 30);

} // namespace corral::bench
