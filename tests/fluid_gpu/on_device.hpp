#pragma once

#include <corral/array.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

/// Values and vector fields that are sent to a device, and fetched.
namespace corral::test {

inline Array<double> on_device(const std::vector<double>& values) {
  return Array<double>(std::span<const double>(values), Memory::device);
}

/// By their components.
inline std::array<Array<double>, 3> on_device(const std::array<Array<double>, 3>& v) {
  std::array<Array<double>, 3> to{Array<double>(Memory::device), Array<double>(Memory::device), Array<double>(Memory::device)};
  for (std::size_t d = 0; d < 3; ++d) to[d] = v[d];
  return to;
}
inline std::array<Array<double>, 3> on_host(const std::array<Array<double>, 3>& v) {
  std::array<Array<double>, 3> to;
  for (std::size_t d = 0; d < 3; ++d) to[d] = v[d];
  return to;
}

} // namespace corral::test
