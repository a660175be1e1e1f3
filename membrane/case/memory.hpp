#pragma once

#include "membrane/case/setup.hpp"

namespace corral::membrane {

/// Memory that a run of the case takes at its peak [bytes], estimated without making anything.
double bytes_needed(const Setup&);

/// Markers of all membranes; a double: what a case asks for may be more than can be counted.
double markers_needed(const Setup&);
double membranes_needed(const Setup&);

} // namespace corral::membrane
