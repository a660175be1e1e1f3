#include "fake_kind.hpp"

#include "app/case/case_file.hpp"
#include "app/command/commands.hpp"
#include "messages.hpp"
#include "run/case/problems.hpp"
#include "temporary_directory.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <sstream>
#include <sys/stat.h>

using namespace corral;
using test::case_with;
using test::contains;

namespace {

std::string problems_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    app::parse_case(text, "case.ini", ".", overrides, test::fake_kinds());
  } catch (const run::CaseError& e) {
    return e.what();
  }
  return "";
}

struct BadLine {
  int line; ///< that is replaced in the valid case; 0: appended, as line 23
  std::string text;
  std::string message; ///< part of what is said
  int blamed = 0;      ///< line that is named, where it is another one
};

const std::vector<BadLine> bad_lines{
    // Names
    {2, "[cas]", "case.driver is missing", 1},
    {5, "[tme]", "(nearest section: time)"},
    {7, "[Grid]", "(nearest section: grid)"},
    {10, "[gass]", "(nearest section: gas)"},
    {21, "[plasma]", "known sections: case, time"},
    {18, "[inlt.bottom]", "(nearest section: inlet.bottom)"},
    {18, "[inlet]", "lacks a name of its own"},
    {18, "[inlet.]", "not a section's name"},
    {18, "[inlet.a.b]", "not a section's name"},
    {18, "[inlet.a b]", "not a section's name"},
    {18, "[gas.bottom]", "[gas.bottom] is not known"},
    {3, "drivr = fake", "(nearest key: driver)"},
    {3, "driver = fak", "nearest: fake"},
    {3, "driver = openfoam", "choices: fake"},
    {3, "driver =", "has no value"},
    {6, "ned = 5", "(nearest key: end)"},
    {11, "densty = 1.2", "(nearest key: density)"},
    {11, "Density = 1.2", "(nearest key: density)"},
    {11, "dens = 1.2", "(nearest key: density)"},
    {12, "viscocity = 1e-5", "(nearest key: viscosity)"},
    {12, "ivscosity = 1e-5", "(nearest key: viscosity)"},
    {12, "frozen = true", "(it is a key of [solids]: parcels never move)"},
    {12, "colour = red", "known keys: density, viscosity"},
    {19, "velocty = 1.5", "(nearest key: velocity)"},
    {20, "density = 1", "(it is a key of [gas]: density of the gas)"},
    // Syntax
    {1, "driver = fake", "outside a section"},
    {1, "A valid case", "has no '='"},
    {1, "; A valid case", "comments begin with #"},
    {1, "// A valid case", "comments begin with #"},
    {2, "[case", "is not closed"},
    {2, "[case] driver", "is not closed"},
    {2, "[]", "not a section's name"},
    {2, "[ca se]", "not a section's name"},
    {2, "[1case]", "not a section's name"},
    {2, "case]", "has no '='"},
    {3, "driver fake", "has no '='"},
    {3, "driver: fake", "has no '='"},
    {3, "= fake", "'' is not a key's name"},
    {3, "the driver = fake", "not a key's name"},
    {3, "case.driver = fake", "not a key's name"},
    {3, "3 = fake", "not a key's name"},
    {3, "dr\xC3\xADver = fake", "not a key's name"},
    {4, "title = \"no end", "no closing quote"},
    {4, "title = \"one\" two", "goes on after its closing quote"},
    {4, "title = one \"two\"", "stray quote"},
    {4, "title = \"", "no closing quote"},
    {4, "title = " + std::string(1001, 'x'), "longer than 1000 bytes"},
    {4, "title = " + std::string(5000, 'x'), "the limit is 4096"},
    {4, "title = \"a \" b\"", "goes on after its closing quote"},
    {4, std::string("title = a\0b", 11), "control character in column 10"},
    {4, "title = a\x1F" "b", "control character in column 10"},
    {4, "title = a\rb", "control character"},
    {4, "title = \xE9t\xE9", "column 9 is not UTF-8"},
    {4, "title = \xC0\xAF", "not UTF-8"},
    {4, "title = \xED\xA0\x80", "not UTF-8"},
    {4, "title = \xF4\x90\x80\x80", "not UTF-8"},
    {4, "title = \xE2\x82", "not UTF-8"},
    // What stands twice
    {4, "driver = fake", "case.driver stands twice (first in line 3)"},
    {7, "[time]", "[time] stands twice (first in line 5)"},
    {0, "[inlet.bottom]", "[inlet.bottom] stands twice (first in line 18)"},
    {0, "log = 0.02", "output.log stands twice (first in line 22)"},
    // What is missing
    {3, "", "case.driver is missing", 2},
    {6, "", "time.end is missing", 5},
    {8, "", "grid.cells is missing", 7},
    {11, "", "gas.density is missing (density of the gas [kg/m3])", 10},
    {19, "", "inlet.bottom.velocity is missing", 18},
    {0, "[inlet.jet]", "inlet.jet.velocity is missing"},
    // Numbers
    {11, "density = dense", "'dense' is not a finite decimal number"},
    {11, "density = nan", "'nan' is not a finite decimal number"},
    {11, "density = NaN kg/m3", "not a finite decimal number"},
    {11, "density = inf", "'inf' is not a finite decimal number"},
    {11, "density = -Infinity", "not a finite decimal number"},
    {11, "density = 1e999", "beyond the range"},
    {11, "density = 1e99999999999999999999", "beyond the range"},
    {11, "density = 1e-999", "beyond the range"},
    {11, "density = 0", "0 kg/m3 is out of range (above 0)"},
    {11, "density = -1.2", "-1.2 kg/m3 is out of range (above 0)"},
    {11, "density = 1,2", "is a list"},
    {11, "density = 1.2.3", "not a unit"},
    {11, "density = 0x10", "not a unit"},
    {11, "density = 1_000", "not a unit"},
    {11, "density = --1", "not a finite decimal number"},
    {11, "density = .", "not a finite decimal number"},
    {11, "density = e5", "not a finite decimal number"},
    {11, "density = \"\"", "has no value"},
    {11, "density =    # 1.2", "has no value"},
    {11, "density = 1.2# kg/m3", "not a unit"},
    // Units
    {11, "density = 1.2 kg", "(kg/m3 or a unit of its kind is expected)"},
    {11, "density = 1.2 m", "(kg/m3 or a unit of its kind is expected)"},
    {11, "density = 1.2 kg/m2", "has the unit 'kg/m2'"},
    {11, "density = 1.2 KG/m3", "(unknown: KG) write kg"},
    {11, "density = 1.2 kg/m3 s", "ambiguous"},
    {11, "density = 1.2 kg/", "a unit is missing"},
    {11, "density = 1.2 /m3", "a unit is missing"},
    {11, "density = 1.2 kg/(m3", "a parenthesis is not closed"},
    {11, "density = 1.2 kg/m^", "a power is missing"},
    {11, "density = 1.2 kg/m0", "powers go from -9 to 9"},
    {11, "density = 1.2 kg/m33", "powers go from -9 to 9"},
    {11, "density = 1.2 " + std::string(2000, '('), "too long"},
    {12, "viscosity = 1.8e-5 Pa", "(Pa s or a unit of its kind is expected)"},
    {12, "viscosity = 1.8e-5 pa s", "unknown: pa"},
    {6, "end = 5 seconds", "(unknown: seconds) write s"},
    {6, "end = 5 m", "(s or a unit of its kind is expected)"},
    {17, "parcels = 100 m", "a bare number is expected"},
    // Whole numbers
    {17, "parcels = 1.5", "not a whole number"},
    {17, "parcels = -1", "-1 is out of range (0 to 1000000000)"},
    {17, "parcels = 4294967295", "out of range"},
    {17, "parcels = 99999999999999999999", "not a whole number below 2^63"},
    {17, "parcels = many", "not a finite decimal number"},
    {17, "parcels = nan", "not a finite decimal number"},
    // Triples and lists
    {8, "cells = 4, 3", "has 2 values (3 are expected"},
    {8, "cells = 4, 3, 2, 1", "has 4 values"},
    {8, "cells = 4 3 2", "not a unit"},
    {8, "cells = 4, 3, 0", "0 is out of range (1 to 1000)"},
    {8, "cells = 4, 3, 1001", "1001 is out of range"},
    {8, "cells = 4, , 2", "number is missing"},
    {8, "cells = 4, 3, 2,", "number is missing"},
    {9, "size = 15 mm, 150, 450", "units for some numbers only"},
    {9, "size = 15, 150 mm, 450 mm", "units for some numbers only"},
    {9, "size = 15, 150, 450 kg", "(m or a unit of its kind is expected)"},
    {9, "size = 15, 0, 450 mm", "0 m is out of range (above 0)"},
    {9, "size = 15, 150, nan", "not a finite decimal number"},
    {9, "size = 15", "has 1 values"},
    {14, "sizes = ,", "a number is missing"},
    {14, "sizes = 1 mm, -2 mm", "-0.002 m is out of range"},
    {14, "sizes = " + std::string(300, '1').replace(1, 298, std::string(298, ',')), "a number is missing"},
    // Words and files
    {13, "law = ergum", "nearest: ergun"},
    {13, "law = Ergun", "nearest: ergun"},
    {13, "law = stokes, ergun", "choices: stokes, ergun, wen_yu"},
    {16, "frozen = 1", "neither true nor false"},
    {16, "frozen = True", "neither true nor false"},
    {20, "side = left", "choices: floor, top"},
    {17, "table = no_such_file.csv", "'no_such_file.csv' does not exist"},
    {17, "table = .", "'.' is a directory (looked for "},
    {17, "table = /dev/null", "is not a regular file"},
    {17, "table =", "has no value"},
};

} // namespace

TEST_CASE("each bad line is refused with one message that names it") {
  REQUIRE(bad_lines.size() >= 100);
  for (const BadLine& bad : bad_lines) {
    const std::string said = problems_of(case_with(bad.line, bad.text));
    INFO("line " << bad.line << " replaced by: " << run::cited(bad.text) << "\nsaid: " << said);
    const int blamed = bad.blamed > 0 ? bad.blamed : bad.line > 0 ? bad.line : 23;
    CHECK(said.starts_with("case.ini:" + std::to_string(blamed) + ": "));
    CHECK(contains(said, bad.message));
    CHECK(std::count(said.begin(), said.end(), '\n') == 0);
  }
}

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
