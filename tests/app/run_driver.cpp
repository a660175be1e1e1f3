#include "tests/catch.hpp"

#include "tests/app/fake_driver.hpp"
#include "tests/app/file_size_limit.hpp"
#include "tests/app/messages.hpp"
#include "tests/app/temporary_directory.hpp"

#include "app/run_driver.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <new>
#include <sstream>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

namespace {

const RunPlan plan{.end = 0.1, .until = {}, .steps = {}, .fields_interval = 0.05, .log_interval = 0.02,
                   .particle_intervals = {{"parcels", 0.03}}};

int run_into(const std::filesystem::path& path, run::Driver& driver, const RunPlan& p = plan) {
  const OutputDirectory directory(path, false, {"parcels"});
  const auto lock = directory.prepare();
  const Interrupts interrupts;
  Voices quiet;
  return run_driver(driver, p, directory, "a \"title\"", interrupts, quiet);
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

TEST_CASE("What a driver notices is said once, in the step in which it does, and stands in the summary") {
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [&](std::int64_t step) {
    if (step == 3) driver.notices = {"the sky is falling", "a \"second\" thing"};
  };
  SECTION("until the end") {
    CHECK(run_into(out.path(), driver) == 0);
  }
  SECTION("and where the run fails in a later step") {
    driver.at_step = [&, before = driver.at_step](std::int64_t step) {
      before(step);
      if (step == 5) throw Error("enough");
    };
    CHECK_THROWS_AS(run_into(out.path(), driver), Error);
  }
  const std::string summary = contents(out / "summary.json");
  INFO(summary);
  const std::size_t first = summary.find("\"the sky is falling\""), second = summary.find("\"a \\\"second\\\" thing\"");
  REQUIRE(first != std::string::npos);
  CHECK(summary.find("\"notices\"") < first);
  CHECK(first < second);
  CHECK(second != std::string::npos);
  CHECK(summary.find("sky", first + 8) == std::string::npos);
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

TEST_CASE("SIGINT, SIGTERM and SIGHUP end a run after the step under way") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const auto inherited = std::signal(signal, SIG_DFL); // a shell ignores SIGINT for what runs in its background
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [signal](std::int64_t step) {
    if (step == 3) std::raise(signal);
  };
  struct sigaction before {}, after {};
  sigaction(signal, nullptr, &before);
  CHECK(run_into(out.path(), driver) == 3);
  sigaction(signal, nullptr, &after);
  std::signal(signal, inherited);
  CHECK(before.sa_handler == after.sa_handler);
  CHECK(driver.books().balance());
  CHECK(lines(contents(out / "log.csv")).size() == 4);
  CHECK(contains(contents(out / "summary.json"), "\"steps\": 4"));
  CHECK(contains(contents(out / "summary.json"), "\"outcome\": \"interrupted\""));
}

TEST_CASE("A signal that was ignored when the run began does not end it") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const auto inherited = std::signal(signal, SIG_IGN);
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [signal](std::int64_t) { std::raise(signal); };
  CHECK(run_into(out.path(), driver) == 0);
  CHECK(std::signal(signal, inherited) == SIG_IGN);
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

TEST_CASE("A figure that is not finite ends the run before it is logged") {
  const double value = GENERATE(std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity());
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [&](std::int64_t step) {
    if (step == 3) driver.set_momentum(value);
  };
  const std::string name = std::isnan(value) ? "nan" : "-inf";
  CHECK(contains(failure(out.path(), driver), "momentum of log.csv is " + name + " (step 4, 0.04 s; "));
  CHECK(lines(contents(out / "log.csv")).size() == 3);
  CHECK(contents(out / "log.csv").ends_with("\n"));
  CHECK(contains(contents(out / "summary.json"), "\"outcome\": \"failed\""));
}

TEST_CASE("log.csv on a disk that fills ends with a whole row") {
  TemporaryDirectory out;
  FakeDriver driver;
  RunPlan p{.end = 100};
  p.log_interval = 0.01;
  {
    const FileSizeLimit limit(1500); // within a row, wherever that is: the sizes of rows differ
    CHECK(contains(failure(out.path(), driver, p), "log.csv"));
  }
  const std::string log = contents(out / "log.csv");
  CHECK(log.size() > 1400);
  CHECK(log.size() < 1500);
  CHECK(log.ends_with("\n"));
  TemporaryDirectory whole;
  FakeDriver same;
  p.end = 1;
  run_into(whole.path(), same, p);
  CHECK(contents(whole / "log.csv").starts_with(log));
}

TEST_CASE("Memory that does not suffice is said in a sentence, with what took it") {
  TemporaryDirectory out;
  FakeDriver driver;
  SECTION("an array of the state") {
    driver.at_step = [&](std::int64_t step) {
      if (step == 2) driver.parcels().resize(std::int64_t{1} << 61);
    };
    const std::string said = failure(out.path(), driver);
    CHECK(said.starts_with("out of memory (position_x of 2305843009213693952 parcels takes 1.84e+10 GB; the case takes "
                           "about 42 MB at its start; "));
    CHECK(contains(contents(out / "summary.json"), said));
  }
  SECTION("anything else") {
    driver.at_step = [](std::int64_t) { throw std::bad_alloc(); };
    CHECK(failure(out.path(), driver).starts_with("out of memory (the case takes about 42 MB at its start; "));
  }
  CHECK_FALSE(contains(contents(out / "summary.json"), "bad_alloc"));
}

TEST_CASE("A step that fails ends the run with its message") {
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [&](std::int64_t step) {
    if (step == 5) ++driver.books().created();
  };
  CHECK(contains(failure(out.path(), driver), "the books of the parcels do not balance"));
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
  CHECK(contains(message, "ulimit -f"));
  CHECK(names_in(out.path()) ==
        std::vector<std::string>{"fields.pvd", "fields_000000.vti", "log.csv", "summary.json"});
}

TEST_CASE("A log on a full disk ends the run") {
  TemporaryDirectory out;
  FakeDriver driver;
  std::filesystem::create_symlink("/dev/full", out / "log.csv");
  const OutputDirectory directory(out.path(), true, {"parcels"});
  const Interrupts interrupts;
  Voices quiet;
  CHECK(contains(message_of([&] { run_driver(driver, plan, directory, "", interrupts, quiet); }),
                 "No space left on device"));
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
