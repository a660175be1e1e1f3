#pragma once

#include "run/driver.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace corral::app {

/// The whole command: `arguments` without its name, answers to `out`, what went wrong to `err`. Returns the exit
/// status: 0 done, 1 the run failed, 2 bad input or usage before anything was written, 3 interrupted.
int execute(const std::vector<std::string>& arguments, const std::vector<run::DriverKind>& drivers, std::ostream& out,
            std::ostream& err);

} // namespace corral::app
