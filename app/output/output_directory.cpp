#include "app/output/output_directory.hpp"

#include "app/system/files.hpp"
#include "app/system/process.hpp"
#include "app/system/system_calls.hpp"

#include <corral/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

namespace corral::app {

namespace {

namespace fs = std::filesystem;

// Neither follows links: a link in place of a result is removed, not what it points to.
std::vector<fs::path> results_in(const fs::path& directory, const ResultNames& names) {
  std::vector<fs::path> found = paths_in(directory);
  std::erase_if(found, [&](const fs::path& path) { return !is_result(path.filename().string(), names); });
  std::sort(found.begin(), found.end());
  return found;
}

// "fields_000012.vti": at least six digits between the two.
bool is_numbered(std::string_view name, std::string_view before, std::string_view after) {
  if (!name.starts_with(before) || !name.ends_with(after)) return false;
  name.remove_prefix(before.size());
  if (name.size() < after.size() + 6) return false;
  name.remove_suffix(after.size());
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); });
}

[[noreturn]] void fail(const std::string& what, int code) {
  refuse_place(what + " (" + std::strerror(code) + ") " + remedy(code), code);
}

} // namespace

bool is_result(std::string_view name, const ResultNames& names) {
  constexpr std::string_view part = ".part";
  constexpr std::array<std::string_view, 5> of_every_run{"used.ini", "log.csv", "summary.json", "openpmd.pmd",
                                                         "dump_openpmd.h5"};
  if (name.ends_with(part)) name.remove_suffix(part.size());
  const auto of_series = [&](const std::string& series, const std::string& extension) {
    return name == series + ".pvd" || name == "dump_" + series + extension ||
           is_numbered(name, series + "_", extension);
  };
  return std::find(of_every_run.begin(), of_every_run.end(), name) != of_every_run.end() ||
         of_series("fields", ".vti") || is_numbered(name, "log_", ".csv") || is_numbered(name, "openpmd_", ".h5") ||
         std::any_of(names.sets.begin(), names.sets.end(),
                     [&](const std::string& set) { return of_series(set, ".vtp"); }) ||
         std::any_of(names.tables.begin(), names.tables.end(), [&](const std::string& table) {
           return name == table + ".csv" || is_numbered(name, table + "_", ".csv");
         });
}

OutputDirectory::OutputDirectory(fs::path path, bool overwrite, ResultNames names)
    : path_(std::move(path)), overwrite_(overwrite), names_(std::move(names)) {
  std::error_code code;
  const fs::file_status status = fs::status(path_, code);
  if (status.type() == fs::file_type::not_found) return;
  if (code) throw UsageError("cannot look at " + path_.string() + " (" + code.message() + ")");
  if (!fs::is_directory(status))
    throw UsageError(path_.string() + " is not a directory (results need one) choose another with --output");
  DirectoryLock::require_free(path_);
  require_no_results();
}

std::unique_ptr<DirectoryLock> OutputDirectory::prepare() const {
  if (const int code = system_calls::make_directories(path_)) fail("cannot make the directory " + path_.string(), code);
  if (::access(path_.c_str(), W_OK | X_OK) != 0) fail("cannot write into " + path_.string(), errno);
  auto lock = std::make_unique<DirectoryLock>(path_);
  require_no_results(); // those of a run that came and went since the first look
  for (const fs::path& file : results_in(path_, names_)) {
    if (fs::is_directory(fs::symlink_status(file)))
      throw Error(file.string() + " is a directory (a result of that name is due) move it away");
    if (const int code = system_calls::remove(file))
      throw Error("cannot remove " + file.string() + " (" + std::strerror(code) + ")");
  }
  return lock;
}

void OutputDirectory::forget_the_end() const {
  for (const fs::path& file : results_in(path_, names_)) {
    const std::string name = file.filename().string();
    // What cannot be removed is overwritten where it is due again.
    if (name.starts_with("dump_") || name == "summary.json" || name.ends_with(".part")) system_calls::try_to_remove(file);
  }
}

void OutputDirectory::require_no_results() const {
  if (overwrite_) return;
  if (const auto results = results_in(path_, names_); !results.empty())
    throw UsageError(path_.string() + " holds results (" + results.front().filename().string() +
                     ") replace them with --overwrite, or choose another directory with --output");
  std::error_code ignored;
  const fs::path checkpoints = path_ / "checkpoint";
  if (fs::exists(checkpoints, ignored) && !fs::is_empty(checkpoints, ignored))
    throw UsageError(path_.string() + " holds checkpoints (" + checkpoints.string() +
                     ") go on from them with corral resume, replace them with --overwrite, or choose another directory "
                     "with --output");
}

} // namespace corral::app
