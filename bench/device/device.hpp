#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

/// The CUDA device, for code that knows nothing of CUDA. In a build without it all of these throw Error.
namespace corral::bench {

/// Throws Error unless this corral was built with CUDA and a device answers.
void require_device();
std::string device_name();
/// Whether the device still does what it is told: after a bad access it refuses all further work of the process.
bool device_works();

/// Memory of the device, unset.
class DeviceMemory {
public:
  /// Throws Error where the device has not so much.
  explicit DeviceMemory(std::size_t bytes);
  DeviceMemory(DeviceMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceMemory(const DeviceMemory&) = delete;
  ~DeviceMemory();

  void* data() const { return data_; }
  /// All of it from and to memory of the host; both wait.
  void copy_from(const void* host);
  void copy_to(void* host) const;
  /// Sets every byte to 0, in order on the default stream.
  void clear();

private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Seconds from the beginning to the end of what `work` puts on the default stream, by CUDA events before and behind
/// it; waits for that.
double seconds_on_device(const std::function<void()>& work);

/// Reads n rows of six columns side by side on the default stream: the rate at which a map could read its particles.
/// Every warp leaves its sum, `stream_sums()` numbers in all, so that nothing can be left out.
template <class T>
void read_columns_on_device(const std::array<const T*, 6>& columns, std::int64_t n, T* sums);
std::int64_t stream_sums();

} // namespace corral::bench
