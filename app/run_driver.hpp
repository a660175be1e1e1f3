#pragma once

#include "app/output_directory.hpp"
#include "app/run_loop.hpp"
#include "run/driver.hpp"

#include <cstdio>
#include <string>

namespace corral::app {

/// What a run says, and where: results to `out`, progress to `err`; nullptr says nothing.
struct Voices {
  std::FILE* out = nullptr;
  std::FILE* err = nullptr;
};

/// Writes the text and flushes it; nothing where the stream is null.
void say(std::FILE* stream, const std::string& text);

/// Runs a driver that has been made, and writes log, fields, parcels and summary.json, the last also where the run
/// fails. The directory must have been prepared. Returns 0 where the run is done, 3 where it was interrupted; throws
/// where it failed.
int run_driver(run::Driver& driver, const RunPlan& plan, const OutputDirectory& directory, const std::string& title,
               const Voices& voices);

} // namespace corral::app
