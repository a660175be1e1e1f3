#include "app/output/output_directory.hpp"

#include "app/system/files.hpp"
#include "app/system/process.hpp"
#include "app/system/system_calls.hpp"

#include <corral/error.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

namespace corral::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_name = "corral.lock";

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "?";
  return name.data();
}

struct Holder {
  std::string text; ///< all of the file
  long process = 0; ///< 0: the file does not say
  std::string host;
};

// "process 4711 on node12"
std::string written(long process, const std::string& host) {
  return "process " + std::to_string(process) + " on " + host + "\n";
}

Holder read_holder(int descriptor) {
  std::array<char, 512> bytes{};
  const ssize_t n = ::pread(descriptor, bytes.data(), bytes.size(), 0);
  Holder holder{std::string(bytes.data(), n > 0 ? static_cast<std::size_t>(n) : 0), 0, ""};
  constexpr std::string_view before = "process ", between = " on ";
  std::string_view rest = holder.text;
  if (!rest.starts_with(before) || !rest.ends_with('\n')) return holder;
  long process = 0;
  const char* end = std::from_chars(rest.data() + before.size(), rest.data() + rest.size(), process).ptr;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  if (process <= 0 || !rest.starts_with(between)) return holder;
  holder.process = process;
  holder.host = rest.substr(between.size(), rest.size() - between.size() - 1);
  return holder;
}

enum class Finding : std::uint8_t { begun, held, elsewhere, unknown, left };

struct Found {
  Finding finding;
  Holder holder;
};

bool is_alive(const Holder& holder) {
  return holder.process > 0 && holder.host == host_name() &&
         (::kill(static_cast<pid_t>(holder.process), 0) == 0 || errno == EPERM);
}

// Of a file that is there. Where it is `left`, or `begun` and not yet written, this descriptor has `operation`'s lock,
// unless the file system has none.
Found judge(int descriptor, int operation) {
  const bool locked = ::flock(descriptor, operation | LOCK_NB) == 0;
  const bool refused = !locked && errno == EWOULDBLOCK;
  Found found{Finding::left, read_holder(descriptor)};
  const Holder& holder = found.holder;
  if (refused) found.finding = Finding::held;
  else if (holder.text.empty()) found.finding = Finding::begun;
  else if (holder.process == 0) found.finding = Finding::unknown;
  else if (holder.host != host_name()) found.finding = Finding::elsewhere;
  else if (!locked && is_alive(holder)) found.finding = Finding::held;
  return found;
}

[[noreturn]] void refuse(const fs::path& file, const Found& found) {
  const std::string directory = file.parent_path().string();
  const Holder& holder = found.holder;
  const std::string who = holder.process == 0
                              ? "another run"
                              : "the run of process " + std::to_string(holder.process) + " on " + holder.host;
  if (found.finding == Finding::held)
    throw UsageError(directory + " is in use (" + who +
                     " writes there) wait for its end, or choose another directory with --output");
  if (found.finding == Finding::elsewhere)
    throw UsageError(directory + " may be in use (" + who + " has locked it; " + host_name() +
                     " cannot see whether it goes on) if it has ended, remove " + file.string());
  throw UsageError(file.string() + " does not say which run it is of (corral writes its process and host there) if no "
                                   "run writes into this directory, remove the file");
}

[[noreturn]] void fail(const fs::path& file, int code) {
  refuse_place("cannot lock " + file.parent_path().string() + " (" + file.filename().string() + ": " +
                   std::strerror(code) + ") " + remedy(code),
               code);
}

bool is_still_there(int descriptor, const fs::path& file) {
  struct stat open {}, named {};
  return ::fstat(descriptor, &open) == 0 && ::lstat(file.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

} // namespace

void DirectoryLock::require_free(const fs::path& directory) {
  const fs::path path = directory / file_name;
  Descriptor file;
  // What else is wrong with it is said when it is taken.
  if (system_calls::open(file, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) != 0) return;
  const Found found = judge(file.number(), LOCK_SH);
  if (found.finding != Finding::left && found.finding != Finding::begun) refuse(path, found);
}

DirectoryLock::DirectoryLock(const fs::path& directory) : path_(directory / file_name) {
  // A file that is empty, or held in the name of nobody alive, changes hands at this moment; or a crash left it empty.
  constexpr int attempts = 50;
  for (int i = 1; i <= attempts; ++i) {
    if (take_new() || take_left(/*finally=*/i == attempts)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  refuse(path_, {Finding::held, {}});
}

DirectoryLock::~DirectoryLock() {
  // Before it is unlocked, so that nobody takes it in between.
  if (is_still_there(file_.number(), path_)) system_calls::try_to_remove(path_);
}

// False where the file is there.
bool DirectoryLock::take_new() {
  Descriptor file;
  const int code = system_calls::open(file, path_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0644);
  if (code == EEXIST) return false;
  if (code != 0) fail(path_, code);
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false; // looked at, or taken
  hold(std::move(file));
  return true;
}

// False where the file is gone meanwhile, or changes hands.
bool DirectoryLock::take_left(bool finally) {
  Descriptor file;
  const int code = system_calls::open(file, path_, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  if (code == ENOENT) return false;
  if (code != 0) fail(path_, code);
  const Found found = judge(file.number(), LOCK_EX);
  const bool in_motion =
      found.finding == Finding::begun || (found.finding == Finding::held && !is_alive(found.holder));
  if (in_motion && !finally) return false;
  if (found.finding != Finding::left && found.finding != Finding::begun) refuse(path_, found);
  if (!is_still_there(file.number(), path_)) return false;
  found_ = path_.string() + " was left by " +
           (found.holder.process > 0 ? "process " + std::to_string(found.holder.process) : "a process") +
           ", which is gone (a run that was killed) the directory is taken over";
  hold(std::move(file));
  return true;
}

void DirectoryLock::hold(Descriptor file) {
  int code = system_calls::cut(file.number(), 0);
  if (code == 0) code = system_calls::write_at(file.number(), 0, written(::getpid(), host_name()));
  if (code != 0) {
    system_calls::try_to_remove(path_);
    fail(path_, code);
  }
  file_ = std::move(file);
}

} // namespace corral::app
