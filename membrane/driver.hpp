#pragma once

#include "run/driver.hpp"

namespace corral::membrane {

/// The membrane driver: elastic membranes in a fluid by the immersed boundary method, `driver = membrane` in a case file.
run::DriverKind driver_kind();

} // namespace corral::membrane
