#include "run/limits.hpp"
#include "tests/catch.hpp"
#include "tests/sanitized.hpp"

#include <filesystem>
#include <fstream>
#include <stdlib.h>
#include <string>
#include <sys/resource.h>

namespace corral::run {
namespace {

namespace fs = std::filesystem;

/// A made-up /proc/self/cgroup and /sys/fs/cgroup, which go when it goes.
class ControlGroups {
public:
  ControlGroups() {
    std::string name = (fs::temp_directory_path() / "corral-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root_ = name;
  }
  ControlGroups(const ControlGroups&) = delete;
  ControlGroups& operator=(const ControlGroups&) = delete;
  ~ControlGroups() { fs::remove_all(root_); }

  void put(const fs::path& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << "\n";
  }
  std::optional<double> limit() const { return control_group_memory(root_ / "membership", root_ / "groups"); }
  std::optional<double> processors() const { return control_group_processors(root_ / "membership", root_ / "groups"); }

private:
  fs::path root_;
};

TEST_CASE("the limit of control groups is the least of a process's group and its parents") {
  const ControlGroups groups;
  CHECK_FALSE(groups.limit());
  groups.put("membership", "0::/users/anna/job");
  CHECK_FALSE(groups.limit());
  groups.put("groups/users/anna/job/memory.max", "max");
  CHECK_FALSE(groups.limit());
  groups.put("groups/users/memory.max", "4000000");
  CHECK(groups.limit() == 4e6);
  groups.put("groups/users/anna/job/memory.max", "1000000");
  CHECK(groups.limit() == 1e6);
  groups.put("groups/users/anna/memory.max", "2000000");
  CHECK(groups.limit() == 1e6);
  groups.put("membership", "0::/");
  CHECK_FALSE(groups.limit());
  groups.put("groups/memory.max", "5000000");
  CHECK(groups.limit() == 5e6);
}

TEST_CASE("control groups of version 1 are read, too") {
  const ControlGroups groups;
  groups.put("membership", "12:cpu,cpuacct:/job\n11:memory,hugetlb:/job\n10:freezer:/");
  groups.put("groups/memory/job/memory.limit_in_bytes", "3000000");
  groups.put("groups/cpu/job/memory.limit_in_bytes", "1");
  CHECK(groups.limit() == 3e6);
}

TEST_CASE("a quota of processor time is that of a process's group or of a parent, whichever is less") {
  const ControlGroups groups;
  CHECK_FALSE(groups.processors());
  groups.put("membership", "0::/users/anna/job");
  groups.put("groups/users/anna/job/cpu.max", "max 100000");
  CHECK_FALSE(groups.processors());
  groups.put("groups/users/anna/cpu.max", "250000 100000");
  CHECK(groups.processors() == 2.5);
  groups.put("groups/users/cpu.max", "20000 10000");
  CHECK(groups.processors() == 2);
  groups.put("membership", "12:cpu,cpuacct:/job\n11:memory:/other");
  CHECK_FALSE(groups.processors());
  groups.put("groups/cpu/job/cpu.cfs_period_us", "100000");
  groups.put("groups/cpu/job/cpu.cfs_quota_us", "-1");
  CHECK_FALSE(groups.processors());
  groups.put("groups/cpu/job/cpu.cfs_quota_us", "50000");
  CHECK(groups.processors() == 0.5);
}

TEST_CASE("a process may have no more memory than its limits say") {
  const MemoryLimit before = memory_limit();
  CHECK(before.bytes > 1e7);
  if (test::sanitized) return; // no allocation succeeds below a limit that their reserved memory exceeds
  rlimit old{};
  REQUIRE(getrlimit(RLIMIT_DATA, &old) == 0);
  rlimit lower = old;
  lower.rlim_cur = 50'000'000;
  REQUIRE(setrlimit(RLIMIT_DATA, &lower) == 0);
  const MemoryLimit during = memory_limit();
  REQUIRE(setrlimit(RLIMIT_DATA, &old) == 0);
  CHECK(during.bytes == 5e7);
  CHECK(during.cause == "ulimit -d lets this process have");
  CHECK(memory_limit().bytes == before.bytes);
}

} // namespace
} // namespace corral::run
