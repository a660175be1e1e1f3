#pragma once

#include "app/output/output_file.hpp"
#include "run/clock.hpp"
#include "run/driver.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace corral::app {

/// log.csv: a header of plain names, then rows of numbers that read back with the same bits. The columns step, time
/// [s] and dt [s] come first, then those of the driver. When `row` returns, the row is in the file; where it throws,
/// nothing of it is.
class Log {
public:
  Log(const std::filesystem::path& path, const std::vector<run::LogColumn>& columns);

  /// Names the first value that is infinite or NaN: "floor_contact of log.csv is nan". Such a value is no result.
  std::optional<std::string> find_not_finite(std::span<const double> values) const;
  /// One value per column. Throws Error for another number of values.
  void row(const run::Clock& clock, std::span<const double> values);
  void close() { file_.close(); }

private:
  std::vector<run::LogColumn> columns_;
  OutputFile file_;
};

} // namespace corral::app
