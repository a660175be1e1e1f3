#include "tests/app/run/run_into.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <csignal>
#include <functional>
#include <limits>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

TEST_CASE("The time in which the driver was made stands first in the table, and counts") {
  TemporaryDirectory out;
  FakeDriver driver;
  RunPlan made = plan;
  made.set_up = 1000;
  run_into(out / "out", driver, made);
  CHECK(driver.phases().all().front().name == "set up");
  CHECK(driver.phases().all().front().seconds == 1000);
  CHECK(contains(contents(out / "out/summary.json"), "\"wall_seconds\": 100"));
}

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

TEST_CASE("The formats of a run's files are those that were asked for, and do not depend on each other") {
  TemporaryDirectory vtk, openpmd, both;
  RunPlan p = plan;
  const auto written = [&](const TemporaryDirectory& out) {
    FakeDriver driver;
    CHECK(run_into(out.path(), driver, p) == 0);
    auto files = files_in(out.path());
    files.erase("summary.json");
    return files;
  };
  auto of_vtk = written(vtk);
  p.files.openpmd = true;
  const auto of_both = written(both);
  p.files.vtk = false;
  const auto of_openpmd = written(openpmd);
  CHECK(names_in(openpmd.path()) ==
        std::vector<std::string>{"log.csv", "openpmd.pmd", "openpmd_000000000000.h5", "openpmd_000000000003.h5",
                                 "openpmd_000000000005.h5", "openpmd_000000000006.h5", "openpmd_000000000009.h5",
                                 "openpmd_000000000010.h5", "summary.json"});
  CHECK(of_openpmd.at("openpmd.pmd") == "openpmd_%T.h5\n");
  of_vtk.insert(of_openpmd.begin(), of_openpmd.end());
  CHECK(of_vtk == of_both);
}

TEST_CASE("What a driver notices is said once, in the step in which it does, and stands in the summary") {
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [&](std::int64_t step) {
    if (step == 3) driver.notices = {{"the sky is falling"}, {"a \"second\" thing"}};
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

TEST_CASE("Warnings stand in the summary, the worst of each at the end, and end a strict run") {
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [&](std::int64_t step) {
    if (step == 3) driver.notices = {{"all is well"}, {"the sky is falling", true}};
  };
  driver.all_doubts = {"the sky fell: 3 m at worst, at 0.03 s"};
  RunPlan p = plan;
  SECTION("which goes on else") {
    CHECK(run_into(out.path(), driver, p) == 0);
    const std::string summary = contents(out / "summary.json");
    CHECK(contains(summary, "\"warnings\": [\n    \"the sky is falling\"\n  ]"));
    CHECK(contains(summary, "\"doubts\": [\n    \"the sky fell: 3 m at worst, at 0.03 s\"\n  ]"));
  }
  SECTION("in the step in which they are given") {
    p.strict = true;
    CHECK_THROWS_WITH(run_into(out.path(), driver, p), Catch::Matchers::ContainsSubstring("a warning ends the run, by --strict: the sky is falling"));
    CHECK(contains(contents(out / "summary.json"), "\"outcome\": \"failed\""));
  }
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

TEST_CASE("A table grows by a row for each of its things when it is due") {
  TemporaryDirectory out;
  FakeDriver driver;
  RunPlan with_table = plan;
  with_table.tables = {{fake_layers, 0.05}};
  CHECK(run_into(out.path(), driver, with_table) == 0);
  const std::vector<std::string> rows = lines(contents(out / "layers.csv"));
  REQUIRE(rows.size() == 1 + 3 * 2);
  CHECK(rows[0] == "step,time,dt,z,pressure");
  CHECK(rows[1].starts_with("0,0,0,"));
  CHECK(rows[2].starts_with("0,0,0,"));
  for (const std::size_t row : {3u, 4u}) CHECK(rows[row].starts_with("5,0.05,0.01,"));
  CHECK(rows[3] != rows[4]);

  TemporaryDirectory other;
  FakeDriver failing;
  failing.at_step = [&](std::int64_t step) {
    if (step == 4) failing.pressure()[12] = std::numeric_limits<double>::infinity();
  };
  CHECK(contains(failure(other.path(), failing, with_table), "inf"));
  CHECK(lines(contents(other / "layers.csv")).size() == 1 + 2);
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
