#pragma once

#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <utility>

/// What this process may have of memory and of processors' time.
namespace corral::run {

/// Memory did not suffice for an array of the state; what() says for which and how much: "velocity_x of 3e9 parcels
/// takes 24 GB". Elsewhere it is a plain std::bad_alloc.
class OutOfMemory : public std::bad_alloc {
public:
  explicit OutOfMemory(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

private:
  std::string message_;
};

/// How much memory this process can have.
struct MemoryLimit {
  double bytes = 0;
  std::string cause; ///< what sets it, to stand before "16.7 GB": "this machine has"
};

/// The least of the machine's memory, the limits of the process (`ulimit -v`, less what it reserves without using it,
/// and `ulimit -d`), and the limits of its control groups. Infinite where none can be read.
MemoryLimit memory_limit();

/// Where so many bytes are more than that: "need about 24 GB (this machine has 16.7 GB) ", for the end of a complaint.
/// Empty where they are not.
std::string beyond_memory(double bytes);

// What the control groups of a process let it have: containers, and queues that share out a machine, set these. A
// process's groups are listed in `membership`, as in /proc/self/cgroup, and they and their parents lie in `root`, as in
// /sys/fs/cgroup. Versions 1 and 2 are read; the least counts.

/// memory.max, memory.limit_in_bytes [bytes]; nothing where there is no limit.
std::optional<double> control_group_memory(const std::filesystem::path& membership, const std::filesystem::path& root);

/// Processors' worth of time, of a quota in each period: cpu.max, cpu.cfs_quota_us over cpu.cfs_period_us [-], 1.5 for
/// one and a half; nothing where there is no quota.
std::optional<double> control_group_processors(const std::filesystem::path& membership,
                                               const std::filesystem::path& root);

} // namespace corral::run
