#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace corral::run {

/// How much memory this process can have.
struct MemoryLimit {
  double bytes = 0;
  std::string cause; ///< what sets it, to stand before "16.7 GB": "this machine has"
};

/// The least of the machine's memory, the limits of the process (`ulimit -v`, less what it reserves without using it,
/// and `ulimit -d`), and the limits of its control groups. Infinite where none can be read.
MemoryLimit memory_limit();

/// The least limit of the control groups that `membership` lists, as /proc/self/cgroup does, or of their parents, which
/// lie in `root` as in /sys/fs/cgroup: memory.max of version 2, memory.limit_in_bytes of version 1 [bytes].
std::optional<double> control_group_limit(const std::filesystem::path& membership, const std::filesystem::path& root);

} // namespace corral::run
