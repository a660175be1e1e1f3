#pragma once

#include "run/driver.hpp"

#include <memory>

namespace corral::body {

/// DriverKind::on_device of the driver of rigid bodies: all of a run on the current CUDA device. In a build without CUDA it throws
/// Error.
std::unique_ptr<run::Driver> make_on_device(const run::Settings&, run::Problems&);

} // namespace corral::body
