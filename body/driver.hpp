#pragma once

#include "run/driver.hpp"

namespace corral::body {

/// Rigid bodies in a fluid by direct forcing: `driver = body`.
run::DriverKind driver_kind();

} // namespace corral::body
