#pragma once

#include "app/checkpoint/checkpointer.hpp"
#include "app/insitu/in_situ.hpp"
#include "app/output/log.hpp"
#include "app/output/output_directory.hpp"
#include "app/output/state_files.hpp"
#include "app/output/summary.hpp"
#include "app/system/process.hpp"
#include "run/driver.hpp"
#include "run/ranks/leading_driver.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace corral::app {

/// How long a run goes and what it writes when.
struct RunPlan {
  double end = 0;                      ///< of the case [s]; the run ends with the first step at or after it
  std::optional<double> until{};       ///< ends the run earlier [s]
  std::optional<std::int64_t> steps{}; ///< likewise
  double log_interval = 0;             ///< [s], 0: never
  StateFilesPlan files{};              ///< of fields and particles
  struct TablePlan {
    run::TableKind kind;
    double interval; ///< [s], 0: never, and there is no file
  };
  std::vector<TablePlan> tables{};
  std::vector<InSituPlan> in_situ{};
  const run::Lead* ranks = nullptr;   ///< that share the case; null where this process has all of it
  std::string title{};                ///< of the case
  double set_up = 0;                  ///< wall clock in which the driver was made [s]
  std::string threads_because{};      ///< what set the number of threads, where nobody asked for it
  std::vector<std::string> notices{}; ///< given before the first step
  bool strict = false;                ///< a warning ends the run
  /// Of a run that goes on, the bytes of log.csv and of the other tables that were written before; "log.csv" -> 1234.
  std::map<std::string, std::size_t> kept{};
  /// Of a run that goes on, what is due at another interval than before: "log", "fields", sets of particles, tables.
  std::set<std::string> other_intervals{};
};

/// Drives a simulation from its start to its end, and writes log, fields and parcels when they are due. A step is
/// never shortened to meet a time, so that no result depends on what is written or where a run is cut.
class RunLoop {
public:
  /// The directory must have been prepared. `checkpointer`: nullptr where there are to be none.
  RunLoop(run::Driver& driver, const RunPlan& plan, const OutputDirectory& directory, Progress& progress,
          const Interrupts& interrupts, Checkpointer* checkpointer = nullptr);

  /// Returns why the run ended: "end", "until", "steps" or "interrupted" (by a signal, after the step under way).
  /// Throws Error where a step fails or leaves a value, or a figure of log.csv, that is not finite; the state then
  /// stands in dump_fields.vti and dump_parcels.vtp (by set of particles), dump_openpmd.h5 or both, as far as it could be
  /// written.
  std::string run();
  /// The same from where another run's steps ended, whose state has been assigned to the driver's registry and to
  /// `state`: goes on with the step that it would have made next. Nothing is written that it wrote, and what it wrote
  /// after that moment is removed.
  std::string resume();
  /// What the loop goes on from beside the driver's state: the clock, what is due, which files there are.
  run::Registry& state() { return state_; }

  const run::Clock& clock() const { return clock_; }
  const std::vector<run::Notice>& notices() const { return notices_; } ///< all that were given, warnings too
  Pace pace() const;

private:
  using WallClock = std::chrono::steady_clock;

  /// A table beside log.csv.
  struct Table {
    std::string name;
    DueTimes due;
    Log log;
  };

  std::string go_on();
  void step();
  void pass_on_notices();
  void note(run::Notice notice);
  void end_if_strict() const;
  void write_checkpoint();
  void try_checkpoint();
  void check_state();
  void write_due();
  void write_rows(Log& log, const run::Rows& rows);
  void dump(const std::string& problem);
  std::optional<std::string> reason_to_end() const;

  run::Driver& driver_;
  RunPlan plan_;
  OutputDirectory directory_;
  Progress& progress_;
  const Interrupts& interrupts_;
  Checkpointer* checkpointer_;
  run::Registry state_;
  run::Clock clock_;
  Log log_;
  DueTimes log_due_;
  StateFiles files_;
  std::deque<Table> tables_;
  WallClock::time_point begin_ = WallClock::now();
  double stepping_ = 0; // wall clock [s]
  std::int64_t particle_steps_ = 0; // of the first set
  std::int64_t first_steps_ = 0;    // and the share of the whole that was done when this loop began
  double first_fraction_ = 0;
  std::vector<run::Notice> notices_;
  InSitu in_situ_;
};

/// Runs a driver that has been made, and writes log, fields, parcels and summary.json, the last also where the run
/// fails. The directory must have been prepared. Returns 0 where the run is done, 3 where it was interrupted; throws
/// where it failed. Where a checkpoint is given the run goes on from it.
int run_driver(run::Driver& driver, const RunPlan& plan, const OutputDirectory& directory, const Interrupts& interrupts,
               Console& console, Checkpointer* checkpointer = nullptr, const Checkpoint* from = nullptr);

} // namespace corral::app
