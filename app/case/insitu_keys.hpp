#pragma once

#include "app/insitu/in_situ.hpp"
#include "run/case/keys.hpp"
#include "run/case/settings.hpp"

#include <vector>

namespace corral::app {

/// Blocks [insitu.NAME], and whether they count: who watches a run. They may change when it goes on, for no result
/// depends on them.
void declare_insitu_keys(run::KeyTable& table);
std::vector<InSituPlan> insitu_plans(const run::Settings& settings);

} // namespace corral::app
