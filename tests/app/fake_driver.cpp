#include "tests/app/fake_driver.hpp"

#include "run/case/keys.hpp"
#include "run/case/settings.hpp"

#include <corral/for_each.hpp>

#include <cmath>
#include <memory>

namespace corral::test {

using run::Use;

namespace {

Grid small_grid() {
  const Axis x{4, -1, 0.1}, y{3, 0.5, 0.2, Boundary::wall, Boundary::wall};
  const Axis z{2, 2, 0.3, Boundary::wall, Boundary::open};
  return Grid({x, y, z});
}

constexpr Use everything = Use::saved | Use::shown;

} // namespace

FakeDriver::FakeDriver(std::int64_t parcels, double dt)
    : parcels_(parcels), dt_(dt), registry_(small_grid()), set_(registry_.declare_set(fake_parcels)),
      books_(registry_, set_),
      pressure_(registry_.declare_field("pressure", "Pa", "", Staggering::centre, Use::saved)),
      pressure_shown_(registry_.declare_field("pressure_shown", "Pa", "", Staggering::centre, Use::shown)),
      gas_(registry_.declare_vector_field("gas", "m/s", "", run::on_faces, everything)),
      position_(set_.declare_vector_column("position", "m", "", everything)),
      velocity_(set_.declare_vector_column("velocity", "m/s", "", everything)),
      mass_(set_.declare_column("mass", "kg", "", everything)),
      id_(set_.declare_ids("id", "", everything)) {}

void FakeDriver::start() {
  set_.resize(parcels_);
  books_.created() = parcels_;
  for (std::int64_t i = 0; i < parcels_; ++i) {
    id_[i] = static_cast<std::uint64_t>(1000 + i);
    mass_[i] = 1.0 / static_cast<double>(1 + i);
    for (std::size_t d = 0; d < 3; ++d) (*position_[d])[i] = grid().axis(static_cast<int>(d)).origin;
  }
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t i = 0; i < gas_[d]->size(); ++i) (*gas_[d])[i] = static_cast<double>(i);
}

void FakeDriver::step(const run::Clock& clock) {
  const auto timer = phases().time("move");
  for_each(Cpu{}, parcels_, [&](std::int64_t i) {
    for (std::size_t d = 0; d < 3; ++d) {
      (*velocity_[d])[i] = 0.01 * std::cos(clock.time() + static_cast<double>(i) * mass_[i]);
      (*position_[d])[i] += clock.dt() * (*velocity_[d])[i];
    }
  });
  for (std::int64_t i = 0; i < pressure_.size(); ++i) pressure_[i] = std::sin(clock.time() + static_cast<double>(i));
  at_step(clock.step());
  books_.check();
}

std::vector<run::LogColumn> FakeDriver::log_columns() const {
  return {{"parcels", "", "parcels inside"}, {"momentum", "kg m/s", "along x, \"mean\""}};
}

std::vector<double> FakeDriver::log_row() {
  const double momentum = sum(Cpu{}, parcels_, [&](std::int64_t i) { return mass_[i] * (*velocity_[0])[i]; });
  return {static_cast<double>(set_.size()), momentum_.value_or(momentum)};
}

run::Rows FakeDriver::table_rows(const std::string& name) {
  if (name != fake_layers.name) return {};
  run::Rows rows;
  const Axis& z = grid().axis(2);
  for (std::int64_t k = 0; k < z.cells; ++k)
    rows.push_back({z.origin + (static_cast<double>(k) + 0.5) * z.spacing, pressure_[k * 12]});
  return rows;
}

void FakeDriver::before_output() { pressure_shown_ = pressure_; }

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
