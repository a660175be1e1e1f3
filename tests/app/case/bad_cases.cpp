#include "app/command/commands.hpp"
#include "tests/app/case/problems_of.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <sstream>
#include <sys/stat.h>

using namespace corral;
using test::case_with;
using test::contains;
using test::problems_of;

TEST_CASE("each bad override is refused with one message that names its key") {
  struct BadOverride {
    std::string text, message;
  };
  const std::vector<BadOverride> overrides{
      {"gas.density=-1", "gas.density: -1 kg/m3 is out of range"},
      {"gas.density=nan", "gas.density: 'nan' is not a finite"},
      {"gas.density=", "gas.density is missing (density of the gas [kg/m3])"},
      {"gas.densty=", "gas.densty is not known (nearest key: density)"},
      {"inlet.jet.velocity=", "the case has no [inlet.jet]"},
      {"gas.densty=1", "gas.densty is not known (nearest key: density)"},
      {"gass.density=1", "[gass] is not known (nearest section: gas)"},
      {"gas.density", "section.key=value is expected"},
      {"density=1", "section.key=value is expected"},
      {"=1", "section.key=value is expected"},
      {"", "section.key=value is expected"},
      {".density=1", "section.key=value is expected"},
      {"gas.=1", "section.key=value is expected"},
      {"gas.density=1\n2", "section.key=value is expected"},
      {"gas.density=\xFF", "section.key=value is expected"},
      {"case.title=\"a", "case.title: '\"a' has no closing quote"},
      {"case.driver=fak", "nearest: fake"},
      {"inlet.jet.velocity=1", "the case has no [inlet.jet]"},
      {"inlet.velocity=1", "[inlet] lacks a name"},
  };
  for (const BadOverride& bad : overrides) {
    const std::string said = problems_of(case_with(0, ""), {bad.text});
    INFO(bad.text << "\nsaid: " << said);
    CHECK(said.starts_with("--set: "));
    CHECK(contains(said, bad.message));
    CHECK(std::count(said.begin(), said.end(), '\n') == 0);
  }
  CHECK(contains(problems_of(case_with(0, ""), {"gas.density=1", "gas.density=2"}), "gas.density is set twice"));
}

