#include "run/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>

namespace corral::run {

namespace {

namespace fs = std::filesystem;

void lower(MemoryLimit& limit, double bytes, const char* cause) {
  if (bytes < limit.bytes) limit = {std::max(bytes, 0.0), cause};
}

std::optional<double> number_in(const fs::path& file) {
  double number = 0;
  if (std::ifstream in(file); in >> number) return number; // "max" is none
  return std::nullopt;
}

/// Memory that the process has reserved but does not use [bytes]: of the program, its libraries and stacks.
double reserved() {
  double pages = 0, used = 0;
  std::ifstream in("/proc/self/statm");
  return in >> pages >> used ? (pages - used) * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
}

/// A limit of the process; infinite where there is none.
double limit_of_process(decltype(RLIMIT_AS) resource) {
  rlimit found{};
  if (getrlimit(resource, &found) != 0 || found.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  return static_cast<double>(found.rlim_cur);
}

} // namespace

std::optional<double> control_group_limit(const fs::path& membership, const fs::path& root) {
  std::optional<double> least;
  std::ifstream in(membership);
  for (std::string line; std::getline(in, line);) { // "number:controllers:/path", no controllers in version 2
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool unified = controllers == ",,";
    if (!unified && controllers.find(",memory,") == controllers.npos) continue;
    const fs::path top = unified ? root : root / "memory";
    const char* name = unified ? "memory.max" : "memory.limit_in_bytes";
    for (fs::path group = fs::path(line.substr(second + 1)).relative_path();; group = group.parent_path()) {
      const auto bytes = number_in(top / group / name);
      if (bytes && !(least && *least <= *bytes)) least = bytes;
      if (group.empty()) break;
    }
  }
  return least;
}

MemoryLimit memory_limit() {
  MemoryLimit limit{std::numeric_limits<double>::infinity(), "there is"};
  const long pages = sysconf(_SC_PHYS_PAGES);
  if (pages > 0)
    lower(limit, static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)), "this machine has");
  if (const auto bytes = control_group_limit("/proc/self/cgroup", "/sys/fs/cgroup"))
    lower(limit, *bytes, "its control group lets this process have");
  lower(limit, limit_of_process(RLIMIT_AS) - reserved(), "ulimit -v lets this process have");
  lower(limit, limit_of_process(RLIMIT_DATA), "ulimit -d lets this process have");
  return limit;
}

} // namespace corral::run
