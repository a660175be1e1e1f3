#pragma once

#include "tests/engine/cases.hpp"
#include "tests/engine/device_mirror.cuh"

#include <corral/array.hpp>

#include <vector>

namespace corral::test {

/// Values in device memory that live as long as the object.
template <class T> class OnDevice {
public:
  explicit OnDevice(const std::vector<T>& values) : array_(values, Memory::device) {}

  T* data() const { return array_.data(); }
  std::int64_t size() const { return array_.size(); }
  Column<T> column() const { return {data(), size()}; }
  /// A copy of what is there once the device has done all its work.
  std::vector<T> values() const { return array_.values(); }

private:
  mutable Array<T> array_;
};

/// Particles whose coordinates lie on the device.
template <class T> struct DeviceParticles {
  OnDevice<T> x, y, z;

  explicit DeviceParticles(const Particles<T>& p) : x(p.x), y(p.y), z(p.z) {}
  Positions<T> positions() const { return corral::positions<T>(x.data(), y.data(), z.data(), x.size()); }
};

} // namespace corral::test
