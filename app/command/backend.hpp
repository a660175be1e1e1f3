#pragma once

#include "app/command/commands.hpp"

namespace corral::app {

struct Case; // app/case/case_file.hpp

/// Makes the device that is asked for the current one of this thread, before anything is written. Throws UsageError where the
/// case cannot use one, where there is none, and for a number that no device has.
void take_device(const BackendOptions& asked, const Case& c);

} // namespace corral::app
