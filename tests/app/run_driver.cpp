#include "tests/catch.hpp"

#include "tests/app/fake_driver.hpp"
#include "tests/app/messages.hpp"
#include "tests/app/temporary_directory.hpp"

#include "app/run_driver.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <limits>
#include <sstream>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

namespace {

constexpr RunPlan plan{.end = 0.1, .until = {}, .steps = {}, .fields_interval = 0.05, .parcels_interval = 0.03,
                       .log_interval = 0.02};

int run_into(const std::filesystem::path& path, run::Driver& driver, const RunPlan& p = plan) {
  const OutputDirectory directory(path, false);
  directory.prepare();
  return run_driver(driver, p, directory, "a \"title\"", {});
}

// The message of the Error that the run ends with.
std::string failure(const std::filesystem::path& path, run::Driver& driver, const RunPlan& p = plan) {
  return message_of([&] { run_into(path, driver, p); });
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

std::vector<std::string> names_in(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  for (const auto& [name, content] : files_in(directory)) names.push_back(name);
  return names;
}

// No file of this process grows beyond `bytes` while it lives.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

private:
  rlimit before_{};
};

} // namespace

TEST_CASE("A run writes what is due, and its files say so") {
  TemporaryDirectory out;
  FakeDriver driver;
  CHECK(run_into(out.path(), driver) == 0);
  CHECK(names_in(out.path()) ==
        std::vector<std::string>{"fields.pvd", "fields_000000.vti", "fields_000001.vti", "fields_000002.vti",
                                 "log.csv", "parcels.pvd", "parcels_000000.vtp", "parcels_000001.vtp",
                                 "parcels_000002.vtp", "parcels_000003.vtp", "summary.json"});

  const std::vector<std::string> log = lines(contents(out / "log.csv"));
  REQUIRE(log.size() == 7);
  CHECK(log[0] == "step,time,dt,parcels,momentum");
  CHECK(log[1] == "0,0,0,10,0");
  for (std::size_t row = 1; row < log.size(); ++row)
    CHECK(log[row].starts_with(std::to_string(2 * (row - 1)) + ","));
  CHECK(contains(contents(out / "parcels.pvd"), "timestep=\"0.03\" part=\"0\" file=\"parcels_000001.vtp\""));

  const std::string summary = contents(out / "summary.json");
  CHECK(contains(summary, "\"outcome\": \"end\""));
  CHECK(contains(summary, "\"title\": \"a \\\"title\\\"\""));
  CHECK(contains(summary, "\"steps\": 10"));
  CHECK(contains(summary, "\"parcel_steps\": 100,"));
  CHECK(contains(summary, "\"answer\": 42"));
  CHECK(contains(summary, "\"name\": \"move\""));
}

TEST_CASE("A run ends where it is told to") {
  TemporaryDirectory out;
  FakeDriver driver;
  RunPlan p = plan;
  SECTION("by --until, with the first step at or after it") {
    p.until = 0.055;
    CHECK(run_into(out.path(), driver, p) == 0);
    CHECK(contains(contents(out / "summary.json"), "\"steps\": 6"));
    CHECK(contains(contents(out / "summary.json"), "\"outcome\": \"until\""));
  }
  SECTION("by --steps") {
    p.steps = 3;
    CHECK(run_into(out.path(), driver, p) == 0);
    CHECK(contains(contents(out / "summary.json"), "\"steps\": 3"));
    CHECK(contains(contents(out / "summary.json"), "\"outcome\": \"steps\""));
  }
  SECTION("before the first step") {
    p.steps = 0;
    CHECK(run_into(out.path(), driver, p) == 0);
    CHECK(lines(contents(out / "log.csv")).size() == 2);
  }
  SECTION("and a cut run writes what the whole one does up to there") {
    TemporaryDirectory whole;
    FakeDriver other;
    run_into(whole.path(), other);
    p.until = 0.06;
    run_into(out.path(), driver, p);
    for (const auto& [name, content] : files_in(out.path()))
      if (name.ends_with(".vti") || name.ends_with(".vtp")) CHECK(content == contents(whole / name));
    CHECK(contents(whole / "log.csv").starts_with(contents(out / "log.csv")));
  }
}

TEST_CASE("Nothing is written that was not asked for") {
  TemporaryDirectory out;
  FakeDriver driver;
  run_into(out.path(), driver, RunPlan{.end = 0.1});
  CHECK(names_in(out.path()) == std::vector<std::string>{"log.csv", "summary.json"});
  CHECK(lines(contents(out / "log.csv")).size() == 1);
}

