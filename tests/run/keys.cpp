#include "run/case/keys.hpp"

#include "run/case/problems.hpp"
#include "run/case/settings.hpp"
#include "run/case/values.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

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
  check_refused([](Key& k) { k.read_where = {{"", "x", {"a"}}}; });
  check_refused([](Key& k) { k.read_where = {{"gas", "", {"a"}}}; });
}

namespace {

/// Walls that are soft or stiff where there are any, and what is said of a case of these entries.
class Walls {
public:
  Walls() {
    table.add(run::choice("room", "kind", {"open", "closed"}, "open", "what it is"));
    table.add(run::choice("wall.*", "law", {"off", "soft", "stiff", "odd"}, "off", "what it is"));
    table.add(run::where("law", {"soft", "stiff", "odd"},
                         run::positive("wall.*", "modulus", "Pa", "2", "how stiff it is")));
    table.add(run::where("law", {"odd"}, run::optional_positive("wall.*", "oddity", "", "how odd it is")));
    table.add(run::where("room.kind", {"closed"}, run::optional_positive("wall.*", "height", "m", "how high it is")));
    table.add(run::where_given("height", run::optional_positive("wall.*", "crest", "m", "how wide it is up there")));
  }

  std::string said(const std::vector<std::array<const char*, 3>>& entries) const {
    run::WrittenCase written;
    written.file = {"case.ini", 1};
    written.sections = {{"room", {"case.ini", 1}}, {"wall.a", {"case.ini", 1}}};
    int line = 1;
    for (const auto& [section, key, value] : entries) written.entries.push_back({section, key, value, {"case.ini", ++line}});
    run::Problems problems;
    run::validate(table, written, problems);
    return problems.text();
  }

  run::KeyTable table;
};

} // namespace

TEST_CASE("a key that another one leaves idle is refused where the case gives it a value of its own") {
  const Walls walls;
  const auto of = [&](const char* law, const char* modulus) {
    return walls.said({{"wall.a", "law", law}, {"wall.a", "modulus", modulus}});
  };
  CHECK(of("soft", "3") == "");
  CHECK(of("odd", "3") == "");
  CHECK(of("off", "2 Pa") == ""); // what it has by default, as used.ini writes it
  CHECK(of("off", "3") == "case.ini:3: modulus with law = off (it is for soft, stiff and odd) choose one of them, or leave it out");
  CHECK(walls.said({{"wall.a", "oddity", "1"}}) == "case.ini:2: oddity with law = off (it is for odd) choose that, or leave it out");
  CHECK(walls.said({{"wall.a", "height", "1 m"}}) ==
        "case.ini:2: wall.a.height with room.kind = open (it is for closed) choose that, or leave it out");
  CHECK(walls.said({{"room", "kind", "closed"}, {"wall.a", "crest", "1 m"}}) ==
        "case.ini:3: crest without height (nothing would read it) give height, or leave it out");
  CHECK(walls.said({{"room", "kind", "closed"}, {"wall.a", "height", "1 m"}, {"wall.a", "crest", "1 m"}}) == "");
}

TEST_CASE("a key's condition is told, and one that cannot hold is an error of the program") {
  Walls walls;
  CHECK(walls.table.find("wall.a", "modulus")->read_where.front().text() == "law is soft, stiff or odd");
  CHECK(walls.table.find("wall.a", "height")->read_where.front().text() == "room.kind is closed");
  CHECK(walls.table.find("wall.a", "crest")->read_where.front().text() == "height is given");
  walls.table.add(run::where("law", {"hard"}, run::optional_positive("wall.*", "hardness", "", "how hard it is")));
  CHECK_THROWS_AS(walls.said({}), Error);
}

TEST_CASE("a choice or a file is one of its words, or else a file that there is") {
  namespace fs = std::filesystem;
  const fs::path file = fs::temp_directory_path() / ("corral_form_" + std::to_string(::getpid()));
  std::ofstream(file) << "any";
  run::KeyTable table;
  table.add(run::choice_or_file("wall", "form", {"flat", "round"}, "flat", "what it is like"));
  table.add(run::where("form", {run::ReadWhere::any_file}, run::positive("wall", "unit", "m", "1 m", "of the file")));
  const auto said = [&](const std::string& form, const char* unit, bool names_file) {
    run::WrittenCase written;
    written.file = {"case.ini", 1};
    written.directory = file.parent_path();
    written.entries = {{"wall", "form", form, {"case.ini", 2}}, {"wall", "unit", unit, {"case.ini", 3}}};
    run::Problems problems;
    const run::Settings settings = run::validate(table, written, problems);
    CHECK((!problems.empty() || settings.names_file("wall", "form") == names_file));
    if (problems.empty() && names_file) CHECK(settings.file("wall", "form") == file);
    return problems.text();
  };
  CHECK(said("round", "1 m", false) == "");
  CHECK(said(file.filename(), "2 m", true) == ""); // relative to the case
  CHECK(said("round", "2 m", false) == "case.ini:3: unit with form = round (it is for FILE) choose that, or leave it out");
  CHECK_THAT(said("rond", "1 m", false), Catch::Matchers::StartsWith("case.ini:2: wall.form: 'rond' is neither known nor a file "
                                                                     "(nearest: round; choices: flat, round, or a file; looked for "));
  CHECK_THAT(said(".", "1 m", false), Catch::Matchers::ContainsSubstring("is a directory"));
  const Key& key = *table.find("wall", "form");
  CHECK(run::write_value(key, run::parse_value(key, file.string(), "/")) == "\"" + file.string() + "\"");
  CHECK(run::write_value(key, run::parse_value(key, "flat", "/")) == "flat");
  fs::remove(file);
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
