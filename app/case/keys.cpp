#include "app/case/case_file.hpp"

#include <string>
#include <utility>

namespace corral::app {

namespace {

using run::Key;
using run::KeyType;

void declare_checkpoint_keys(run::KeyTable& table) {
  const auto add = [&](Key key) {
    key.section = "checkpoint";
    key.when_resumed = true;
    table.add(std::move(key));
  };
  add({.name = "wall_clock",
       .unit = "s",
       .fallback = "1800",
       .minimum = 0,
       .meaning = "time of the machine's clock between checkpoints, 0: none for that"});
  add({.name = "interval",
       .unit = "s",
       .fallback = "0",
       .minimum = 0,
       .meaning = "simulated time between checkpoints, 0: none for that"});
  add({.name = "steps",
       .type = KeyType::integer,
       .fallback = "0",
       .minimum = 0,
       .meaning = "steps between checkpoints, 0: none for that"});
  add({.name = "at_end",
       .type = KeyType::boolean,
       .fallback = "true",
       .meaning = "one in the end, too, from which a run with a later end can go on"});
  add({.name = "keep",
       .type = KeyType::integer,
       .fallback = "2",
       .minimum = 1,
       .maximum = 1e6,
       .meaning = "how many of the last ones stay"});
}

void declare_insitu_keys(run::KeyTable& table) {
  table.add({.section = "output",
             .name = "watch",
             .type = KeyType::boolean,
             .fallback = "true",
             .meaning = "whether the scripts of [insitu.NAME] are run",
             .when_resumed = true});
  table.add({.section = "insitu.*",
             .name = "script",
             .type = KeyType::file,
             .required = true,
             .meaning = "Python script of ParaView Catalyst that watches the run",
             .when_resumed = true});
  table.add({.section = "insitu.*",
             .name = "interval",
             .unit = "s",
             .required = true,
             .minimum = 0,
             .meaning = "interval at which the script is shown the run, 0: asked in every step whether it wants that",
             .when_resumed = true});
}

} // namespace

Outputs outputs_of(const std::vector<run::DriverKind>& drivers) {
  return {of_all(drivers, &run::DriverKind::sets), of_all(drivers, &run::DriverKind::tables)};
}

void declare_case_keys(run::KeyTable& table, const std::vector<run::DriverKind>& drivers, const Outputs& outputs) {
  Key driver{.section = "case", .name = "driver", .type = KeyType::choice, .required = true};
  for (const run::DriverKind& d : drivers) driver.choices.push_back(d.name);
  driver.meaning = "sort of simulation";
  table.add(driver);
  table.add({.section = "case",
             .name = "title",
             .type = KeyType::text,
             .fallback = "",
             .meaning = "name of the case in reports",
             .when_resumed = true});
  table.add({.section = "time",
             .name = "end",
             .unit = "s",
             .required = true,
             .minimum = 0,
             .meaning = "time at which the run ends",
             .when_resumed = true});
  auto interval = [&](std::string name, std::string fallback, std::string meaning) {
    table.add({.section = "output",
               .name = std::move(name),
               .unit = "s",
               .fallback = std::move(fallback),
               .minimum = 0,
               .meaning = std::move(meaning) + ", 0: never",
               .when_resumed = true});
  };
  interval("fields", "0.05", "interval between field files");
  for (const run::ParticleKind& set : outputs.sets)
    interval(set.name, set.interval, "interval between " + set.one + " files");
  interval("log", "0.01", "interval between rows of log.csv");
  for (const run::TableKind& t : outputs.tables)
    interval(t.name, "0", "interval between rows of " + t.name + ".csv, which has a row for each " + t.one);
  table.add({.section = "output",
             .name = "format",
             .type = KeyType::choice,
             .fallback = "vtk",
             .choices = {"vtk", "openpmd", "both"},
             .meaning = "of field and particle files: VTK XML, or HDF5 laid out by the openPMD standard",
             .when_resumed = true});
  declare_insitu_keys(table);
  declare_checkpoint_keys(table);
}

std::vector<InSituPlan> insitu_plans(const run::Settings& settings) {
  std::vector<InSituPlan> plans;
  if (!settings.flag("output", "watch")) return plans;
  for (const std::string& block : settings.blocks("insitu"))
    plans.push_back({block.substr(block.find('.') + 1), settings.file(block, "script"),
                     settings.real(block, "interval")});
  return plans;
}

} // namespace corral::app
