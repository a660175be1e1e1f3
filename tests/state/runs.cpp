#include "tests/state/runs.hpp"

#include "tests/app/temporary_directory.hpp"

#include <sstream>

namespace corral::test {

namespace {

std::string name_of(const run::Entry& e) { return (e.set ? e.set->name() + "." : "") + e.full_name(); }

std::string bytes_of(const run::Entry& e) {
  const auto as_text = [](const void* data, std::int64_t bytes) {
    return std::string(static_cast<const char*>(data), static_cast<std::size_t>(bytes));
  };
  if (const auto* r = e.reals()) return as_text(r->data(), 8 * r->size());
  if (const auto* u = e.ids()) return as_text(u->data(), 8 * u->size());
  if (const auto* p = e.places()) return as_text(p->data(), 4 * p->size());
  if (const auto* x = e.real()) return as_text(x, 8);
  return as_text(e.counter(), 8);
}

void add_state(Written& written, const run::Registry& registry, const std::string& before) {
  for (const run::Entry& e : registry.entries()) written.state[before + name_of(e)] = bytes_of(e);
}

/// A driver and a loop that writes into a directory of its own.
struct Run {
  Run(const app::Case& c, const app::RunPlan& plan)
      : driver(app::make_driver(c)), directory(out.path(), true, {.sets = {"parcels"}, .tables = {}}), lock(directory.prepare()),
        progress(nullptr, app::Progress::Style::none), loop(*driver, plan, directory, progress, interrupts) {}

  Written written() {
    Written w;
    w.files = files_in(out.path());
    std::istringstream log(w.files["log.csv"]);
    for (std::string row; std::getline(log, row);) w.rows.push_back(row);
    w.files.erase("log.csv");
    add_state(w, driver->registry(), "");
    add_state(w, loop.state(), "loop.");
    return w;
  }

  TemporaryDirectory out;
  std::unique_ptr<run::Driver> driver;
  app::OutputDirectory directory;
  std::unique_ptr<app::DirectoryLock> lock;
  app::Progress progress;
  app::Interrupts interrupts;
  app::RunLoop loop;
};

} // namespace

std::string difference(const Written& a, const Written& b) {
  for (std::size_t i = 0; i < std::max(a.rows.size(), b.rows.size()); ++i)
    if (i >= a.rows.size() || i >= b.rows.size() || a.rows[i] != b.rows[i]) return "row " + std::to_string(i);
  const auto in_maps = [](const auto& x, const auto& y) -> std::string {
    for (const auto& [name, content] : x)
      if (const auto found = y.find(name); found == y.end() || found->second != content) return name;
    for (const auto& [name, content] : y)
      if (!x.contains(name)) return name;
    return "";
  };
  const std::string file = in_maps(a.files, b.files);
  return file.empty() ? in_maps(a.state, b.state) : file;
}

Runs::Runs(app::Case c, double dt) : case_(std::move(c)), dt_(dt) {}

app::RunPlan Runs::plan(std::int64_t steps) const {
  return {.end = 1e9, .until = {}, .steps = steps, .fields_interval = 3 * dt_, .log_interval = 2 * dt_,
          .particle_intervals = {{"parcels", 5 * dt_}}};
}

Written Runs::whole(std::int64_t steps) const {
  Run run(case_, plan(steps));
  run.loop.run();
  return run.written();
}

Written Runs::resumed(std::int64_t steps, std::int64_t cut, const Change& change) const {
  Run first(case_, plan(cut));
  first.loop.run();
  Run second(case_, plan(steps));
  second.driver->registry().assign(first.driver->registry());
  second.loop.state().assign(first.loop.state());
  change(second.driver->registry(), second.loop.state());
  second.loop.resume();
  Written before = first.written(), all = second.written();
  before.rows.insert(before.rows.end(), all.rows.begin() + 1, all.rows.end()); // each log has a header
  all.rows = before.rows;
  all.files.merge(before.files); // what both have is the second's: lists of files
  return all;
}

std::vector<std::string> Runs::saved() const {
  const Run run(case_, plan(1));
  std::vector<std::string> names;
  for (const run::Entry& e : run.driver->registry().entries())
    if (has(e.use, run::Use::saved)) names.push_back(name_of(e));
  for (const run::Entry& e : const_cast<app::RunLoop&>(run.loop).state().entries()) names.push_back("loop." + name_of(e));
  return names;
}

const run::Entry* find(const run::Registry& registry, bool loop, const std::string& name) {
  const std::string before = loop ? "loop." : "";
  for (const run::Entry& e : registry.entries())
    if (before + name_of(e) == name) return &e;
  return nullptr;
}

} // namespace corral::test
