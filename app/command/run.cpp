#include "app/command/run.hpp"

#include "app/case/case_file.hpp"
#include "app/command/interrupt.hpp"
#include "app/output/output_directory.hpp"
#include "app/output/output_file.hpp"
#include "app/run_driver.hpp"

#include <corral/execution.hpp>

#include <unistd.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace corral::app {

namespace {

void with_threads(int threads, const std::function<void()>& work) {
  if (threads > 0) run_with_threads(threads, work);
  else work();
}

RunPlan plan_of(const run::Settings& settings, const run::DriverKind& driver, const RunOptions& options) {
  RunPlan plan;
  plan.end = settings.real("time", "end");
  plan.until = options.until;
  plan.steps = options.steps;
  plan.fields_interval = settings.real("output", "fields");
  for (const run::ParticleKind& set : driver.sets) plan.particle_intervals[set.name] = settings.real("output", set.name);
  plan.log_interval = settings.real("output", "log");
  for (const run::TableKind& table : driver.tables)
    plan.tables.push_back({table, settings.real("output", table.name)});
  return plan;
}

ResultNames result_names(const std::vector<run::DriverKind>& drivers) {
  ResultNames names;
  const Outputs outputs = outputs_of(drivers);
  for (const run::ParticleKind& set : outputs.sets) names.sets.push_back(set.name);
  for (const run::TableKind& table : outputs.tables) names.tables.push_back(table.name);
  return names;
}

} // namespace

int run(const RunOptions& options, const std::vector<run::DriverKind>& drivers) {
  const Case c = read_case(options.case_directory, options.overrides, drivers);
  const OutputDirectory directory(options.output.empty() ? options.case_directory / "out" : options.output,
                                  options.overwrite, result_names(drivers));
  Voices voices = options.quiet ? Voices{} : Voices(STDOUT_FILENO, stderr);
  const Interrupts interrupts;
  int status = 0;
  with_threads(options.threads, [&] {
    const std::unique_ptr<run::Driver> driver = make_driver(c);
    for (const std::string& line : describe_case(c)) voices.answer(line + "\n");
    const auto lock = directory.prepare();
    if (!lock->found().empty()) voices.remark("corral: " + lock->found() + "\n");
    write_whole_file(directory.file("used.ini"), used_ini(c));
    const std::string title = c.settings.given("case", "title") ? c.settings.text("case", "title") : "";
    status = run_driver(*driver, plan_of(c.settings, *c.driver_kind, options), directory, title, interrupts, voices);
  });
  if (status == 0) voices.require_heard();
  return status;
}

} // namespace corral::app
