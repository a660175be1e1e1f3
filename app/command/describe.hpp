#pragma once

#include "app/command/options.hpp"
#include "run/driver.hpp"

#include <string>
#include <vector>

namespace corral::app {

/// The keys of case.ini as a table, one section or one key of it in full, or JSON: {"keys": [{"driver": null for the
/// command's own, "section", "key", "type", "unit", "minimum", "minimum_excluded", "maximum", "maximum_excluded",
/// "default", "required", "choices", "meaning"}]}. Throws UsageError with the nearest name for an unknown one.
std::string describe(const DescribeOptions& options, const std::vector<run::DriverKind>& drivers);

} // namespace corral::app