TEST_CASE("all problems of a case are reported at once, by line") {
  std::string text = case_with(11, "density = -1");
  text += "[gass]\nx = 1\n[inlet.jet]\nvelocity = fast\n";
  const std::string said = problems_of(text, {"time.end=never"});
  INFO(said);
  const std::vector<std::string> beginnings{"case.ini:11: gas.density", "case.ini:23: [gass]",
                                            "case.ini:26: inlet.jet.velocity", "--set: time.end"};
  std::istringstream lines(said);
  std::string line;
  for (const std::string& b : beginnings) {
    REQUIRE(std::getline(lines, line));
    CHECK(line.starts_with(b));
  }
  CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("a file that is no case file is refused with its name and a line") {
  const test::TemporaryDirectory directory;
  const auto file = directory / "case.ini";
  auto said = [&](const std::filesystem::path& path) {
    return test::message_of([&] { app::read_case(path, {}, test::fake_kinds()); });
  };
  const std::string at_1 = file.string() + ":1: ";
  CHECK(said(directory.path()).starts_with(at_1 + "does not exist"));
  test::put(file, "");
  CHECK(said(directory.path()).starts_with(at_1 + "holds no settings"));
  CHECK(said(file).starts_with(at_1 + "is a file"));
  test::put(file, " \n# nothing\n\n");
  CHECK(said(directory.path()).starts_with(at_1 + "holds no settings"));
  test::put(file, "[case]\ntitle = " + std::string(10'000'000, 'x') + "\n");
  CHECK(said(directory.path()).starts_with(file.string() + ":2: the file is too large"));
  test::put(file, "# a comment\n" + std::string(4097, 'x') + "\n[case]\ndriver = fake\n");
  CHECK(said(directory.path()).starts_with(file.string() + ":2: the line has 4097 bytes"));
  std::filesystem::remove(file);
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  CHECK(said(directory.path()).starts_with(at_1 + "is not a regular file"));
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  CHECK(said(directory.path()).starts_with(at_1 + "is a directory"));
  const std::string long_name(300, 'x'); // neither there nor absent, as in a directory that may not be entered
  CHECK(contains(said(directory / long_name), "case.ini:1: cannot be looked at (File name too long)"));
}

TEST_CASE("a case file in another encoding is refused in one sentence") {
  using namespace std::string_literals;
  const auto wide = [](const std::string& mark, std::size_t before, std::size_t after) {
    std::string text = mark;
    for (const char c : case_with(0, "")) text += std::string(before, '\0') + c + std::string(after, '\0');
    return text;
  };
  struct Wide {
    std::string text, name;
  };
  for (const Wide& w : {Wide{wide("\xFF\xFE", 0, 1), "UTF-16"}, {wide("\xFE\xFF", 1, 0), "UTF-16"},
                        {wide("", 0, 1), "UTF-16"}, {wide("", 1, 0), "UTF-16"}, {wide("\xFF\xFE\0\0"s, 0, 3), "UTF-32"},
                        {wide("\0\0\xFE\xFF"s, 3, 0), "UTF-32"}, {wide("", 3, 0), "UTF-32"},
                        {wide("", 0, 3), "UTF-32"}})
    CHECK(problems_of(w.text) == "case.ini:1: the file is " + w.name + " (a case file is UTF-8) save it as UTF-8");
}

TEST_CASE("a file that --set names is blamed by its own name") {
  const test::TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "folder");
  const auto said = [&](const std::string& name) {
    return test::message_of([&] {
      app::parse_case(case_with(0, ""), "case.ini", directory.path(), {"solids.table=" + name}, test::fake_kinds());
    });
  };
  const std::string names_it = " (solids.table of --set names it)";
  CHECK(said("none.csv") == (directory / "none.csv").string() + ": does not exist" + names_it);
  CHECK(said("folder") == (directory / "folder").string() + ": is a directory" + names_it);
  CHECK(said("/dev/null") == "/dev/null: is not a regular file" + names_it);
  CHECK(said("a/" + std::string(300, 'b')).ends_with("a/" + std::string(300, 'b') + ": does not exist" + names_it));
  CHECK(contains(said(std::string(300, 'b')), "cannot be looked at (File name too long)"));
}

TEST_CASE("a flood of problems is cut short") {
  std::string text = case_with(0, "");
  for (int i = 0; i < 100'000; ++i) text += "x\n";
  const std::string said = problems_of(text);
  CHECK(std::count(said.begin(), said.end(), '\n') == 100);
  CHECK(contains(said, "and 900 more"));
}

TEST_CASE("bad input ends with status 2 and writes nothing") {
  const test::TemporaryDirectory directory;
  auto status = [&](const std::string& text, const std::string& command) {
    test::put(directory / "case.ini", text);
    std::ostringstream out, err;
    const int result = app::execute({command, directory.path().string()}, test::fake_kinds(), out, err);
    CHECK(contains(err.str(), directory.path().string() + "/case.ini:"));
    CHECK(out.str() == "");
    CHECK(test::files_in(directory.path()).size() == 1);
    return result;
  };
  for (const std::string command : {"run", "check"}) {
    CHECK(status(case_with(11, "densty = 1"), command) == 2);
    CHECK(status(case_with(19, "velocity = 11"), command) == 2); // refused by the driver
    CHECK(status("", command) == 2);
  }
}

TEST_CASE("check tells what a case comes to without making its driver") {
  const test::TemporaryDirectory directory;
  test::put(directory / "case.ini", case_with(0, ""));
  std::vector<run::DriverKind> kinds = test::fake_kinds();
  kinds.front().make = [](const run::Settings&, run::Problems&) -> std::unique_ptr<run::Driver> {
    throw std::bad_alloc(); // as a case larger than memory would
  };
  std::ostringstream out, err;
  CHECK(app::execute({"check", directory.path().string()}, kinds, out, err) == 0);
  CHECK(out.str() == "a fake\nthe case is valid\n");
  CHECK(app::execute({"run", directory.path().string()}, kinds, out, err) == 1);
}
