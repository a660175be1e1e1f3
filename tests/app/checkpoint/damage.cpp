#include "tests/app/checkpoint/small_state.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"
#include "tests/sanitized.hpp"

#include "app/checkpoint/checkpoints.hpp"
#include "app/system/checksum.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <filesystem>
#include <random>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

namespace {

bool is_refused(const std::filesystem::path& checkpoint) {
  try {
    open_checkpoint(checkpoint);
    return false;
  } catch (const Error&) {
    return true;
  }
}

/// A checkpoint of a small state, and the files it is made of.
struct Written {
  Written() {
    SmallState state(8);
    state.fill(3);
    checkpoints.add(state.state, state.loop, state.clock, {"[case]\n", {{"a.file", checksum("x")}}, {"a.key=1"}, {{"log.csv", 4, checksum("y")}}}, 2);
    std::vector<std::string> refused;
    directory = checkpoints.newest(refused).value().directory;
    for (const char* name : {"manifest", "state.h5", "used.ini"}) files.push_back(directory / name);
  }

  TemporaryDirectory out;
  Checkpoints checkpoints{out.path()};
  std::filesystem::path directory;
  std::vector<std::filesystem::path> files;
};

} // namespace

TEST_CASE("Every flipped bit and every cut of a checkpoint is noticed before anything is parsed") {
  const Written written;
  REQUIRE(!is_refused(written.directory));
  std::mt19937 random(1);
  int flips = 0, cuts = 0;
  for (const std::filesystem::path& file : written.files) {
    const std::string whole = contents(file);
    for (int i = 0; i < (sanitized ? 300 : 3500); ++i, ++flips) {
      std::string damaged = whole;
      damaged[random() % damaged.size()] ^= static_cast<char>(1U << (random() % 8));
      put(file, damaged);
      if (!is_refused(written.directory)) FAIL("a flipped bit of " << file << " went unnoticed");
    }
    for (int i = 0; i < (sanitized ? 50 : 350); ++i, ++cuts) {
      put(file, whole.substr(0, random() % whole.size()));
      if (!is_refused(written.directory)) FAIL("a cut of " << file << " went unnoticed");
    }
    put(file, whole + "x");
    CHECK(is_refused(written.directory));
    std::filesystem::remove(file);
    CHECK(is_refused(written.directory));
    put(file, whole);
    CHECK(!is_refused(written.directory));
  }
  WARN("promise corruption: " << flips << " flipped bits and " << cuts << " cuts, all noticed");
}

TEST_CASE("A manifest of nonsense with a checksum that is right is refused, and none leads out of its directory") {
  const Written written;
  const std::string whole = contents(written.files[0]), end = whole.substr(whole.rfind("end "));
  const std::string body = whole.substr(0, whole.size() - end.size());
  const auto with = [&](const std::string& text) {
    put(written.files[0], text + "end " + checksum(text) + "\n");
    return message_of([&] { open_checkpoint(written.directory); });
  };
  CHECK(with(body) == "no error");
  CHECK(contains(with(body + "part 18446744073709551615 huge\n"), "huge"));
  CHECK(contains(with(body + "part 99999999999999999999 huge\n"), "is no number"));
  CHECK(contains(with(body + "part 1 ../../secret\n"), "a part is called"));
  CHECK(contains(with(body + "part -1 x\n"), "is no number"));
  CHECK(contains(with("corral checkpoint 3\nstep 1\ntime 0\n"), "does not name state.h5"));
  CHECK(contains(with("corral checkpoint 1\n"), "another version"));
  CHECK(contains(with("corral checkpoint 3\nblock 0\n"), "begins with 'block'"));
  std::mt19937 random(2);
  for (int i = 0; i < 3000; ++i) {
    std::string text = body;
    for (int edits = 0; edits < 3; ++edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2) text.erase(at, random() % 40);
      else text.insert(at, std::string(1 + random() % 3, static_cast<char>(random() % 256)));
    }
    with(text); // refused or read, and nothing else
  }
}

TEST_CASE("The newest that is whole is found, the last ones stay, and a step has one checkpoint") {
  const TemporaryDirectory out;
  const Checkpoints checkpoints(out.path());
  SmallState state(8);
  for (int step = 1; step <= 5; ++step) {
    state.fill(step);
    for (int twice = 0; twice < 2; ++twice) checkpoints.add(state.state, state.loop, state.clock, {}, 3);
  }
  std::vector<std::string> refused;
  CHECK(checkpoints.newest(refused)->manifest.step == 5);
  CHECK(contents(out / "checkpoint/newest") == "000000000005\n");
  CHECK(!std::filesystem::exists(out / "checkpoint/000000000002"));
  put(out / "checkpoint/000000000005/state.h5", "");
  CHECK(checkpoints.newest(refused)->manifest.step == 4);
  REQUIRE(refused.size() == 1);
  CHECK(contains(refused[0], "000000000005 is left aside"));
  checkpoints.add(state.state, state.loop, state.clock, {}, 3);
  CHECK(checkpoints.newest(refused)->manifest.step == 5);
  checkpoints.remove_all();
  CHECK(!checkpoints.newest(refused));
  CHECK(!std::filesystem::exists(checkpoints.directory()));
}

TEST_CASE("what a run was told stands in its manifest, blanks and all") {
  Manifest m;
  m.overrides = {"time.end = 2 s", "case.title=", "case.title=\"  two  blanks \""};
  CHECK(Manifest::parse(m.text()).overrides == m.overrides);
}

TEST_CASE("what another program or processor may change in a run that goes on is said") {
  const Written written;
  const Manifest here = Manifest::parse(contents(written.directory / "manifest"));
  CHECK(!here.version.empty());
  CHECK(here.instruction_set == instruction_set());
  CHECK(here.notices(here.instruction_set).empty());

  Manifest other = here;
  other.version = "0.0.9";
  other.instruction_set = "a set of nobody's";
  const std::vector<std::string> said = Manifest::parse(other.text()).notices(here.instruction_set);
  REQUIRE(said.size() == 2);
  CHECK(contains(said[0], "written by corral 0.0.9, and goes on with " + here.version));
  CHECK(contains(said[1], "written by maps for a set of nobody's, and this processor's are for " + here.instruction_set));

  other = here; // these two give the same bits
  for (const char* set : {"AVX2", "AVX3"}) {
    other.instruction_set = set;
    CHECK(other.notices(here.instruction_set).empty() == (here.instruction_set == "AVX2" || here.instruction_set == "AVX3"));
  }
}
