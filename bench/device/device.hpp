#pragma once

#include <corral/array.hpp>
#include <corral/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <string>

/// The CUDA device, for code that knows nothing of CUDA. In a build without it all of these throw Error.
namespace corral::bench {

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
