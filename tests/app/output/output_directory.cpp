#include "app/output/output_directory.hpp"
#include "app/system/process.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

namespace {
const ResultNames names{.sets = {"parcels", "vertices"}, .tables = {"cells"}};
} // namespace

TEST_CASE("Only names that corral writes are results") {
  for (const char* name : {"used.ini", "log.csv", "summary.json", "fields.pvd", "parcels.pvd", "fields_000000.vti",
                           "parcels_1234567.vtp", "dump_fields.vti", "dump_parcels.vtp", "vertices.pvd",
                           "vertices_000001.vtp", "dump_vertices.vtp", "openpmd.pmd", "openpmd_000000001200.h5",
                           "openpmd_000000000007.h5.part", "dump_openpmd.h5", "cells.csv", "cells.csv.part", "fields_000003.vti.part"})
    CHECK(is_result(name, names));
  for (const char* name : {"case.ini", "notes.txt", "fields_12.vti", "fields_000000.vtp", "fields_00000a.vti",
                           "fields_000000.vti.bak", "my_log.csv", "sites.pvd", "cells.pvd", "parcels.csv", "sites_000000.vtp", "log.csv.bak", "openpmd_1.h5", "openpmd.h5",
                           "openpmd_00000000000x.h5", "openpmd_000000000007.hdf5", "openpmd.pvd", ".part", ""})
    CHECK_FALSE(is_result(name, names));
}

TEST_CASE("A directory that holds results is refused without --overwrite and left alone") {
  TemporaryDirectory out;
  put(out / "parcels_000000.vtp");
  put(out / "notes.txt");
  const auto before = files_in(out.path());
  CHECK_THROWS_AS(OutputDirectory(out.path(), false, names), UsageError);
  CHECK(contains(message_of([&] { OutputDirectory(out.path(), false, names); }), "--overwrite"));
  CHECK(files_in(out.path()) == before);
}

TEST_CASE("Looking at a directory writes nothing") {
  TemporaryDirectory out;
  put(out / "log.csv");
  const OutputDirectory existing(out.path(), true, names), absent(out / "a/b", false, names);
  CHECK(files_in(out.path()).size() == 1);
  CHECK(absent.prepare()->found() == "");
  CHECK(std::filesystem::is_directory(out / "a/b"));
}

TEST_CASE("A directory without results is used, whatever else it holds") {
  TemporaryDirectory out;
  put(out / "notes.txt", "mine");
  CHECK_NOTHROW(OutputDirectory(out.path(), false, names).prepare());
  CHECK(contents(out / "notes.txt") == "mine");
}

TEST_CASE("--overwrite removes results and nothing else") {
  TemporaryDirectory out;
  for (const char* name : {"log.csv", "fields_000007.vti", "summary.json.part", "openpmd_000000000007.h5", "openpmd.pmd"})
    put(out / name);
  for (const char* name : {"case.ini", "notes.txt", "fields_7.vti"}) put(out / name);
  std::filesystem::create_directory(out / "kept");
  put(out / "kept/log.csv");
  put(out / "kept/precious");
  std::filesystem::create_symlink(out / "kept/precious", out / "used.ini");
  CHECK_NOTHROW(OutputDirectory(out.path(), true, names).prepare());
  std::vector<std::string> names;
  for (const auto& [name, content] : files_in(out.path())) names.push_back(name);
  CHECK(names == std::vector<std::string>{"case.ini", "fields_7.vti", "kept", "notes.txt"});
  CHECK(contents(out / "kept/precious") == "x");
  CHECK(contents(out / "kept/log.csv") == "x");
}

TEST_CASE("Places that cannot hold results are refused") {
  TemporaryDirectory out;
  put(out / "file");
  CHECK_THROWS_AS(OutputDirectory(out / "file", true, names), UsageError);
  CHECK_THROWS_AS(OutputDirectory(out / "file/below", true, names).prepare(), UsageError);
  CHECK_THROWS_AS(OutputDirectory("/proc/corral", true, names).prepare(), UsageError);
  std::filesystem::create_directory(out / "log.csv");
  CHECK(contains(message_of([&] { const auto lock = OutputDirectory(out.path(), true, names).prepare(); }), "is a directory"));
  CHECK(std::filesystem::is_directory(out / "log.csv"));
}

namespace {

std::string this_host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

// The number of a process that has been.
pid_t ended_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

} // namespace

