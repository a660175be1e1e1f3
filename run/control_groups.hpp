#pragma once

#include <filesystem>
#include <optional>

/// What the control groups of a process let it have: containers, and queues that share out a machine, set these. A
/// process's groups are listed in `membership`, as in /proc/self/cgroup, and they and their parents lie in `root`, as in
/// /sys/fs/cgroup. Versions 1 and 2 are read; the least counts.
namespace corral::run {

/// memory.max, memory.limit_in_bytes [bytes]; nothing where there is no limit.
std::optional<double> control_group_memory(const std::filesystem::path& membership, const std::filesystem::path& root);

/// Processors' worth of time, of a quota in each period: cpu.max, cpu.cfs_quota_us over cpu.cfs_period_us [-], 1.5 for
/// one and a half; nothing where there is no quota.
std::optional<double> control_group_processors(const std::filesystem::path& membership,
                                               const std::filesystem::path& root);

} // namespace corral::run
