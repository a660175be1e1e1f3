#pragma once

#include <corral/corral.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace corral::test {

inline void require_cuda(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Copies on the device of the memory that views of the host reach. Memory that several views share is copied once for
/// all that were asked for so far whose ranges are equal or within it; ranges that only overlap are refused.
class DeviceMirror {
public:
  DeviceMirror() = default;
  DeviceMirror(const DeviceMirror&) = delete;
  DeviceMirror& operator=(const DeviceMirror&) = delete;
  ~DeviceMirror() {
    for (const Range& r : ranges_) cudaFree(r.device);
  }

  template <class T> Column<T> of(const Column<T>& column) {
    if (column.size == 0 || column.data == nullptr) return {at(column.data, column.data, column.data), column.size,
                                                            column.stride};
    return {at(column.data, column.data, column.data + (column.size - 1) * column.stride + 1), column.size,
            column.stride};
  }

  template <class T> FieldView<T> of(const Grid& grid, const FieldView<T>& field) {
    T *low = field.data, *high = field.data;
    for (int d = 0; d < 3; ++d) {
      const std::int64_t stride = field.stride[static_cast<std::size_t>(d)];
      low -= field.ghosts * stride;
      high += (grid.points(field.staggering, d) - 1 + field.ghosts) * stride;
    }
    FieldView<T> there = field;
    there.data = at(field.data, low, high + 1);
    return there;
  }

  /// Copies everything that is not const to where it came from.
  void bring_back() {
    require_cuda(cudaDeviceSynchronize());
    for (const Range& r : ranges_)
      if (r.writable) require_cuda(cudaMemcpy(r.host, r.device, r.bytes, cudaMemcpyDeviceToHost));
  }

private:
  struct Range {
    char *host, *device;
    std::size_t bytes;
    bool writable;
  };

  /// Where `pointer`, which lies in [low, high), is on the device.
  template <class T> T* at(T* pointer, T* low, T* high) {
    char* const host = reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(low));
    const auto bytes = static_cast<std::size_t>(reinterpret_cast<const char*>(high) - host);
    const auto offset = reinterpret_cast<const char*>(pointer) - host;
    for (Range& r : ranges_)
      if (host >= r.host && host + bytes <= r.host + r.bytes) {
        r.writable |= !std::is_const_v<T>;
        return reinterpret_cast<T*>(r.device + (host - r.host) + offset);
      } else if (host < r.host + r.bytes && r.host < host + bytes) {
        throw std::logic_error("views that overlap in part");
      }
    Range r{host, nullptr, bytes, !std::is_const_v<T>};
    require_cuda(cudaMalloc(reinterpret_cast<void**>(&r.device), std::max<std::size_t>(bytes, 8)));
    if (bytes > 0) require_cuda(cudaMemcpy(r.device, r.host, bytes, cudaMemcpyHostToDevice));
    ranges_.push_back(r);
    return reinterpret_cast<T*>(r.device + offset);
  }

  std::vector<Range> ranges_;
};

} // namespace corral::test
