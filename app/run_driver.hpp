#pragma once

#include "app/command/voices.hpp"
#include "app/output/output_directory.hpp"
#include "app/run_loop.hpp"
#include "run/driver.hpp"

#include <string>

namespace corral::app {

/// Runs a driver that has been made, and writes log, fields, parcels and summary.json, the last also where the run
/// fails. The directory must have been prepared. Returns 0 where the run is done, 3 where it was interrupted; throws
/// where it failed. Where a checkpoint is given the run goes on from it.
int run_driver(run::Driver& driver, const RunPlan& plan, const OutputDirectory& directory, const Interrupts& interrupts,
               Console& console, Checkpointer* checkpointer = nullptr, const Checkpoint* from = nullptr);

} // namespace corral::app
