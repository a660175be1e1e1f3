#pragma once

#include <corral/array.hpp>
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

/// Copies on the device of the memory that views of the host reach, which is copied once where views share it. Views that
/// overlap, as fields that alternate in memory do, are all announced by `cover` before the first is asked for.
class DeviceMirror {
public:
  DeviceMirror() = default;
  DeviceMirror(const DeviceMirror&) = delete;
  DeviceMirror& operator=(const DeviceMirror&) = delete;

  template <class T> void cover(const Column<T>& column) { range_of(column); }
  template <class T> void cover(const Grid& grid, const FieldView<T>& field) { range_of(grid, field); }

  template <class T> Column<T> of(const Column<T>& column) {
    return {there(column.data, range_of(column)), column.size, column.stride};
  }
  template <class T> FieldView<T> of(const Grid& grid, const FieldView<T>& field) {
    FieldView<T> view = field;
    view.data = there(field.data, range_of(grid, field));
    return view;
  }

  /// Copies everything that is not const to where it came from.
  void bring_back() {
    require_cuda(cudaDeviceSynchronize());
    for (const Range& r : ranges_)
      if (r.writable && r.there) r.device.copy_to({r.low, static_cast<std::size_t>(r.high - r.low)});
  }

private:
  struct Range {
    char *low, *high;
    bool writable;
    bool there = false;
    Array<char> device{Memory::device};
  };

  template <class T> std::size_t range_of(const Column<T>& column) {
    return add(column.data, column.size == 0 ? column.data : column.data + (column.size - 1) * column.stride + 1);
  }
  template <class T> std::size_t range_of(const Grid& grid, const FieldView<T>& field) {
    T *low = field.data, *high = field.data;
    for (int d = 0; d < 3; ++d) {
      const std::int64_t stride = field.stride[d];
      low -= field.ghosts * stride;
      high += (grid.points(field.staggering, d) - 1 + field.ghosts) * stride;
    }
    return add(low, high + 1);
  }

  /// The range that holds [low, high): one that was there and is long enough, or grows, or a new one.
  template <class T> std::size_t add(T* from, T* to) {
    char* const low = reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(from));
    char* const high = reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(to));
    for (std::size_t r = 0; r < ranges_.size(); ++r) {
      Range& range = ranges_[r];
      const bool within = low >= range.low && high <= range.high;
      if (!within && (low >= range.high || high <= range.low)) continue;
      if (!within && range.there) throw std::logic_error("views that overlap and were not announced");
      range.low = std::min(range.low, low);
      range.high = std::max(range.high, high);
      range.writable |= !std::is_const_v<T>;
      return r;
    }
    ranges_.push_back({.low = low, .high = high, .writable = !std::is_const_v<T>});
    return ranges_.size() - 1;
  }

  /// Where `pointer`, which lies in a range, is on the device.
  template <class T> T* there(T* pointer, std::size_t r) {
    Range& range = ranges_[r];
    if (!range.there) {
      range.device.assign({range.low, static_cast<std::size_t>(range.high - range.low)});
      range.there = true;
    }
    return reinterpret_cast<T*>(range.device.data() + (reinterpret_cast<const char*>(pointer) - range.low));
  }

  std::vector<Range> ranges_;
};

} // namespace corral::test
