#include "tests/state/runs.hpp"

#include "tests/app/surroundings.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace corral::test {

namespace {

std::string name_of(const run::Entry& e) { return (e.set ? e.set->name() + "." : "") + e.full_name(); }

std::string bytes_of(const run::Entry& e) {
  const auto as_text = [](const void* data, std::int64_t bytes) {
    return std::string(static_cast<const char*>(data), static_cast<std::size_t>(bytes));
  };
  if (const auto* r = e.reals()) return as_text(r->data(), 8 * r->size());
  if (const auto* u = e.ids()) return as_text(u->data(), 8 * u->size());
  if (const auto* n = e.integers()) return as_text(n->data(), 4 * n->size());
  if (const auto* f = e.floats()) return as_text(f->data(), 4 * f->size());
  if (const auto* x = e.real()) return as_text(x, 8);
  return as_text(e.counter(), 8);
}

void add_state(Written& written, const run::Registry& registry, const std::string& before) {
  for (const run::Entry& e : registry.entries()) written.state[before + name_of(e)] = bytes_of(e);
}

app::ResultNames names_of(const run::DriverKind& kind) {
  app::ResultNames names;
  for (const run::ParticleKind& set : kind.sets) names.sets.push_back(set.name);
  for (const run::TableKind& table : kind.tables) names.tables.push_back(table.name);
  return names;
}

app::RunPlan plan(const run::DriverKind& kind, double dt, std::int64_t steps) {
  app::RunPlan p{.end = 1e9, .steps = steps, .log_interval = 2 * dt, .files = {.openpmd = true, .fields_interval = 3 * dt}};
  for (const run::ParticleKind& set : kind.sets) p.files.particle_intervals[set.name] = 5 * dt;
  for (const run::TableKind& table : kind.tables) p.tables.push_back({table, 3 * dt});
  return p;
}

/// What whoever makes a driver gives it, and no step changes.
bool settled_by_making(const run::Entry& e) {
  return e.kind == run::Kind::connectivity || e.ids() || (e.set && (e.name == "membrane" || e.name == "body" || e.name == "group" || e.name == "assembly"));
}

void fill(const run::Entry& e, double value) {
  if (auto* r = e.reals()) std::fill(r->begin(), r->end(), value);
  if (auto* u = e.ids()) std::fill(u->begin(), u->end(), static_cast<std::uint64_t>(std::abs(value)));
  if (auto* f = e.floats()) std::fill(f->begin(), f->end(), static_cast<float>(value));
  if (auto* x = e.real()) *x = value;
  if (auto* n = e.counter()) *n = static_cast<std::int64_t>(value);
}

/// Forgets to save the entry of that name, where the registry has it.
void forget(run::Registry& registry, const std::string& before, const std::string& name) {
  for (run::Entry& e : registry.entries())
    if (before + name_of(e) == name) e.use = run::has(e.use, run::Use::shown) ? run::Use::shown : run::Use::none;
}

} // namespace

/// A driver and a loop that writes into a directory of its own.
struct Run {
  Run(const app::Case& c_, double dt_, std::int64_t steps)
      : c(c_), dt(dt_), driver(app::make_driver(c)), directory(out.path(), true, names_of(*c.driver_kind)),
        lock(directory.prepare()), progress(nullptr, app::Progress::Style::none),
        loop(*driver, plan(*c.driver_kind, dt, steps), directory, progress, interrupts) {}

  Written written() {
    Written w;
    w.files = files_in(out.path());
    for (auto it = w.files.begin(); it != w.files.end();) {
      if (!it->first.ends_with(".csv")) {
        ++it;
        continue;
      }
      std::istringstream rows(it->second);
      for (std::string row; std::getline(rows, row);) w.tables[it->first].push_back(row);
      it = w.files.erase(it);
    }
    driver->before_output(); // the last step need not have been one of output
    add_state(w, driver->registry(), "");
    add_state(w, loop.state(), "loop.");
    return w;
  }

  const app::Case& c;
  double dt;
  TemporaryDirectory out;
  std::unique_ptr<run::Driver> driver;
  app::OutputDirectory directory;
  std::unique_ptr<app::DirectoryLock> lock;
  app::Progress progress;
  app::Interrupts interrupts;
  app::RunLoop loop;
};

std::string difference(const Written& a, const Written& b) {
  const auto in_maps = [](const auto& x, const auto& y) -> std::string {
    for (const auto& [name, content] : x)
      if (const auto found = y.find(name); found == y.end() || found->second != content) return name;
    for (const auto& [name, content] : y)
      if (!x.contains(name)) return name;
    return "";
  };
  for (const std::string& found : {in_maps(a.tables, b.tables), in_maps(a.files, b.files), in_maps(a.state, b.state)})
    if (!found.empty()) return found;
  return "";
}

Stopped::Stopped(std::unique_ptr<Run> run) : run_(std::move(run)), before_(run_->written()) {}
Stopped::Stopped(Stopped&&) noexcept = default;
Stopped::~Stopped() = default;

Written Stopped::goes_on(std::int64_t steps, double nonsense, const std::string& not_saved) const {
  Run second(run_->c, run_->dt, steps);
  const auto take_over = [&](run::Registry& to, const run::Registry& from, const std::string& before) {
    forget(to, before, not_saved);
    to.assign(from);
    for (const run::Entry& e : to.entries())
      if (nonsense != 0 && !run::has(e.use, run::Use::saved) && (before + name_of(e) == not_saved || !settled_by_making(e)))
        fill(e, nonsense);
  };
  take_over(second.driver->registry(), run_->driver->registry(), "");
  take_over(second.loop.state(), run_->loop.state(), "loop.");
  second.loop.resume();
  Written all = second.written();
  for (auto& [name, rows] : all.tables) { // each has its header twice
    std::vector<std::string> joined = before_.tables.at(name);
    joined.insert(joined.end(), rows.begin() + 1, rows.end());
    rows = joined;
  }
  all.files.insert(before_.files.begin(), before_.files.end()); // what both have is the second's: lists of files
  return all;
}

Runs::Runs(app::Case c, double dt) : case_(std::move(c)), dt_(dt) {}

Written Runs::whole(std::int64_t steps) const {
  Run run(case_, dt_, steps);
  run.loop.run();
  return run.written();
}

Stopped Runs::stopped(std::int64_t steps) const {
  auto run = std::make_unique<Run>(case_, dt_, steps);
  run->loop.run();
  return Stopped(std::move(run));
}

std::vector<std::string> Runs::saved() const {
  Run run(case_, dt_, 1);
  std::vector<std::string> names;
  for (const run::Entry& e : run.driver->registry().entries())
    if (has(e.use, run::Use::saved)) names.push_back(name_of(e));
  for (const run::Entry& e : run.loop.state().entries()) names.push_back("loop." + name_of(e));
  return names;
}

} // namespace corral::test
