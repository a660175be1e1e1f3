#include "tests/app/run/run_into.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include "app/command/commands.hpp"
#include "app/system/files.hpp"

#include <cmath>
#include <limits>
#include <new>
#include <sys/stat.h>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

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
  WARN("promise nan: " << message.substr(0, message.find(" (")));
}

TEST_CASE("The state of a run that fails is dumped in the format of its files") {
  TemporaryDirectory out;
  FakeDriver driver;
  driver.at_step = [&](std::int64_t step) {
    if (step == 2) driver.pressure()[3] = std::numeric_limits<double>::infinity();
  };
  RunPlan p = plan;
  p.files.vtk = false;
  p.files.openpmd = true;
  CHECK(contains(failure(out.path(), driver, p), "the state is in dump_openpmd.h5)"));
  CHECK(names_in(out.path()) == std::vector<std::string>{"dump_openpmd.h5", "log.csv", "openpmd.pmd", "openpmd_000000000000.h5", "summary.json"});
  CHECK(contains(info({out / "dump_openpmd.h5"}), "/particles/parcels/position/x"));
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

TEST_CASE("Nor is one by openPMD, wherever within it the disk is full") {
  const auto begun = [](const TemporaryDirectory& out, std::size_t limit) {
    FakeDriver driver(200);
    RunPlan p = plan;
    p.files.vtk = false;
    p.files.openpmd = true;
    const FileSizeLimit limited(limit);
    return failure(out.path(), driver, p);
  };
  for (std::size_t limit = 2000; limit < 30000; limit += 1500) {
    TemporaryDirectory out;
    const std::string message = begun(out, limit);
    INFO(limit << ": " << message);
    CHECK(contains(message, "cannot write"));
    CHECK(contains(message, "openpmd_000000000000.h5.part"));
    CHECK(contains(message, "ulimit -f"));
    CHECK(names_in(out.path()) == std::vector<std::string>{"log.csv", "summary.json"});
  }
}

TEST_CASE("Links and pipes in the way of results are replaced, and nothing is written through them") {
  TemporaryDirectory out, elsewhere;
  put(elsewhere / "precious", "as it was");
  for (const char* name : {"log.csv", "log.csv.part", "summary.json.part", "fields_000000.vti.part"})
    std::filesystem::create_symlink(elsewhere / "precious", out / name);
  REQUIRE(mkfifo((out / "parcels_000000.vtp.part").c_str(), 0600) == 0);
  FakeDriver driver;
  const OutputDirectory directory(out.path(), true, {.sets = {"parcels"}, .tables = {}});
  const Interrupts interrupts;
  Console quiet;
  run_driver(driver, plan, directory, interrupts, quiet);
  CHECK(contents(elsewhere / "precious") == "as it was");
  for (const char* name : {"log.csv", "summary.json", "fields_000000.vti", "parcels_000000.vtp"}) {
    INFO(name);
    CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(out / name)));
  }
}

TEST_CASE("A table is not continued through a link, and nobody waits for what is no file") {
  TemporaryDirectory out;
  put(out / "elsewhere", "as it was");
  std::filesystem::create_symlink(out / "elsewhere", out / "log.csv");
  CHECK(contains(message_of([&] { OutputFile(out / "log.csv", 2); }), "put the file itself there, not a link to it"));
  CHECK(contents(out / "elsewhere") == "as it was");
  REQUIRE(mkfifo((out / "pipe").c_str(), 0600) == 0);
  CHECK(contains(message_of([&] { OutputFile(out / "pipe", 0); }), "cannot write"));
  for (const std::filesystem::path& path : {out / "pipe", std::filesystem::path("/dev/zero"), out.path()})
    CHECK(contains(message_of([&] { read_whole_file(path, 100); }), "is not a file"));
}