TEST_CASE("Zero parcels run") {
  TemporaryDirectory out;
  FakeDriver driver(0);
  CHECK(run_into(out.path(), driver) == 0);
  CHECK(contains(contents(out / "parcels_000003.vtp"), "NumberOfPoints=\"0\" NumberOfVerts=\"0\""));
  CHECK(contains(contents(out / "summary.json"), "\"ns_per_parcel_step\": null"));
}

TEST_CASE("SIGINT and SIGTERM end a run after the step under way") {
  const int signal = GENERATE(SIGINT, SIGTERM);
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [signal](std::int64_t step) {
    if (step == 3) std::raise(signal);
  };
  struct sigaction before {}, after {};
  sigaction(signal, nullptr, &before);
  CHECK(run_into(out.path(), driver) == 3);
  sigaction(signal, nullptr, &after);
  CHECK(before.sa_handler == after.sa_handler);
  CHECK(driver.books().balance());
  CHECK(lines(contents(out / "log.csv")).size() == 4);
  CHECK(contains(contents(out / "summary.json"), "\"steps\": 4"));
  CHECK(contains(contents(out / "summary.json"), "\"outcome\": \"interrupted\""));
}

TEST_CASE("A value that is not finite ends the run in the step that made it") {
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [&](std::int64_t step) {
    if (step == 2) (*driver.velocity()[1])[7] = std::numeric_limits<double>::quiet_NaN();
  };
  const std::string message = failure(out.path(), driver);
  CHECK(contains(message, "velocity_y of parcel 1007 is nan (step 3, 0.03 s; "));
  CHECK(std::filesystem::exists(out / "dump_fields.vti"));
  CHECK(std::filesystem::exists(out / "dump_parcels.vtp"));
  CHECK(contains(contents(out / "summary.json"), "\"outcome\": \"failed\""));
  CHECK(contains(contents(out / "summary.json"), "velocity_y of parcel 1007 is nan"));
}

TEST_CASE("A step that fails ends the run with its message") {
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [&](std::int64_t step) {
    if (step == 5) ++driver.books().created();
  };
  CHECK(contains(failure(out.path(), driver), "the parcel books do not balance"));
  CHECK(contains(contents(out / "summary.json"), "\"steps\": 5"));
}

TEST_CASE("A time step that leads nowhere is refused") {
  const double dt = GENERATE(0.0, -0.01, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity());
  TemporaryDirectory out;
  FakeDriver driver(10, dt);
  CHECK(contains(failure(out.path(), driver), "time step"));
}

TEST_CASE("A file that cannot be written whole ends the run and is not left behind") {
  TemporaryDirectory out;
  FakeDriver driver(200);
  std::string message;
  {
    const FileSizeLimit limit(3000);
    message = failure(out.path(), driver);
  }
  CHECK(contains(message, "cannot write"));
  CHECK(contains(message, "parcels_000000.vtp"));
  CHECK(contains(message, "make room"));
  CHECK(names_in(out.path()) ==
        std::vector<std::string>{"fields.pvd", "fields_000000.vti", "log.csv", "summary.json"});
}

TEST_CASE("A log on a full disk ends the run") {
  TemporaryDirectory out;
  FakeDriver driver;
  std::filesystem::create_symlink("/dev/full", out / "log.csv");
  const OutputDirectory directory(out.path(), true);
  CHECK(contains(message_of([&] { run_driver(driver, plan, directory, "", {}); }), "No space left on device"));
}

TEST_CASE("Every file but summary.json has the same bits for any number of threads") {
  const auto files_with = [](int threads, const std::function<void(FakeDriver&)>& prepare) {
    TemporaryDirectory out;
    run_with_threads(threads, [&] {
      FakeDriver driver(10000);
      prepare(driver);
      run_into(out.path(), driver);
    });
    auto files = files_in(out.path());
    files.erase("summary.json");
    return files;
  };
  const auto nothing = [](FakeDriver&) {};
  const auto one = files_with(1, nothing);
  REQUIRE(one.size() == 10);
  CHECK(files_with(2, nothing) == one);
  CHECK(files_with(3, nothing) == one);

  // The comparison sees a single value that depends on the threads.
  const auto planted = [](FakeDriver& driver) {
    driver.at_step = [&driver](std::int64_t) { driver.pressure()[5] += 1e-16 * current_threads(); };
  };
  CHECK(files_with(2, planted) != files_with(1, planted));
}