TEST_CASE("A directory belongs to one run at a time, and the lock says to which") {
  TemporaryDirectory out;
  {
    const DirectoryLock mine(out.path());
    CHECK(mine.found() == "");
    const std::string me = "process " + std::to_string(getpid()) + " on " + this_host();
    CHECK(contents(out / "corral.lock") == me + "\n");
    CHECK_THROWS_AS(DirectoryLock(out.path()), UsageError);
    CHECK_THROWS_AS(DirectoryLock::require_free(out.path()), UsageError);
    CHECK(contains(message_of([&] { DirectoryLock other(out.path()); }), "is in use (the run of " + me));
    CHECK(contents(out / "corral.lock") == me + "\n");
  }
  CHECK(files_in(out.path()).empty());
  DirectoryLock::require_free(out.path());
}

TEST_CASE("--overwrite does not reach under a run that goes on") {
  TemporaryDirectory out;
  const OutputDirectory early(out.path(), true, {});
  const auto lock = OutputDirectory(out.path(), false, {}).prepare();
  put(out / "log.csv", "theirs");
  for (const bool overwrite : {false, true})
    CHECK(contains(message_of([&] { OutputDirectory(out.path(), overwrite, {}); }), "is in use"));
  CHECK(contains(message_of([&] { const auto other = early.prepare(); }), "is in use")); // looked before
  CHECK(contents(out / "log.csv") == "theirs");
}

TEST_CASE("Results of a run that came and went since the first look are kept") {
  TemporaryDirectory out;
  const OutputDirectory early(out.path(), false, {});
  put(out / "log.csv", "theirs");
  CHECK_THROWS_AS(early.prepare(), UsageError);
  CHECK(files_in(out.path()).size() == 1);
}

TEST_CASE("A lock that a killed run left is taken over with a word") {
  TemporaryDirectory out;
  const pid_t gone = ended_process();
  put(out / "corral.lock", "process " + std::to_string(gone) + " on " + this_host() + "\n");
  DirectoryLock::require_free(out.path());
  {
    const DirectoryLock lock(out.path());
    CHECK(contains(lock.found(), "corral.lock was left by process " + std::to_string(gone)));
    CHECK(contents(out / "corral.lock").starts_with("process " + std::to_string(getpid()) + " on "));
  }
  CHECK(files_in(out.path()).empty());

  put(out / "corral.lock", ""); // killed before it was written
  CHECK(contains(DirectoryLock(out.path()).found(), "left by a process"));
}

TEST_CASE("The system's lock counts, whatever the file says") {
  TemporaryDirectory out;
  const std::string text = GENERATE("", "process 2147483646 on nowhere\n");
  put(out / "corral.lock", text);
  const Descriptor theirs(::open((out / "corral.lock").c_str(), O_RDWR));
  REQUIRE(::flock(theirs.number(), LOCK_EX) == 0);
  CHECK(contains(message_of([&] { DirectoryLock lock(out.path()); }), "is in use"));
  CHECK(contains(message_of([&] { DirectoryLock::require_free(out.path()); }), "is in use"));
  CHECK(contents(out / "corral.lock") == text);
}

TEST_CASE("A lock of another host, or one that says nothing, is left to the user") {
  TemporaryDirectory out;
  const std::string foreign = GENERATE("process 1 on another-host\n", "process 1 on \n", "process -1 on x\n", "x",
                                       "process 1 on " "cut");
  put(out / "corral.lock", foreign);
  const std::string remedy = "remove";
  for (int look = 0; look < 2; ++look) {
    const std::string said = message_of([&] {
      if (look == 0) DirectoryLock::require_free(out.path());
      else DirectoryLock lock(out.path());
    });
    CHECK(contains(said, (out / "corral.lock").string()));
    CHECK(contains(said, "remove"));
    CHECK(contains(said, "process 1 on another-host") == foreign.starts_with("process 1 on another"));
  }
  CHECK(contents(out / "corral.lock") == foreign);
}

TEST_CASE("Of many that take a directory at once one has it") {
  for (const bool left : {false, true}) {
    TemporaryDirectory out;
    if (left) put(out / "corral.lock", "process " + std::to_string(ended_process()) + " on " + this_host() + "\n");
    constexpr int runs = 8;
    std::vector<std::unique_ptr<DirectoryLock>> locks(runs);
    std::atomic<int> refused = 0;
    {
      std::vector<std::jthread> threads;
      for (auto& lock : locks)
        threads.emplace_back([&] {
          try {
            lock = std::make_unique<DirectoryLock>(out.path());
          } catch (const UsageError&) {
            ++refused;
          }
        });
    }
    CHECK(refused == runs - 1);
  }
}
