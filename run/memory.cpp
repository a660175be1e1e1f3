#include "run/memory.hpp"

#include "run/case/values.hpp"
#include "run/control_groups.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>

namespace corral::run {

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
