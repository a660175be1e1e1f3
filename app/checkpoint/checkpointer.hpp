#pragma once

#include "app/case/case_file.hpp"
#include "app/checkpoint/checkpoints.hpp"
#include "app/output/log.hpp"
#include "run/clock.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace corral::app {

/// When the run loop writes a checkpoint, and of which case.
class Checkpointer {
public:
  Checkpointer(const Case& c, const std::filesystem::path& output);

  /// Where a run begins or goes on: nothing is due at this moment.
  void begin(const run::Clock& clock);
  /// After each step. By steps and simulated time it is due at multiples.
  bool due(const run::Clock& clock);
  bool at_end() const { return at_end_; }

  /// Brings the tables to the disk, then the state. Throws Error; checkpoints that were there are as they were then.
  void write(const run::Registry& state, const run::Registry& loop, const run::Clock& clock,
             const std::vector<Log*>& tables);

private:
  using WallClock = std::chrono::steady_clock;

  Checkpoints checkpoints_;
  Checkpoints::Context context_;
  std::int64_t steps_, keep_;
  double wall_clock_; ///< [s]
  bool at_end_;
  WallClock::time_point last_ = WallClock::now();
  DueTimes times_;
};

/// What each file that the case names holds now.
std::vector<Manifest::Input> inputs_of(const Case& c);

/// Throws CaseError with a line for each key by which the case differs from that of the checkpoint, but for those that may
/// change when a run goes on (Key::when_resumed), and for each file whose content does.
void require_same_case(const Case& now, const Checkpoint& checkpoint);

} // namespace corral::app
