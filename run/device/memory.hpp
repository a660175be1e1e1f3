#pragma once

#include "run/case/problems.hpp"
#include "run/case/settings.hpp"

#include <string>
#include <vector>

namespace corral::run {

/// What a case comes to, a line each, with the current device's memory [bytes] in place of the host's.
std::vector<std::string> with_device_memory(std::vector<std::string> lines, double needed);

/// Whether the current device has the memory that `what` take [bytes]. Where it has not that is a problem.
bool suffices(double needed, const std::string& what, const Settings&, Problems&);

} // namespace corral::run
