#pragma once

#include "tests/engine/cases.hpp"
#include "tests/engine/device_mirror.cuh"

#include <vector>

namespace corral::test {

/// Values in device memory that live as long as the object.
template <class T> class OnDevice {
public:
  explicit OnDevice(const std::vector<T>& values) : size_(values.size()) {
    require_cuda(cudaMalloc(reinterpret_cast<void**>(&data_), std::max<std::size_t>(bytes(), 8)));
    if (size_ > 0) require_cuda(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  OnDevice(OnDevice&& other) noexcept : data_(other.data_), size_(other.size_) { other.data_ = nullptr; }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(data_); }

  T* data() const { return data_; }
  std::int64_t size() const { return static_cast<std::int64_t>(size_); }
  Column<T> column() const { return {data_, size()}; }
  /// A copy of what is there once the device has done all its work.
  std::vector<T> values() const {
    std::vector<T> host(size_);
    require_cuda(cudaDeviceSynchronize());
    if (size_ > 0) require_cuda(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return host;
  }

private:
  std::size_t bytes() const { return size_ * sizeof(T); }

  T* data_ = nullptr;
  std::size_t size_;
};

/// Particles whose coordinates lie on the device.
template <class T> struct DeviceParticles {
  OnDevice<T> x, y, z;

  explicit DeviceParticles(const Particles<T>& p) : x(p.x), y(p.y), z(p.z) {}
  Positions<T> positions() const { return corral::positions<T>(x.data(), y.data(), z.data(), x.size()); }
};

} // namespace corral::test
