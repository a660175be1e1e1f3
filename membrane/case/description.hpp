#pragma once

#include "membrane/case/setup.hpp"

#include <string>
#include <vector>

namespace corral::membrane {

/// What a case comes to, a line each: box, surfaces, membranes, memory, time step, warnings.
std::vector<std::string> describe(const MembraneSetup& setup);

} // namespace corral::membrane
