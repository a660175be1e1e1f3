#pragma once

#include "app/output/output_file.hpp"
#include "run/clock.hpp"
#include "run/driver.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace corral::app {

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
