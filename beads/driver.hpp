#pragma once

#include "run/driver.hpp"

namespace corral::beads {

/// Beads in Stokes flow by their mobility: `driver = beads`.
run::DriverKind driver_kind();

} // namespace corral::beads
