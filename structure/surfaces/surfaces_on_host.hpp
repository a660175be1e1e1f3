#pragma once

#include "structure/surfaces/membranes.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corral::structure {

/// Closed surfaces as the host sees them.
struct SurfacesOnHost {
  /// Of one kind: triangles [first, end) of `membranes` membranes.
  struct Kind {
    std::size_t surface; ///< place in Immersed::surfaces
    std::int64_t first, end, membranes;
  };
  ConstPoints x;               ///< of the markers [m]
  std::int64_t markers;
  const std::int32_t* corners; ///< three of each triangle: markers
  std::vector<Kind> kinds;
};

} // namespace corral::structure
