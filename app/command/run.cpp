#include "app/command/commands.hpp"

#include "app/case/case_file.hpp"
#include "app/checkpoint/checkpointer.hpp"
#include "app/command/backend.hpp"
#include "app/output/log.hpp"
#include "app/output/output_directory.hpp"
#include "app/output/summary.hpp"
#include "app/run_loop.hpp"
#include "app/system/files.hpp"
#include "app/system/process.hpp"
#include "app/system/rank_file.hpp"
#include "run/ranks/leading_driver.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace corral::app {

namespace {

std::string title_of(const run::Settings& settings) { return settings.given("case", "title") ? settings.text("case", "title") : ""; }

RunPlan plan_of(const run::Settings& settings, const run::DriverKind& driver, const RunOptions& options) {
  RunPlan plan;
  plan.end = settings.real("time", "end");
  plan.until = options.until;
  plan.steps = options.steps;
  plan.strict = options.strict;
  const std::string format = settings.choice("output", "format");
  plan.files = {.vtk = format != "openpmd", .openpmd = format != "vtk", .fields_interval = settings.real("output", "fields")};
  for (const run::ParticleKind& set : driver.sets)
    plan.files.particle_intervals[set.name] = settings.real("output", set.name);
  plan.log_interval = settings.real("output", "log");
  for (const run::TableKind& table : driver.tables)
    plan.tables.push_back({table, settings.real("output", table.name)});
  plan.in_situ = insitu_plans(settings);
  plan.title = title_of(settings);
  return plan;
}

ResultNames result_names(const std::vector<run::DriverKind>& drivers) {
  ResultNames names;
  const Outputs outputs = outputs_of(drivers);
  for (const run::ParticleKind& set : outputs.sets) names.sets.push_back(set.name);
  for (const run::TableKind& table : outputs.tables) names.tables.push_back(table.name);
  return names;
}

/// What the case comes to. Throws UsageError where it has warnings and they are not to be.
void answer(Console& console, const std::vector<std::string>& description, bool strict) {
  for (const std::string& line : description) console.answer(line + "\n");
  if (strict) refuse_warnings(description);
}

struct Made {
  std::unique_ptr<run::Driver> driver;
  double seconds; ///< wall clock that it took
};

/// Of rank 0 of a team; of nobody where there is none.
std::optional<run::Lead> lead_of(const distributed::Team* team) {
  return team ? std::make_optional<run::Lead>(*team, open_rank_file) : std::nullopt;
}

/// What may take its time, and be ended: nothing has been written.
Made made(const Case& c, const RunOptions& options, run::Lead* lead, const distributed::Team* team, const std::string& words = "") {
  const auto begin = std::chrono::steady_clock::now();
  const EndOnSignal end_on_signal;
  Waiting waiting(stderr, options.quiet ? Progress::Style::none : Progress::style_for(stderr));
  if (lead && options.backend.backend == Backend::gpu)
    throw UsageError("--backend gpu on " + std::to_string(team->size()) + " processes (a case that ranks share runs on the CPU) leave it out, "
                     "or start it without mpirun");
  take_device(options.backend, c); // of this thread
  const auto say = [&](const std::string& how_far) { waiting.show(how_far); };
  auto driver = lead ? lead->make([&] { return make_shared_driver(c, *team, say); }, words)
                     : make_driver(c, options.backend.backend == Backend::gpu, say);
  return {std::move(driver), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

/// The newest checkpoint among the results, and of newer ones that are damaged, why they are left aside.
struct Newest {
  explicit Newest(const std::filesystem::path& output) : found(Checkpoints(output).newest(refused)) {}

  std::vector<std::string> refused{};
  std::optional<Checkpoint> found;
};

/// What the run was told with --set, as its checkpoint has it; and how ranks tell each other.
std::vector<std::string> told_before(const Newest& newest) {
  return newest.found ? newest.found->manifest.overrides : std::vector<std::string>();
}
std::string in_lines(const std::vector<std::string>& texts) {
  std::string lines;
  for (const std::string& text : texts) lines += text + "\n";
  return lines;
}
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) lines.emplace_back(text.substr(0, end));
  return lines;
}

/// That holds when it goes on, but for what is said anew. Where it does not fit into the case, this has changed, or is another: then it
/// is read as it is.
Case case_as_it_was_run(const ResumeOptions& options, const std::vector<run::DriverKind>& drivers, const std::vector<std::string>& told,
                        const std::string& told_by) {
  if (!told.empty()) {
    try {
      return read_case(options.case_directory, options.overrides, drivers, ToldBefore{told, {told_by, 1}});
    } catch (const run::CaseError&) {
    }
  }
  return read_case(options.case_directory, options.overrides, drivers);
}

/// Throws where there is none, or none of this case. What is damaged is told of where `aloud`.
Checkpoint require_checkpoint(const Newest& newest, const Case& c, const std::filesystem::path& output, bool aloud) {
  const Checkpoints checkpoints(output);
  const auto& [refused, found] = newest;
  if (found) require_same_case(c, *found);
  // A disk that loses bytes is told of, however quiet a run is to be.
  if (aloud || !found)
    for (const std::string& why : refused) std::fputs(("corral: " + why + "\n").c_str(), stderr);
  if (found) return *found;
  if (refused.empty())
    throw UsageError(checkpoints.directory().string() + " holds no checkpoint (the run was ended before it wrote its first) "
                                                        "begin again with corral run --overwrite");
  throw UsageError(checkpoints.directory().string() + " holds no checkpoint that is whole (" + refused.front() +
                   ") put one back, or begin again with corral run --overwrite");
}

/// Of what the case begins with, unless that is what this run would replace.
run::Settings::Opener opened_unless(const std::filesystem::path& output) {
  return [output](const std::filesystem::path& results) {
    std::error_code code;
    if (std::filesystem::equivalent(results, output, code))
      throw Error(results.string() + " is where this run would write (it would replace what it begins with) choose another "
                                     "directory with --output");
    return earlier_run(results);
  };
}

/// By name of the file, the first line of each table that a run writes.
std::map<std::string, std::string> headers_of(const run::DriverKind& kind, const run::Driver& driver) {
  std::map<std::string, std::string> headers{{"log.csv", header_of(driver.log_columns())}};
  for (const run::TableKind& table : kind.tables) headers[table.name + ".csv"] = header_of(table.columns);
  return headers;
}

} // namespace

