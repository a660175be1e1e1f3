#pragma once

#include "app/output/directory_lock.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace corral::app {

/// What runs call their files by: names of the sets of particles and of the tables.
struct ResultNames {
  std::vector<std::string> sets, tables;
};

/// Where a run writes. Results that are there are refused unless they may be overwritten; of what a directory holds,
/// only files that corral itself writes are ever removed.
class OutputDirectory {
public:
  /// Looks, and writes nothing. `names` are those of all runs that there are. Throws UsageError where `path` is not a
  /// directory, another run writes there, or it holds results without `overwrite`.
  OutputDirectory(std::filesystem::path path, bool overwrite, ResultNames names);

  /// Makes the directory, takes it for as long as the result lives, looks again, and removes old results. Throws
  /// UsageError as above and where no directory can be made or written into there, Error where a disk fails.
  [[nodiscard]] std::unique_ptr<DirectoryLock> prepare() const;
  /// For a run that goes on: removes how the one before ended, summary.json and dumps.
  void forget_the_end() const;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(std::string_view name) const { return path_ / name; }

private:
  void require_no_results() const;

  std::filesystem::path path_;
  bool overwrite_;
  ResultNames names_;
};

/// True for the names of files that corral writes: log.csv, fields_000012.vti, summary.json.part and so on.
bool is_result(std::string_view file_name, const ResultNames& names);

} // namespace corral::app
