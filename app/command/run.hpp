#pragma once

#include "app/command/options.hpp"
#include "run/driver.hpp"

#include <vector>

namespace corral::app {

/// `corral run`: reads the case, makes its driver, and runs it into the output directory. Returns the exit status, 0
/// done or 3 interrupted. Throws CaseError or UsageError before anything is written, Error where the run fails.
int run(const RunOptions& options, const std::vector<run::DriverKind>& drivers);

/// `corral resume`: the same from the newest checkpoint that is whole among the results. Throws CaseError where the case
/// is not that of the checkpoint, but for keys that may change; UsageError where there is none.
int resume(const ResumeOptions& options, const std::vector<run::DriverKind>& drivers);

} // namespace corral::app
