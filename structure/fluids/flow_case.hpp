#pragma once

#include "run/case/flow_box.hpp"
#include "run/case/keys.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"
#include "structure/setup/flow.hpp"

namespace corral::structure {

/// Rows of [grid], [sides], [fluid] and [drive].
void declare_flow(run::KeyTable&);

/// Reads them into `flow`. What is wrong is added to `problems`; then the box is `flawed` at best.
run::BoxState read_flow(const run::Settings&, run::Problems&, FlowSetup& flow);

/// False, and a problem more, where the fluid cannot be solved for on such a grid.
bool check_flow(const FlowSetup&, const run::Settings&, run::Problems&);

/// Cells that the fluid crosses per time where it is fastest, summed over the axes, as the case has it start [1/s].
double starting_rate(const FlowSetup&);

} // namespace corral::structure
