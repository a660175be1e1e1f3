#pragma once

#include "app/system/system_calls.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace corral::app {

/// The right to write into a directory, held by one run at a time: DIRECTORY/corral.lock, which names its process and
/// host. A lock of the system on that file tells a run that goes on from one that was killed; what was left on another
/// host is not judged from here. The destructor removes the file.
class DirectoryLock {
public:
  /// Looks, and changes nothing. Throws UsageError where a run holds the directory, or may hold it on another host.
  static void require_free(const std::filesystem::path& directory);

  /// Takes the directory, which must exist. Throws UsageError as above, Error where the file cannot be written.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  /// What was found and taken over, as a message; "" where there was nothing.
  const std::string& found() const { return found_; }

private:
  bool take_new();
  bool take_left(bool finally);
  void hold(Descriptor file);

  std::filesystem::path path_;
  Descriptor file_;
  std::string found_;
};

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