int run(const RunOptions& options, const std::vector<run::DriverKind>& drivers, const distributed::Team* team) {
  Made all; // of which the others let go before it does
  std::optional<run::Lead> lead = lead_of(team);
  Case c = read_case(options.case_directory, options.overrides, drivers);
  c.settings.open_runs_by(opened_unless(options.output));
  const std::vector<std::string> scripts = scripts_run_by(c, options.allow_scripts);
  const OutputDirectory directory(options.output, options.overwrite, result_names(drivers));
  Console console = options.quiet ? Console{} : Console(STDOUT_FILENO, stderr);
  int status = 0;
  const Threads threads = threads_for(options.threads);
  run_with_threads(threads.count, [&] {
    all = made(c, options, lead ? &*lead : nullptr, team);
    const auto& [driver, seconds] = all;
    const Interrupts interrupts;
    answer(console, driver->description(), options.strict);
    for (const std::string& line : scripts) console.answer(line + "\n");
    Checkpointer checkpointer(c, directory.path(), maps_of(*driver));
    const Checkpoints checkpoints(directory.path());
    checkpoints.require_removable();
    const auto lock = directory.prepare();
    if (!lock->found().empty()) console.remark("corral: " + lock->found() + "\n");
    checkpoints.remove_all();
    write_whole_file(directory.file("used.ini"), used_ini(c));
    RunPlan plan = plan_of(c.settings, *c.driver_kind, options);
    plan.threads_because = threads.because;
    plan.set_up = seconds;
    plan.ranks = lead ? &*lead : nullptr;
    status = run_driver(*driver, plan, directory, interrupts, console, &checkpointer);
  });
  if (status == 0) console.require_delivered();
  return status;
}

