#pragma once

#include "distributed/team.hpp"
#include "run/notices.hpp"
#include "run/phases.hpp"
#include "run/state/registry.hpp"

#include <corral/grid.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace corral::run {

class KeyTable; // run/case/keys.hpp
class Problems; // run/case/settings.hpp
class Settings;

/// Simulated time. A driver's step goes from time() to time() + dt(); the run loop then calls `advance`.
class Clock {
public:
  Clock() = default;
  Clock(double time, std::int64_t step) : time_(time), step_(step) {}

  double time() const { return time_; }       ///< [s]
  double dt() const { return dt_; }           ///< [s] of the step under way or of the last one
  std::int64_t step() const { return step_; } ///< steps done

  void set_dt(double dt) { dt_ = dt; }
  void advance() {
    // Compensated: millions of steps must not shift the times at which output is due.
    const double increment = dt_ - lost_;
    const double time = time_ + increment;
    lost_ = (time - time_) - increment;
    time_ = time;
    ++step_;
  }
  void bind_state(Registry& registry) {
    registry.bind("time", "s", "simulated", time_);
    registry.bind("dt", "s", "length of the last step", dt_);
    registry.bind("time_lost", "s", "what rounding added to the time", lost_);
    registry.bind("step", "steps done", step_);
  }

private:
  double time_ = 0;
  double dt_ = 0;
  double lost_ = 0; // what rounding added to time_ [s]
  std::int64_t step_ = 0;
};

/// One column of log.csv, or of another table.
struct LogColumn {
  std::string name;
  std::string unit; ///< SI, "" where dimensionless
  std::string meaning;
};

/// Values by row, one per column.
using Rows = std::vector<std::vector<double>>;

/// A table beside log.csv that grows by several rows at a time: NAME.csv, written every output.NAME.
struct TableKind {
  std::string name; ///< "cells"
  std::string one;  ///< what a row is of: "cell"
  std::vector<LogColumn> columns;
};

/// The entries of both, one after the other.
template <class T> std::vector<T> appended(std::vector<T> first, const std::vector<T>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

/// A simulation as the run loop sees it: state that advances step by step, and figures to report.
/// Results must not depend on the number of threads or on wall-clock time.
class Driver {
public:
  virtual ~Driver() = default;

  virtual Registry& registry() = 0;
  virtual const Grid& grid() const = 0;
  /// The grid that ranks share, of which this driver has a part; null where it has all, be it with other ranks.
  virtual const distributed::SharedGrid* shared() const { return nullptr; }

  /// Fills the state at time 0.
  virtual void start() = 0;
  /// In place of `start`, where the registry has been assigned the state of a run that had come to the clock's time:
  /// brings up to date what follows from the state, so that the next step is the one that run went on with.
  virtual void restored(const Clock& clock) = 0;
  /// The step [s] that `step` should be called with next; positive.
  virtual double next_dt() const = 0;
  /// Advances the state from clock.time() by clock.dt(). Throws Error where the run can't go on, for instance where
  /// the books don't balance.
  virtual void step(const Clock& clock) = 0;

  /// What stands in log.csv after step, time and dt.
  virtual std::vector<LogColumn> log_columns() const = 0;
  /// One value per log column. Figures that are means since the last row begin anew with each call.
  virtual std::vector<double> log_row() = 0;
  /// The rows that table `name` of the driver's kind has now.
  virtual Rows table_rows(const std::string& name) {
    static_cast<void>(name);
    return {};
  }
  /// Notices and warnings, a sentence each, that were given since the last call.
  virtual std::vector<Notice> take_notices() { return {}; }
  /// What made results doubtful so far, each with the worst that was seen of it (Notices::doubts).
  virtual std::vector<std::string> doubts() const { return {}; }
  /// What kept adaptive steps short, for the end of the log; "" where nothing did.
  virtual std::string step_bounds() const { return ""; }
  /// How evenly ranks share the case, for the end of the log; "" where one process has all.
  virtual std::string shares() const { return ""; }
  /// Brings `shown` entries that are derived from the state up to date; changes nothing that `step` reads.
  virtual void before_output() {}
  /// Brings `saved` entries up to date that the registry has copies of, such as of what a device holds.
  virtual void before_checkpoint() {}

  /// As DriverKind::describe has it, of this one.
  virtual std::vector<std::string> description() const { return {}; }
  /// Memory of a run at its start, scratch included, roughly [bytes]; 0: not known.
  virtual double expected_bytes() const { return 0; }
  /// Further figures for summary.json.
  virtual std::vector<std::pair<std::string, double>> figures() const { return {}; }

  /// The name of the CUDA device that all of it runs on; "" on the CPU.
  virtual std::string device() const { return ""; }

  virtual Phases& phases() { return phases_; }

private:
  Phases phases_;
};

/// What a driver has for a CUDA device, the current one, which is there.
struct DeviceKind {
  /// A key by which a part of a case runs there although all else of it is the CPU's.
  struct Part {
    std::string key;    ///< "lattice.processor = device"; "" where the case has no such part
    bool asked = false; ///< the case says so
  };

  /// As those of DriverKind, of a run all of which is on the device; null where there is none. They find it a problem, too,
  /// where its memory does not suffice.
  std::unique_ptr<Driver> (*make)(const Settings&, Problems&) = nullptr;
  std::vector<std::string> (*describe)(const Settings&, Problems&) = nullptr;
  /// Of a driver on the CPU; null where there is none.
  Part (*part)(const Settings&) = nullptr;
};

/// What a driver has for cases that ranks share. Calls of its drivers are collective, but for those that only say what is known.
struct RanksKind {
  /// As those of DriverKind; null where there is none. They find it a problem, too, where the case cannot be shared, or not by so
  /// many. The team outlives the driver.
  std::unique_ptr<Driver> (*make)(const Settings&, Problems&, const distributed::Team&) = nullptr;
  /// What it comes to for so many ranks, without them.
  std::vector<std::string> (*describe)(const Settings&, Problems&, int ranks) = nullptr;
};

/// A sort of simulation that a case file can name.
struct DriverKind {
  std::string name;
  std::string meaning;
  /// The sets of particles that its registry has, the one whose pace is told first.
  std::vector<ParticleKind> sets;
  void (*declare_keys)(KeyTable&);
  /// Adds what is wrong with the settings as a whole to the problems; the driver may then be null.
  std::unique_ptr<Driver> (*make)(const Settings&, Problems&);
  /// What the case comes to, a line each: cells, parcels, memory, warnings. Finds the problems that `make` finds, and
  /// needs no memory to speak of however large the case is.
  std::vector<std::string> (*describe)(const Settings&, Problems&);
  std::vector<TableKind> tables{};
  DeviceKind on_device{};
  RanksKind over_ranks{};
};

/// What any of the drivers has of a kind (`sets`, `tables`), each name once.
template <class T> std::vector<T> of_all(const std::vector<DriverKind>& drivers, std::vector<T> DriverKind::* kinds) {
  std::vector<T> all;
  for (const DriverKind& driver : drivers)
    for (const T& kind : driver.*kinds)
      if (std::none_of(all.begin(), all.end(), [&](const T& other) { return other.name == kind.name; }))
        all.push_back(kind);
  return all;
}

} // namespace corral::run
