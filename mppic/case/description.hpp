#pragma once

#include "mppic/case/setup.hpp"

#include <string>
#include <vector>

namespace corral::mppic {

/// What the case comes to, a line each: box, seeds, inlets of solids, parcels, memory, time step, warnings.
std::vector<std::string> describe(const Setup&);

} // namespace corral::mppic
