#pragma once

#include <cstdint>

namespace corral::beads {

/// Beads that belong together, one after the other.
struct Assembly {
  std::size_t group;  ///< place in BeadsSetup::groups
  std::int64_t first; ///< bead
  std::int64_t beads;
};

} // namespace corral::beads
