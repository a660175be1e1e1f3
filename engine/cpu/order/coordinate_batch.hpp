#pragma once

#include <corral/views.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace corral::cpu {

/// The coordinates of a few particles, one behind the other.
template <class T> class CoordinateBatch {
public:
  static constexpr std::int64_t capacity = 256;

  /// Of the particles [begin, begin + n), n <= capacity: the caller's memory where they stand so in it.
  std::array<const T*, 3> stretch(const Positions<T>& p, std::int64_t begin, std::int64_t n) {
    std::array<const T*, 3> x;
    for (std::size_t d = 0; d < 3; ++d) {
      x[d] = copy_[d];
      if (p.axis[d].stride == 1) x[d] = p.axis[d].data + begin;
      else
        for (std::int64_t i = 0; i < n; ++i) copy_[d][i] = p.axis[d][begin + i];
    }
    return x;
  }

private:
  alignas(64) T copy_[3][capacity];
};

} // namespace corral::cpu
