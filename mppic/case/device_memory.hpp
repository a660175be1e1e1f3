#pragma once

#include "mppic/case/setup.hpp"

#include <optional>
#include <string>
#include <vector>

namespace corral::mppic {

/// Memory of a CUDA device that a run of the case takes at its peak, for the parcels that it starts with [bytes].
double device_memory_needed(const Setup&);

/// What the case comes to on the current device: as `describe`, with the device's memory in place of the host's.
std::vector<std::string> describe_on_device(const Setup&);

/// Reads and checks the settings as `read_setup` does. It is a problem, too, where the current device has not the memory.
std::optional<Setup> read_setup_for_device(const run::Settings&, run::Problems& problems);

} // namespace corral::mppic
