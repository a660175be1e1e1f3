#include "tests/app/fake_driver.hpp"

#include "app/case/case_file.hpp"
#include "app/command/commands.hpp"
#include "run/case/keys.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <sstream>

using namespace corral;
using test::contains;

namespace {

using Words = std::vector<std::string>;

struct Answer {
  int status;
  std::string out, err;
};

Answer corral_command(const Words& words) {
  std::ostringstream out, err;
  const int status = app::execute(words, test::fake_kinds(), out, err);
  return {status, out.str(), err.str()};
}

app::RunOptions run_options(const Words& words) { return std::get<app::RunOptions>(app::read_command_line(words)); }

} // namespace

TEST_CASE("the options of a run are read") {
  const app::RunOptions plain = run_options({"run", "bed"});
  CHECK(plain.case_directory == "bed");
  CHECK(plain.overrides.empty());
  CHECK(plain.threads == 0);
  CHECK_FALSE(plain.until);
  CHECK_FALSE(plain.steps);
  CHECK(plain.output == "bed/out");
  CHECK_FALSE(plain.overwrite);
  CHECK_FALSE(plain.quiet);
  CHECK(plain.backend.backend == app::Backend::cpu);
  CHECK_FALSE(plain.backend.device);

  const app::RunOptions full =
      run_options({"run", "--set", "gas.density=-1", "--threads=3", "bed", "--until", "20 ms", "--steps", "1e3",
                   "--set", "a.b=c d", "--output", "o", "--overwrite", "-q", "--backend=gpu", "--device", "2"});
  CHECK(full.case_directory == "bed");
  CHECK(full.overrides == Words{"gas.density=-1", "a.b=c d"});
  CHECK(full.threads == 3);
  CHECK(full.until == 0.02);
  CHECK(full.steps == 1000);
  CHECK(full.output == "o");
  CHECK(full.overwrite);
  CHECK(full.quiet);
  CHECK(full.backend.backend == app::Backend::gpu);
  CHECK(full.backend.device == 2);
}

TEST_CASE("a device is refused in one line where nothing would use it, before anything is written") {
  const test::TemporaryDirectory directory;
  test::put(directory / "case.ini", test::case_with(0, ""));
  const auto refused = [&](const Words& options, const std::string& said) {
    for (const std::string command : {"run", "check"}) {
      Words words{command, directory.path().string()};
      words.insert(words.end(), options.begin(), options.end());
      const Answer answer = corral_command(words);
      CHECK(answer.status == 2);
      CHECK(answer.err == "corral: " + said + "\n");
      CHECK(answer.out == "");
      CHECK(!std::filesystem::exists(directory / "out"));
    }
  };
  refused({"--backend", "gpu"}, "--backend gpu with driver = fake (all of it is the CPU's) leave --backend out");
  refused({"--device", "1"}, "--device 1 with driver = fake on the CPU (nothing of it is on a device) leave --device out");
  CHECK(corral_command({"check", directory.path().string(), "--backend", "cpu"}).status == 0);
}

TEST_CASE("bad usage is refused in one line with status 2") {
  struct Bad {
    Words words;
    std::string message;
  };
  const std::vector<Bad> all{
      {{}, "a command is missing (run, resume, check, describe, info, bench or stokes): see corral --help"},
      {{"rum"}, "'rum' is not a command (nearest: run)"},
      {{"simulate"}, "info, bench or stokes): see corral --help"},
      {{"resume"}, "needs a case"},
      {{"resume", "a", "--overwrite"}, "no option '--overwrite'"},
      {{"info", "file"}, "file: No such file"}, {{"info", "/"}, "/ holds no checkpoint"},
      {{"info"}, "takes one path"},
      {{"bench", "--cell", "8"}, "corral bench has no option '--cell'"},
      {{"bench", "--particles", "many"}, "--particles: 'many' is no whole number"},
      {{"run"}, "needs a case"},
      {{"run", ""}, "needs a case"},
      {{"check"}, "needs a case"},
      {{"run", "a", "b"}, "takes one case ('b' is too many)"},
      {{"run", "a", "--backend", "tpu"}, "--backend: 'tpu'"},
      {{"resume", "a", "--backend", "g"}, "choices: cpu, gpu"},
      {{"check", "a", "--device", "-1"}, "-1 is out of range (0 to 4096)"},
      {{"info", "a", "--backend", "gpu"}, "no option '--backend'"},
      {{"run", "a", "--thread", "2"}, "(nearest: --threads)"},
      {{"run", "a", "--thr=2"}, "no option '--thr' (nearest: --threads)"},
      {{"run", "a", "--over"}, "no option '--over' (nearest: --overwrite)"},
      {{"run", "a", "--json"}, "no option '--json'"},
      {{"check", "a", "--threads", "2"}, "no option '--threads'"},
      {{"run", "a", "-x"}, "no option '-x'"},
      {{"run", "a", "--threads"}, "--threads"},
      {{"run", "a", "--threads", "-1"}, "-1 is out of range (0 to 4096)"},
      {{"run", "a", "--threads", "2x"}, "not a unit"},
      {{"run", "a", "--threads", "5000"}, "out of range"},
      {{"run", "a", "--threads", "1", "--threads", "2"}, "more than once"},
      {{"run", "a", "--until", "nan"}, "not a finite decimal number"},
      {{"run", "a", "--until", "5 m"}, "(s or a unit of its kind is expected)"},
      {{"run", "a", "--until=-1"}, "out of range (at least 0)"},
      {{"run", "a", "--steps", "1.5"}, "not a whole number"},
      {{"run", "a", "--steps=-1"}, "out of range (at least 0)"},
      {{"run", "a", "--output", ""}, "--output"},
      {{"run", "a", "--quiet=yes"}, "--quiet"},
      {{"run", "a\nb"}, "corral run: 'a?b' holds a line break"},
      {{"check", "a\rb"}, "corral check: 'a?b' holds a line break or another control character"},
      {{"run", "a", "--output", "b\n"}, "--output: 'b?' holds a line break"},
      {{"describe", "gas", "solids"}, "takes one key"},
      {{"describe", "gas.densty"}, "(nearest: gas.density)"},
      {{"describe", "gass"}, "(nearest: gas)"},
      {{"describe", "everything"}, "corral describe lists all"},
  };
  for (const Bad& bad : all) {
    const Answer answer = corral_command(bad.words);
    INFO("said: " << answer.err);
    CHECK(answer.status == 2);
    CHECK(answer.err.starts_with("corral: "));
    CHECK(contains(answer.err, bad.message));
    CHECK(std::count(answer.err.begin(), answer.err.end(), '\n') == 1);
    CHECK(answer.out == "");
  }
}

