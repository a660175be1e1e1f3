#pragma once

#include <filesystem>
#include <string_view>

namespace corral::app {

/// Where a run writes. Results that are there are refused unless they may be overwritten; of what a directory holds,
/// only files that corral itself writes are ever removed.
class OutputDirectory {
public:
  /// Looks, and writes nothing. Throws UsageError where `path` is not a directory, or holds results without
  /// `overwrite`.
  OutputDirectory(std::filesystem::path path, bool overwrite);

  /// Makes the directory and removes old results. Throws Error where that fails.
  void prepare() const;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(std::string_view name) const { return path_ / name; }

private:
  std::filesystem::path path_;
};

/// True for the names of files that corral writes: log.csv, fields_000012.vti, summary.json.part and so on.
bool is_result(std::string_view file_name);

} // namespace corral::app
