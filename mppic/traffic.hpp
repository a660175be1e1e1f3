#pragma once

#include "mppic/step.hpp"

namespace corral::mppic {

/// What a part of a step must read and write at the least [bytes], as docs/gpu_runs.md counts it: columns of parcels that its
/// loops touch, where parcels take fields from the grid itself and nothing is warm; values of cells that are alive in it, once
/// each; arrays of the solver's launches. `report` is that of the step so far.
double least_bytes(StepPlace, const StepReport& report, std::int64_t parcels, std::int64_t cells);

} // namespace corral::mppic
