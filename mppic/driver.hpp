#pragma once

#include "run/driver.hpp"

namespace corral::mppic {

/// The gas-solid driver: dense beds of particles in a gas or liquid, `driver = mppic` in a case file.
run::DriverKind driver_kind();

} // namespace corral::mppic
