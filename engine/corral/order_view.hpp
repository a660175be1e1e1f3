#pragma once

#include <corral/host_device.hpp>

#include <array>
#include <cstdint>

namespace corral {

/// What loops see of a cell order, on the processor that sorted it: a value, good until the order's next call that
/// changes it. Collisions, near fields and maps of your own go through groups with it. T is float or double.
template <class T> struct OrderView {
  std::array<std::int64_t, 3> groups; ///< along each axis; numbered x fastest
  std::int64_t size;                  ///< particles, the skipped ones included: places are [0, size)
  std::array<const T*, 3> fraction;   ///< of each place inside: the position within its group, in [0, 1]

  // Indices have 32 bits on a device and, while counts allow, on the CPU: one pointer of each pair is null.
  const std::int64_t* begin64;
  const std::uint32_t* begin32;
  const std::uint64_t* source64;
  const std::uint32_t* source32; ///< both null: particles lie in cell order

  CORRAL_HOST_DEVICE std::int64_t group_count() const { return groups[0] * groups[1] * groups[2]; }
  /// Particles of group g stand at places [group_begin(g), group_begin(g + 1)), g in [0, group_count()).
  CORRAL_HOST_DEVICE std::int64_t group_begin(std::int64_t g) const {
    return begin64 != nullptr ? begin64[g] : static_cast<std::int64_t>(begin32[g]);
  }
  /// The caller's index of the particle at place i.
  CORRAL_HOST_DEVICE std::int64_t source(std::int64_t i) const {
    if (source32 != nullptr) return static_cast<std::int64_t>(source32[i]);
    return source64 != nullptr ? static_cast<std::int64_t>(source64[i]) : i;
  }
};

} // namespace corral
