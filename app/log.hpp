#pragma once

#include "app/output_file.hpp"
#include "run/clock.hpp"
#include "run/driver.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace corral::app {

/// log.csv: a header of plain names, then rows of numbers that read back with the same bits. The columns step, time
/// [s] and dt [s] come first, then those of the driver. Each row is on disk before `row` returns.
class Log {
public:
  Log(const std::filesystem::path& path, const std::vector<run::LogColumn>& columns);

  /// One value per column. Throws Error for another number of values.
  void row(const run::Clock& clock, std::span<const double> values);
  void close() { file_.close(); }

private:
  std::size_t columns_;
  OutputFile file_;
};

} // namespace corral::app
