#pragma once

#include "run/case/settings.hpp"
#include "run/time_step.hpp"

#include <string>

namespace corral::run {

/// The words in which drivers differ.
struct StepWords {
  std::string fallback; ///< of time.step, fixed or adaptive
  std::string step;     ///< what both mean
  std::string longest;  ///< what dt_least is 1e-4 of where not given
};

/// Adds the rows of these keys.
void declare_step_lengths(KeyTable& table, const StepWords& words);
/// Complains where the least step is not below the longest.
StepLengths read_step_lengths(const Settings& settings, Problems& problems);

} // namespace corral::run
