#pragma once

#include "mppic/case/setup.hpp"

namespace corral::mppic {

/// Memory that a run of the case takes at its peak [bytes], for the parcels that it starts with.
struct MemoryNeed {
  double cells = 0, parcels = 0;
  double total() const;
};

/// Estimated from the numbers of cells and parcels, without making either.
MemoryNeed memory_needed(const Setup&);

/// Parcels at the start. A double: what a case asks for may be more than can be counted.
double parcels_at_start(const Setup&);

} // namespace corral::mppic
