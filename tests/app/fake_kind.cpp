#include "tests/app/fake_kind.hpp"

#include "tests/app/fake_driver.hpp"
#include "run/case/keys.hpp"
#include "run/case/settings.hpp"

#include <memory>

namespace corral::test {

namespace {

using run::KeyType;

void declare_keys(run::KeyTable& t) {
  t.add({.section = "grid", .name = "cells", .type = KeyType::integers3, .required = true, .minimum = 1,
         .maximum = 1000, .meaning = "cells along x, y and z"});
  t.add({.section = "grid", .name = "size", .type = KeyType::reals3, .unit = "m", .required = true, .minimum = 0,
         .minimum_excluded = true, .meaning = "lengths of the box"});
  t.add({.section = "gas", .name = "density", .unit = "kg/m3", .required = true, .minimum = 0,
         .minimum_excluded = true, .meaning = "density of the gas"});
  t.add({.section = "gas", .name = "viscosity", .unit = "Pa s", .fallback = "1.8e-5", .minimum = 0,
         .minimum_excluded = true, .meaning = "dynamic viscosity"});
  t.add({.section = "gas", .name = "law", .type = KeyType::choice, .fallback = "stokes",
         .choices = {"stokes", "ergun", "wen_yu"}, .meaning = "drag law"});
  t.add({.section = "gas", .name = "sizes", .type = KeyType::list, .unit = "m", .minimum = 0,
         .meaning = "sizes of the bubbles"});
  t.add({.section = "solids", .name = "frozen", .type = KeyType::boolean, .fallback = "false",
         .meaning = "parcels never move"});
  t.add({.section = "solids", .name = "parcels", .type = KeyType::integer, .fallback = "10", .minimum = 0,
         .maximum = 1e9, .meaning = "how many"});
  t.add({.section = "solids", .name = "restitution", .fallback = "97 %", .minimum = 0, .maximum = 1,
         .maximum_excluded = true, .meaning = "of normal velocity"});
  t.add({.section = "solids", .name = "table", .type = KeyType::file, .meaning = "table of sizes"});
  t.add({.section = "inlet.*", .name = "velocity", .unit = "m/s", .required = true, .minimum = 0,
         .meaning = "gas velocity"});
  t.add({.section = "inlet.*", .name = "side", .type = KeyType::choice, .fallback = "floor",
         .choices = {"floor", "top"}, .meaning = "where it is"});
  t.add({.section = "inlet.*", .name = "label", .type = KeyType::text, .fallback = "", .meaning = "its name"});
}

void object(const run::Settings& settings, run::Problems& problems) {
  for (const std::string& inlet : settings.blocks("inlet"))
    if (settings.real(inlet, "velocity") > 10)
      problems.add(settings.where(inlet, "velocity"), inlet + ".velocity is too fast (at most 10 m/s)");
}

std::unique_ptr<run::Driver> make(const run::Settings& settings, run::Problems& problems) {
  object(settings, problems);
  return std::make_unique<FakeDriver>(settings.integer("solids", "parcels"));
}

std::vector<std::string> describe(const run::Settings& settings, run::Problems& problems) {
  object(settings, problems);
  return {"a fake"};
}

} // namespace

const std::vector<run::DriverKind>& fake_kinds() {
  static const std::vector<run::DriverKind> kinds{{"fake", "points that circle", {fake_parcels}, declare_keys, make, describe,
                                                 {fake_layers}}};
  return kinds;
}

const std::vector<std::string>& valid_case() {
  static const std::vector<std::string> lines{
      "# A valid case",           // 1
      "[case]",                   // 2
      "driver = fake",            // 3
      "title = \"a # is a hash\"", // 4
      "[time]",                   // 5
      "end = 0.1 s",              // 6
      "[grid]",                   // 7
      "cells = 4, 3, 2",          // 8
      "size = 15, 150, 450 mm",   // 9
      "[gas]",                    // 10
      "density = 1.2 kg/m3",      // 11
      "viscosity = 1.8e-5",       // 12
      "law = ergun   # not Stokes", // 13
      "sizes = 1 mm, 2 cm",       // 14
      "[solids]",                 // 15
      "frozen = true",            // 16
      "parcels = 100",            // 17
      "[inlet.bottom]",           // 18
      "velocity = 1.5 m/s",       // 19
      "side = floor",             // 20
      "[output]",                 // 21
      "log = 0.01",               // 22
  };
  return lines;
}

std::string case_with(int line, const std::string& text) {
  std::string all;
  int number = 0;
  for (const std::string& l : valid_case()) all += (++number == line ? text : l) + "\n";
  return line == 0 ? all + text : all;
}

} // namespace corral::test
