#pragma once

#include "membrane/setup/setup.hpp"

#include <vector>

namespace corral::membrane {

/// Memory that a run of the case takes at its peak [bytes], estimated without making anything.
struct MemoryNeeded {
  double program = 0, fluid = 0;
  std::vector<double> groups;   ///< their markers and points
  std::vector<double> surfaces; ///< what all membranes of a surface share; of radial ones while it is made

  double total() const;
};
MemoryNeeded memory_needed(const MembraneSetup&);

/// Markers of all membranes; a double: what a case asks for may be more than can be counted.
double markers_needed(const MembraneSetup&);
double membranes_needed(const MembraneSetup&);

} // namespace corral::membrane
