#include "run/case/keys.hpp"

#include "run/case/problems.hpp"
#include "run/case/values.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

using namespace corral;
using run::Key;
using run::KeyType;

namespace {

Key row(std::string section, std::string name) {
  return {.section = std::move(section), .name = std::move(name), .unit = "m", .meaning = "a length"};
}

template <class Change> void check_refused(Change change) {
  Key key = row("gas", "x");
  run::KeyTable().add(key); // valid before the change
  change(key);
  run::KeyTable table;
  CHECK_THROWS_AS(table.add(key), Error);
}

} // namespace

TEST_CASE("a table finds keys of plain sections and of blocks") {
  run::KeyTable table;
  table.add(row("gas", "x"));
  table.add(row("inlet.*", "y"));
  table.add(row("gas", "z"));
  CHECK(table.sections() == std::vector<std::string>{"gas", "inlet.*"});
  CHECK(table.keys("gas").size() == 2);
  CHECK(table.find("gas", "x")->name == "x");
  CHECK(table.find("inlet.bottom", "y")->section == "inlet.*");
  CHECK(table.find("gas", "y") == nullptr);
  CHECK(table.find("gas.bottom", "x") == nullptr);
  CHECK(table.find("inlet", "y") == nullptr);
  CHECK(table.pattern("inlet.2-b") == "inlet.*");
  CHECK(table.pattern("inlet.a.b") == "");
  CHECK_THROWS_AS(table.add(row("gas", "x")), Error);
}

TEST_CASE("a row that contradicts itself is refused") {
  check_refused([](Key& k) { k.section = "g as"; });
  check_refused([](Key& k) { k.section = "gas.bottom"; });
  check_refused([](Key& k) { k.name = "2x"; });
  check_refused([](Key& k) { k.meaning = ""; });
  check_refused([](Key& k) { k.unit = "mm"; });
  check_refused([](Key& k) { k.unit = "min"; });
  check_refused([](Key& k) { k.unit = "furlong"; });
  check_refused([](Key& k) { k.fallback = "1 kg"; });
  check_refused([](Key& k) { k.fallback = "-1", k.minimum = 0; });
  check_refused([](Key& k) { k.fallback = "1", k.required = true; });
  check_refused([](Key& k) { k.minimum = 2, k.maximum = 1; });
  check_refused([](Key& k) { k.choices = {"a"}; });
  check_refused([](Key& k) { k.type = KeyType::integer; }); // keeps its unit
  check_refused([](Key& k) { k.type = KeyType::choice, k.unit = ""; });
  check_refused([](Key& k) { k.type = KeyType::choice, k.unit = "", k.choices = {"a"}, k.fallback = "b"; });
  check_refused([](Key& k) { k.type = KeyType::file, k.unit = "", k.fallback = "x"; });
}

TEST_CASE("a range is said as it is tested") {
  Key key;
  CHECK(key.range() == "");
  key.minimum = 0;
  CHECK(key.range() == "at least 0");
  CHECK(key.allows(0));
  key.minimum_excluded = true;
  CHECK(key.range() == "above 0");
  CHECK_FALSE(key.allows(0));
  key.maximum = 0.5;
  CHECK(key.range() == "above 0 and at most 0.5");
  CHECK(key.allows(0.5));
  key.minimum_excluded = false;
  CHECK(key.range() == "0 to 0.5");
  key.maximum_excluded = true;
  CHECK(key.range() == "at least 0 and below 0.5");
  CHECK_FALSE(key.allows(0.5));
}

TEST_CASE("the nearest name is found, or none") {
  const std::vector<std::string> names{"density", "viscosity", "dt", "end"};
  CHECK(run::nearest("viscocity", names) == "viscosity");
  CHECK(run::nearest("desnity", names) == "density");
  CHECK(run::nearest("d", names) == "dt");
  CHECK(run::nearest("visc", names) == "viscosity");
  CHECK(run::nearest("xy", names) == std::nullopt);
  CHECK(run::nearest("porosity", names) == std::nullopt);
  CHECK(run::nearest("", names) == std::nullopt);
  CHECK(run::nearest(std::string(100'000, 'x'), names) == std::nullopt);
}

TEST_CASE("values are written as they are read") {
  auto again = [](Key key, const std::string& text) {
    return run::write_value(key, run::parse_value(key, text, "/"));
  };
  CHECK(again({.unit = "m"}, "0.3 mm") == "0.0003 m");
  CHECK(again({.type = KeyType::reals3, .unit = "m"}, "1, 2, 3 km") == "1000, 2000, 3000 m");
  CHECK(again({.type = KeyType::list}, "1e-300, 2.5e-05, 1e+20, -0") == "1e-300, 2.5e-5, 1e20, -0");
  CHECK(again({.type = KeyType::integer}, "3e6") == "3000000");
  CHECK(again({.type = KeyType::integer}, "-9223372036854775808") == "-9223372036854775808");
  CHECK(again({.type = KeyType::integers3}, "+1,2, 3") == "1, 2, 3");
  CHECK(again({.type = KeyType::boolean}, "yes") == "true");
  CHECK(again({.type = KeyType::choice, .choices = {"a", "b"}}, "b") == "b");
  CHECK(again({.type = KeyType::text}, "5\" pipe") == "\"5\"\" pipe\"");
  CHECK(run::unquoted("\"5\"\" pipe\"") == "5\" pipe");
  CHECK(run::unquoted("  \" a \"\t") == " a ");
}

TEST_CASE("problems are sorted by line, files by first mention, and none is said twice") {
  run::Problems problems;
  CHECK_NOTHROW(problems.throw_if_any());
  problems.add({"b.ini", 9}, "late");
  problems.add({"b.ini", 2}, "early");
  problems.add({"a.csv", 1}, "other");
  problems.add({"b.ini", 9}, "late");
  problems.add({"--set", 0}, "option");
  problems.add({"b.ini", 9}, "later");
  CHECK(problems.text() == "b.ini:2: early\nb.ini:9: late\nb.ini:9: later\na.csv:1: other\n--set: option");
  CHECK_THROWS_AS(problems.throw_if_any(), run::CaseError);
}

TEST_CASE("cited text is short and plain") {
  CHECK(run::cited("a\nb\x7F") == "'a?b?'");
  CHECK(run::cited(std::string(60, 'x')) == "'" + std::string(60, 'x') + "'");
  CHECK(run::cited(std::string(59, 'x') + "\u03B8y") == "'" + std::string(59, 'x') + "...'");
}

TEST_CASE("UTF-8 is told from what isn't") {
  for (const char* good : {"", "abc", "\u00E9", "\u20AC", "\U0001F600", "\xEF\xBF\xBD"})
    CHECK(run::first_not_utf8(good) == std::string_view(good).size());
  for (const char* bad : {"ab\x80", "ab\xC3", "ab\xC0\x80", "ab\xE0\x80\x80", "ab\xED\xA0\x80", "ab\xF5\x80\x80\x80"})
    CHECK(run::first_not_utf8(bad) == 2);
}
