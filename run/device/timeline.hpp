#pragma once

#include "run/phases.hpp"

#include <corral/execution.hpp>

#include <memory>

namespace corral::run {

/// The time of a device's stream, by events in it: nobody waits for them but `settle`, and who has marked some hundred moments
/// that the device has not come to. Throws Error where there is no device.
std::unique_ptr<Phases::Timeline> device_timeline(Gpu gpu);

} // namespace corral::run
