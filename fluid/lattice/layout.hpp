#pragma once

#include <corral/host_device.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace corral::fluid::lattice {

/// Where populations lie, in values. Both processors have them alike, so that the state of one is that of the other.
struct Layout {
  int count = 0;            ///< of populations
  std::int64_t pitch = 0;   ///< from a row to the next: rows begin with a vector
  std::int64_t plane = 0;   ///< from a population of a plane to the next one
  std::int64_t planes = 0;

  /// The rows of a population in a plane follow each other, so that processors see as many streams as there are populations,
  /// and all populations of a plane lie close. Streams are to fall evenly into a cache's sets, of which the nearest has 64:
  /// planes begin so many lines apart that multiples of that are spread over them (39 is nearest to the golden section).
  static Layout of(const std::array<std::int64_t, 3>& cells, int count, std::size_t bytes_of_value) {
    const std::int64_t line = 64 / static_cast<std::int64_t>(bytes_of_value), sets = 64;
    const std::int64_t pitch = (cells[0] + 7) / 8 * 8, lines = (pitch * cells[1] + line - 1) / line;
    return {count, pitch, (lines < 4 * sets ? lines : lines + (39 + sets - lines % sets) % sets) * line, cells[2]};
  }

  std::int64_t size() const { return count * plane * planes; }
  CORRAL_HOST_DEVICE std::int64_t row(int q, std::int64_t y, std::int64_t z) const { return (z * count + q) * plane + y * pitch; }
};

} // namespace corral::fluid::lattice
