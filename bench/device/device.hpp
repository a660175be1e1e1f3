#pragma once

#include <corral/array.hpp>
#include <corral/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <string>
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

// The CUDA device, for code that knows nothing of CUDA. In a build without it all of these throw Error.

/// Throws Error unless this corral was built with CUDA and a device answers.
void require_device();
std::string device_name();
/// Whether the device still does what it is told: after a bad access it refuses all further work of the process.
bool device_works();

/// Memory of the device, unset. Throws Error where the device has not so much.
template <class T> Array<T> device_memory(std::int64_t size) {
  try {
    return Array<T>(size, Memory::device);
  } catch (const std::bad_alloc&) {
    throw Error("the device has not " + std::to_string((static_cast<std::size_t>(size) * sizeof(T)) >> 20) +
                " MiB to spare (an array of the benchmark) take fewer particles, cells or fields");
  }
}

/// Seconds from the beginning to the end of what `work` puts on the default stream, by CUDA events before and behind
/// it; waits for that.
double seconds_on_device(const std::function<void()>& work);

/// Reads n rows of six columns side by side on the default stream: the rate at which a map could read its particles.
/// Every warp leaves its sum, `stream_sums()` numbers in all, so that nothing can be left out.
template <class T>
void read_columns_on_device(const std::array<const T*, 6>& columns, std::int64_t n, T* sums);
std::int64_t stream_sums();

} // namespace corral::bench