TEST_CASE("help and version are answers, and help names what there is only") {
  for (const Words& words : {Words{"--help"}, {"-h"}, {"run", "--help"}, {"resume", "-h"}, {"info", "-h"}, {"check", "-h"}, {"describe", "--help"},
                             {"bench", "--help"}, {"stokes", "--help"}}) {
    const Answer answer = corral_command(words);
    CHECK(answer.status == 0);
    CHECK(answer.err == "");
    CHECK(contains(answer.out, "corral"));
    const bool steps = words[0] == "run" || words[0] == "resume" || words[0] == "check";
    CHECK(contains(answer.out, "--backend") == (steps || words[0] == "bench"));
    CHECK(contains(answer.out, "--device") == steps);
  }
  CHECK(corral_command({"--version"}).out.starts_with("corral 0."));
}

TEST_CASE("describe lists every key, in full, as a section, and as JSON") {
  const std::string all = corral_command({"describe"}).out;
  const std::string json = corral_command({"describe", "--json"}).out;
  const run::KeyTable table = app::key_table(test::fake_kinds().front(), test::fake_kinds());
  REQUIRE(table.rows().size() > 10);
  for (const run::Key& key : table.rows()) {
    INFO(key.section << "." << key.name);
    CHECK(contains(all, "\n[" + key.section + "]\n"));
    CHECK(contains(all, "\n  " + key.name + " "));
    CHECK(contains(json, "\"key\": \"" + key.name + "\""));
    const std::string one = corral_command({"describe", key.section + "." + key.name}).out;
    for (const std::string& part : {key.section + "." + key.name, key.meaning, std::string(name(key.type)), key.unit,
                                    key.range(), key.fallback.value_or(key.required ? "required" : "optional")})
      CHECK(contains(one, part));
    for (const std::string& choice : key.choices) CHECK(contains(one, choice));
  }
  const std::string gas = corral_command({"describe", "gas"}).out;
  CHECK(gas.starts_with("[gas]\n"));
  CHECK(contains(gas, "\n  density    real [kg/m3] "));
  CHECK_FALSE(contains(gas, "[solids]"));
  for (const std::string asked : {"inlet", "inlet.*", "inlet.bottom"})
    CHECK(corral_command({"describe", asked}).out.starts_with("[inlet.*]\n"));
}

TEST_CASE("check reports a valid case and writes nothing") {
  const test::TemporaryDirectory directory;
  test::put(directory / "case.ini", test::case_with(0, ""));
  const Answer answer = corral_command({"check", directory.path().string(), "--set", "solids.parcels=7"});
  CHECK(answer.status == 0);
  CHECK(answer.err == "");
  CHECK(contains(answer.out, "a fake\n"));
  CHECK(contains(answer.out, "the case is valid\n"));
  CHECK(test::files_in(directory.path()).size() == 1);
}

TEST_CASE("a run writes a used.ini that runs to the same results") {
  const test::TemporaryDirectory directory;
  test::put(directory / "case.ini", test::case_with(0, ""));
  const Answer first = corral_command({"run", directory.path().string(), "--quiet", "--set", "solids.parcels=7"});
  REQUIRE(first.err == "");
  REQUIRE(first.status == 0);
  std::filesystem::create_directory(directory / "again");
  std::filesystem::copy_file(directory / "out/used.ini", directory / "again/case.ini");
  REQUIRE(corral_command({"run", (directory / "again").string(), "--quiet"}).status == 0);

  auto results = test::files_in(directory / "out");
  auto again = test::files_in(directory / "again/out");
  CHECK(results.contains("log.csv"));
  results.erase("summary.json"); // wall-clock figures
  again.erase("summary.json");
  CHECK(results == again);

  CHECK(corral_command({"run", directory.path().string(), "--quiet"}).status == 2); // results are there
  CHECK(corral_command({"run", directory.path().string(), "--quiet", "--overwrite"}).status == 0);
}
