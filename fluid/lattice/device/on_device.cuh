#pragma once

/// Copies of the host's that a device keeps as long as they stay what they are.

#include "fluid/lattice/device/views.hpp"

#include <corral/array.hpp>
#include <corral/device_code.cuh>
#include <corral/execution.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace corral::fluid::lattice {

/// Values of the host, copied in order on the stream where they differ from those before.
template <class T> class Mirror {
public:
  bool holds(std::span<const T> values) const {
    return std::equal(values.begin(), values.end(), host_.begin(), host_.end(), [](const T& a, const T& b) { return a == b; });
  }
  const T* update(Gpu gpu, std::span<const T> values) {
    if (!holds(values)) {
      host_.assign(values.begin(), values.end());
      T* const to = device_.renew(static_cast<std::int64_t>(values.size()), gpu.stream);
      corral::detail::check_cuda(cudaMemcpyAsync(to, host_.data(), values.size_bytes(), cudaMemcpyHostToDevice, gpu.stream),
                                 "a copy for the lattice");
    }
    return data();
  }
  const T* data() const { return device_.data(); }

private:
  std::vector<T> host_;
  Array<T> device_{Memory::device};
};

/// Parts of rows, and which of them are a row's.
class MirroredParts {
public:
  PartsView update(Gpu gpu, RowParts parts, std::int64_t rows) {
    if (first_.data() == nullptr || !parts_.holds(parts)) {
      std::vector<std::uint32_t> first(static_cast<std::size_t>(rows) + 1, 0);
      for (const RowPart& part : parts) ++first[static_cast<std::size_t>(part.row) + 1];
      for (std::size_t row = 1; row < first.size(); ++row) first[row] += first[row - 1];
      first_.update(gpu, first);
    }
    return {parts_.update(gpu, parts), first_.data()};
  }

private:
  Mirror<RowPart> parts_;
  Mirror<std::uint32_t> first_;
};

} // namespace corral::fluid::lattice
