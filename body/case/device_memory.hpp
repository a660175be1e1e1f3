#pragma once

#include "body/setup/setup.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace corral::body {

/// Memory of a CUDA device that a run of the case takes at its peak [bytes].
double device_memory_needed(const BodySetup&);

/// What the case comes to on the current device: as `describe`, with the device's memory in place of the host's.
std::vector<std::string> describe_on_device(const BodySetup&);

/// Reads and checks the settings as `read_setup` does. Problems are, too, what only the CPU has code for, and where the current
/// device has not the memory.
std::optional<BodySetup> read_setup_for_device(const run::Settings&, run::Problems&);

} // namespace corral::body
