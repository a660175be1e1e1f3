#pragma once

#include "app/case/case_file.hpp"
#include "app/checkpoint/checkpoints.hpp"
#include "app/output/log.hpp"
#include "run/driver.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace corral::app {

/// When the run loop writes a checkpoint, and of which case.
class Checkpointer {
public:
  /// `maps`: what those of the driver are for (maps_of).
  Checkpointer(const Case& c, const std::filesystem::path& output, std::string maps);

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

/// The keys of [output] by which it differs.
std::set<std::string> other_outputs(const Case& now, const Checkpoint& checkpoint);

/// The tables of a run that goes on, as they stood at its checkpoint. Where what the case asks for has changed their
/// columns, one is left as it is under the step's number, "log_000000001200.csv", and another begins.
class KeptTables {
public:
  /// `headers`: the first lines of tables by their files' names, as they are to be. Looks, and changes nothing. Throws
  /// UsageError where a table is not what was written up to the checkpoint, or may not be written.
  KeptTables(const Manifest& manifest, const std::filesystem::path& output, const std::map<std::string, std::string>& headers);

  /// Of those that get more rows, what counts; "log.csv" -> 1234.
  std::map<std::string, std::size_t> bytes() const;
  /// Gives the files the names that they go by from here on; returns a sentence for each that is left under another.
  std::vector<std::string> put_in_place() const;

private:
  struct Table {
    std::filesystem::path there, file, left; ///< where it is, where it belongs, and where it goes once it is left
    std::size_t bytes;
    bool goes_on;
  };
  std::vector<Table> tables_;
};

} // namespace corral::app