int resume(const ResumeOptions& options, const std::vector<run::DriverKind>& drivers, const distributed::Team* team) {
  Made all; // as in `run`
  std::optional<run::Lead> lead = lead_of(team);
  const Newest before(options.output);
  const std::vector<std::string> told = told_before(before);
  const Case c = case_as_it_was_run(options, drivers, told, before.found ? before.found->manifest_file().string() : "");
  const std::vector<std::string> scripts = scripts_run_by(c, options.allow_scripts);
  if (!std::filesystem::is_directory(options.output))
    throw UsageError(options.output.string() + " is not there (no run of this case has written results) begin with "
                                               "corral run, or say with --output where they are");
  const OutputDirectory directory(options.output, true, result_names(drivers));
  Console console = options.quiet ? Console{} : Console(STDOUT_FILENO, stderr);
  int status = 0;
  const Threads threads = threads_for(options.threads);
  run_with_threads(threads.count, [&] {
    static_cast<void>(require_checkpoint(before, c, directory.path(), false)); // before what takes its time
    all = made(c, options, lead ? &*lead : nullptr, team, in_lines(told));
    const auto& [driver, seconds] = all;
    const Interrupts interrupts;
    answer(console, driver->description(), options.strict);
    for (const std::string& line : scripts) console.answer(line + "\n");
    for (const std::string& text : c.overrides) console.answer("set       " + text + "\n");
    const DirectoryLock lock(directory.path());
    if (!lock.found().empty()) console.remark("corral: " + lock.found() + "\n");
    const Checkpoint from = require_checkpoint(Newest(directory.path()), c, directory.path(), true);
    RunPlan plan = plan_of(c.settings, *c.driver_kind, options);
    plan.threads_because = threads.because;
    plan.set_up = seconds;
    plan.notices = from.manifest.notices(maps_of(*driver));
    plan.ranks = lead ? &*lead : nullptr;
    const KeptTables tables(from.manifest, directory.path(), headers_of(*c.driver_kind, *driver));
    plan.kept = tables.bytes();
    plan.other_intervals = other_outputs(c, from);
    console.answer("goes on from step " + std::to_string(from.manifest.step) + ", " + from.manifest.time + " s (" +
                  from.directory.string() + ")\n");
    Checkpointer checkpointer(c, directory.path(), maps_of(*driver));
    for (const std::string& sentence : tables.put_in_place()) console.answer(sentence + "\n");
    directory.forget_the_end();
    write_whole_file(directory.file("used.ini"), used_ini(c));
    status = run_driver(*driver, plan, directory, interrupts, console, &checkpointer, &from);
  });
  if (status == 0) console.require_delivered();
  return status;
}

namespace {

/// Signals that ask for an end are rank 0's to answer. A file that grows too large is an error of writing.
template <class Read> int help(const RunOptions& options, const distributed::Team& team, const Read& read) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXFSZ}) std::signal(signal, SIG_IGN);
  std::optional<Case> c;
  std::optional<InSituScripts> scripts;
  const auto make = [&](const std::string& words) {
    c = read(words);
    scripts_run_by(*c, options.allow_scripts); // that this host may see others
    return make_shared_driver(*c, team);
  };
  const auto watch = [&](run::Driver& own, const std::string& words) {
    if (!scripts) scripts.emplace(insitu_plans(c->settings), options.output, title_of(c->settings), &team);
    obey(*scripts, own, words);
  };
  run_with_threads(threads_for(options.threads).count, [&] { run::follow(team, open_rank_file, make, watch); });
  return 0;
}

} // namespace

int help_to_run(const RunOptions& options, const std::vector<run::DriverKind>& drivers, const distributed::Team& team) {
  return help(options, team, [&](const std::string&) {
    Case c = read_case(options.case_directory, options.overrides, drivers);
    c.settings.open_runs_by(opened_unless(options.output));
    return c;
  });
}

int help_to_resume(const ResumeOptions& options, const std::vector<run::DriverKind>& drivers, const distributed::Team& team) {
  return help(options, team, [&](const std::string& told) { return case_as_it_was_run(options, drivers, lines_of(told), "rank 0"); });
}

} // namespace corral::app
