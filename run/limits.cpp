#include "run/limits.hpp"

#include "run/case/values.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace corral::run {
namespace {

namespace fs = std::filesystem;

std::optional<double> number_in(std::istream& in) {
  double number = 0;
  if (in >> number) return number; // "max" is none
  return std::nullopt;
}

std::optional<double> number_in(const fs::path& file) {
  std::ifstream in(file);
  return number_in(in);
}

/// The least of what `limit` finds in a group of the controller; it is told whether the group is of version 2.
std::optional<double> least_of_groups(const fs::path& membership, const fs::path& root, const std::string& controller,
                                      const std::function<std::optional<double>(const fs::path&, bool)>& limit) {
  std::optional<double> least;
  std::ifstream in(membership);
  for (std::string line; std::getline(in, line);) { // "number:controllers:/path", no controllers in version 2
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool unified = controllers == ",,";
    if (!unified && controllers.find("," + controller + ",") == controllers.npos) continue;
    const fs::path top = unified ? root : root / controller;
    for (fs::path group = fs::path(line.substr(second + 1)).relative_path();; group = group.parent_path()) {
      const auto found = limit(top / group, unified);
      if (found && !(least && *least <= *found)) least = found;
      if (group.empty()) break;
    }
  }
  return least;
}

} // namespace

std::optional<double> control_group_memory(const fs::path& membership, const fs::path& root) {
  return least_of_groups(membership, root, "memory", [](const fs::path& group, bool unified) {
    return number_in(group / (unified ? "memory.max" : "memory.limit_in_bytes"));
  });
}

std::optional<double> control_group_processors(const fs::path& membership, const fs::path& root) {
  return least_of_groups(membership, root, "cpu", [](const fs::path& group, bool unified) -> std::optional<double> {
    std::optional<double> quota, period;
    if (unified) {
      std::ifstream in(group / "cpu.max"); // "quota period" or "max period" [us]
      quota = number_in(in), period = number_in(in);
    } else {
      quota = number_in(group / "cpu.cfs_quota_us"), period = number_in(group / "cpu.cfs_period_us"); // -1: none
    }
    if (!quota || !period || !(*quota > 0) || !(*period > 0)) return std::nullopt;
    return *quota / *period;
  });
}

namespace {

void lower(MemoryLimit& limit, double bytes, const char* cause) {
  if (bytes < limit.bytes) limit = {std::max(bytes, 0.0), cause};
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

MemoryLimit memory_limit() {
  MemoryLimit limit{std::numeric_limits<double>::infinity(), "there is"};
  const long pages = sysconf(_SC_PHYS_PAGES);
  if (pages > 0)
    lower(limit, static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)), "this machine has");
  if (const auto bytes = control_group_memory("/proc/self/cgroup", "/sys/fs/cgroup"))
    lower(limit, *bytes, "its control group lets this process have");
  lower(limit, limit_of_process(RLIMIT_AS) - reserved(), "ulimit -v lets this process have");
  lower(limit, limit_of_process(RLIMIT_DATA), "ulimit -d lets this process have");
  return limit;
}

std::string beyond_memory(double bytes) {
  const MemoryLimit limit = memory_limit();
  if (bytes <= limit.bytes) return {};
  return "need about " + brief(bytes / 1e9) + " GB (" + limit.cause + " " + brief(limit.bytes / 1e9) + " GB) ";
}

} // namespace corral::run
