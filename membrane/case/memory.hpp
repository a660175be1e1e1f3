#pragma once

#include "membrane/case/setup.hpp"

namespace corral::membrane {

/// Memory that a run of the case takes at its peak [bytes], estimated without making anything.
double bytes_needed(const MembraneSetup&);

/// Markers of all membranes; a double: what a case asks for may be more than can be counted.
double markers_needed(const MembraneSetup&);
double membranes_needed(const MembraneSetup&);

} // namespace corral::membrane
