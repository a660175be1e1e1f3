#pragma once

#include "app/command/progress.hpp"
#include "run/clock.hpp"
#include "run/driver.hpp"

#include <string>
#include <vector>

namespace corral::app {

/// What a run came to, its wall-clock figures included; nothing else that corral writes holds any of these.
struct Summary {
  std::string title;
  std::string outcome; ///< why the run ended: "end", "until", "steps", "interrupted", "failed"
  std::string message; ///< of a failure
  std::vector<std::string> notices{}; ///< of the driver while it ran
  int threads = 0;
  run::Clock clock;
  Pace pace;               ///< of the steps, output excepted
  double wall_seconds = 0; ///< of the whole run, from the start of the driver on
};

/// The text of summary.json. Phases, figures, memory and log columns are asked of the driver.
std::string summary_json(const Summary& summary, run::Driver& driver);

/// For the terminal: phase, seconds, share of the whole, calls; a line each, "other" and the total last.
std::string phase_table(const run::Phases& phases, double wall_seconds);

/// The last line of a run, for instance "end reached: 1 s in 5000 steps, 12.3 s, 104 ns per parcel and step".
std::string closing_line(const Summary& summary);

/// Largest resident memory of the process so far.
std::int64_t peak_memory_bytes();

} // namespace corral::app
