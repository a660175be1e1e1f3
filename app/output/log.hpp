#pragma once

#include "app/system/files.hpp"
#include "run/driver.hpp"
#include "run/state/registry.hpp"

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace corral::app {

/// When something is due: at the first step at or after each multiple of an interval, the start included. Due times
/// are multiples, not sums, and never drift.
class DueTimes {
public:
  /// `interval` in s; 0: never.
  explicit DueTimes(double interval) : interval_(interval) {}

  /// `what` is due.
  void bind_state(run::Registry& registry, const std::string& what, run::Use use = run::Use::saved) {
    registry.bind(what + "_due", "", "multiple of the interval at which it is due next", next_, use);
  }

  /// At this moment nothing is due, whatever was before.
  void begin(const run::Clock& clock) {
    next_ = 0;
    static_cast<void>(due(clock));
  }

  /// True once for each due time, or for several of them that one step passed.
  bool due(const run::Clock& clock) {
    if (!(interval_ > 0)) return false;
    // A time that rounding left a hair before the due time is that time.
    const double reached = std::floor((clock.time() + 1e-6 * clock.dt()) / interval_);
    if (reached < next_) return false;
    next_ = reached + 1;
    return true;
  }

private:
  double interval_;
  double next_ = 0; // multiple of the interval
};

/// The first line of a table, without its end: step, time and dt, then the driver's columns.
std::string header_of(const std::vector<run::LogColumn>& columns);

/// log.csv, or another table of the driver's: a header of plain names, then rows of numbers that read back with the same
/// bits. The columns step, time [s] and dt [s] come first, then those of the driver. When `rows` returns, the rows are in
/// the file; where it throws, nothing of them is.
class Log {
public:
  Log(const std::filesystem::path& path, const std::vector<run::LogColumn>& columns);
  /// Goes on with the table that a run wrote, after its first `keep` bytes.
  Log(const std::filesystem::path& path, const std::vector<run::LogColumn>& columns, std::size_t keep)
      : path_(path), columns_(columns), file_(path, keep) {}

  /// Names the first value that is infinite or NaN: "floor_contact of log.csv is nan". Such a value is no result.
  std::optional<std::string> find_not_finite(const run::Rows& rows) const;
  /// One value per column in each row. Throws Error for another number of values.
  void rows(const run::Clock& clock, const run::Rows& rows);
  void sync() { file_.sync(); }
  void close() { file_.close(); }

  const std::filesystem::path& path() const { return path_; }
  std::string name() const { return path_.filename().string(); } ///< of the file
  std::size_t size() const { return file_.size(); } ///< [bytes]

private:
  std::filesystem::path path_;
  std::vector<run::LogColumn> columns_;
  OutputFile file_;
};

} // namespace corral::app
