#pragma once

#include "app/command/options.hpp"

#include <string>

namespace corral::app {

/// `corral info`: the moment of a checkpoint or of an output file, that it is whole, and a line for each array
/// in it: values, extents, unit, meaning. Throws UsageError where there is neither, Error where it is damaged.
std::string info(const InfoOptions& options);

} // namespace corral::app
