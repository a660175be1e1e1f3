#include "app/case/case_file.hpp"

#include "run/case/values.hpp"
#include "run/driver.hpp"
#include "tests/app/fake_driver.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include <bit>
#include <cstdint>
#include <limits>

using namespace corral;
using test::case_with;

namespace {

app::Case parse(const std::string& text, const std::vector<std::string>& overrides = {},
                const std::filesystem::path& directory = ".") {
  return app::parse_case(text, "case.ini", directory, overrides, test::fake_kinds());
}

} // namespace

TEST_CASE("a valid case gives its values in SI") {
  const app::Case c = parse(case_with(0, ""));
  const run::Settings& s = c.settings;
  CHECK(c.driver_kind->name == "fake");
  CHECK(s.text("case", "title") == "a # is a hash");
  CHECK(s.real("time", "end") == 0.1);
  CHECK(s.integers3("grid", "cells") == std::array<std::int64_t, 3>{4, 3, 2});
  CHECK(s.reals3("grid", "size") == std::array<double, 3>{0.015, 0.15, 0.45});
  CHECK(s.real("gas", "density") == 1.2);
  CHECK(s.choice("gas", "law") == "ergun");
  CHECK(s.list("gas", "sizes") == std::vector<double>{0.001, 0.02});
  CHECK(s.flag("solids", "frozen"));
  CHECK(s.integer("solids", "parcels") == 100);
  CHECK(s.real("solids", "restitution") == 0.97); // default
  CHECK(s.blocks("inlet") == std::vector<std::string>{"inlet.bottom"});
  CHECK(s.real("inlet.bottom", "velocity") == 1.5);
  CHECK(s.text("inlet.bottom", "label") == "");
}

TEST_CASE("a value may be absent only where its key is optional, and a getter asks for its type") {
  const app::Case c = parse(case_with(14, ""));
  CHECK_FALSE(c.settings.given("gas", "sizes"));
  CHECK(c.settings.given("solids", "restitution"));
  CHECK_THROWS_AS(c.settings.list("gas", "sizes"), Error);
  CHECK_THROWS_AS(c.settings.integer("gas", "density"), Error);
  CHECK_THROWS_AS(c.settings.real("gas", "colour"), Error);
}

TEST_CASE("a place is that of the value, of its section, or of the file") {
  const run::Settings s = parse(case_with(22, ""), {"gas.density=3"}).settings;
  CHECK(s.where("grid", "size").text() == "case.ini:9");
  CHECK(s.where("solids", "restitution").text() == "case.ini:15");
  CHECK(s.where("gas", "density").text() == "--set");
  CHECK(s.where("inlet.bottom", "label").text() == "case.ini:18");
  CHECK(s.where("nowhere", "x").text() == "case.ini:1");
}

TEST_CASE("comments, blanks, line ends and a byte order mark don't matter") {
  const std::string plain = app::used_ini(parse(case_with(0, "")));
  std::string other = "\xEF\xBB\xBF";
  for (const std::string& line : test::valid_case()) other += "\t " + line + " # said #twice\r\n\r\n   # alone\r\n";
  CHECK(app::used_ini(parse(other)) == plain);
  std::string last_line_open = case_with(0, "");
  last_line_open.pop_back();
  CHECK(app::used_ini(parse(last_line_open)) == plain);
}

TEST_CASE("a # begins a comment only after a blank and outside quotes") {
  auto title = [](const std::string& line) { return parse(case_with(4, line)).settings.text("case", "title"); };
  CHECK(title("title = run#7 # seventh") == "run#7");
  CHECK(title("title = \" # \" # blank") == " # ");
  CHECK(title("title = \"say \"\"no\"\" # \" # quotes") == "say \"no\" # ");
  CHECK(title("title = a = b = c") == "a = b = c");
  CHECK(title("title = [x]") == "[x]");
  CHECK(title("title = it's") == "it's");
  CHECK(title("title = \xCE\xB8 \xE2\x89\xA4 1") == "\xCE\xB8 \xE2\x89\xA4 1");
  CHECK(title("title =") == "");
}

