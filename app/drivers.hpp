#pragma once

#include "run/driver.hpp"

#include <vector>

namespace corral::app {

/// Every driver that this command was built with.
const std::vector<run::DriverKind>& drivers();

} // namespace corral::app
