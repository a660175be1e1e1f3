#pragma once

#include <cstdint>
#include <span>

namespace corral::stokes {

/// Normal random numbers, independent of each other, of mean 0 and variance 1.
class NormalNumbers {
public:
  virtual ~NormalNumbers() = default;
  /// Sets `to` to numbers `first`, `first` + 1, ... of a stream. Any thread may call it for any of them.
  virtual void fill(int stream, std::int64_t first, std::span<double> to) const = 0;
};

} // namespace corral::stokes