TEST_CASE("overrides replace, add, and keep their #") {
  const app::Case c = parse(case_with(0, ""), {"gas.density=1.5 kg/m3", "solids.restitution=0.5", "case.title=a # b",
                                               "inlet.bottom.velocity=300 cm/s"});
  CHECK(c.settings.real("gas", "density") == 1.5);
  CHECK(c.settings.real("solids", "restitution") == 0.5);
  CHECK(c.settings.text("case", "title") == "a # b");
  CHECK(c.settings.real("inlet.bottom", "velocity") == 3);
  CHECK(parse(case_with(11, "density = bad"), {"gas.density=1"}).settings.real("gas", "density") == 1);
}

TEST_CASE("an override without a value leaves the key as if it were not in the file") {
  const app::Case c = parse(case_with(0, ""), {"gas.sizes=", "gas.law= ", "case.title=", "inlet.bottom.label=\"\""});
  CHECK_FALSE(c.settings.given("gas", "sizes"));
  CHECK(c.settings.choice("gas", "law") == "stokes");
  CHECK(c.settings.text("case", "title") == "");
  CHECK(app::used_ini(c) == app::used_ini(parse(case_with(14, ""), {"gas.law=stokes", "case.title=\"\"" })));
  CHECK(parse(case_with(14, ""), {"gas.sizes="}).settings.given("gas", "sizes") == false); // it was not there
  CHECK(parse(case_with(12, "viscosity = bad"), {"gas.viscosity="}).settings.real("gas", "viscosity") == 1.8e-5);
}

TEST_CASE("blocks keep the order of the file") {
  const app::Case c = parse(case_with(0, "[inlet.z]\nvelocity = 1\n[inlet.a-1]\nvelocity = 2\n"));
  CHECK(c.settings.blocks("inlet") == std::vector<std::string>{"inlet.bottom", "inlet.z", "inlet.a-1"});
  CHECK(c.settings.blocks("inl").empty());
}

TEST_CASE("used.ini is the same case again, to the bit") {
  const test::TemporaryDirectory directory;
  test::put(directory / "sizes \"1\" #2.csv");
  const std::string awkward = "0.1, 3.3333333333333335e-07, 5e-324, 1.7976931348623157e308";
  std::string text = case_with(14, "sizes = " + awkward);
  text += "[inlet.second]\nvelocity = 7.3 km/h\nlabel = \"a \"\"b\"\" # c \"\n";
  const app::Case first = parse(text, {"solids.table=\"sizes \"\"1\"\" #2.csv\""}, directory.path());
  const std::string used = app::used_ini(first);
  INFO(used);
  const app::Case second = parse(used, {}, "/");
  CHECK(app::used_ini(second) == used);

  for (const std::string& section : first.settings.sections())
    for (const run::Key* key : first.keys.keys(section)) {
      INFO(section << "." << key->name);
      REQUIRE(second.settings.given(section, key->name) == first.settings.given(section, key->name));
      if (first.settings.given(section, key->name)) CHECK(test::contains(used, "\n" + key->name + " = "));
    }
  const auto sizes = second.settings.list("gas", "sizes");
  REQUIRE(sizes.size() == 4);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(std::bit_cast<std::uint64_t>(sizes[i]) ==
          std::bit_cast<std::uint64_t>(first.settings.list("gas", "sizes")[i]));
  CHECK(sizes[2] == std::numeric_limits<double>::denorm_min());
  CHECK(second.settings.real("inlet.second", "velocity") == first.settings.real("inlet.second", "velocity"));
  CHECK(second.settings.text("inlet.second", "label") == "a \"b\" # c ");
  CHECK(second.settings.file("solids", "table") == directory / "sizes \"1\" #2.csv");
  CHECK(second.settings.blocks("inlet") == first.settings.blocks("inlet"));
}

TEST_CASE("the driver may object to a valid case") {
  CHECK(app::make_driver(parse(case_with(0, ""))) != nullptr);
  const std::string said = test::message_of([] { app::make_driver(parse(case_with(19, "velocity = 11"))); });
  CHECK(said == "case.ini:19: inlet.bottom.velocity is too fast (at most 10 m/s)");
}
