#include "app/output/state_files.hpp"

#include "app/openpmd/iteration_file.hpp"
#include "app/system/files.hpp"
#include "app/system/system_calls.hpp"
#include "app/system/text.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>
#include <vector>

namespace corral::app {

namespace {

constexpr std::string_view head =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
constexpr std::string_view end_of_series = "</Collection>\n</VTKFile>\n";

} // namespace

Series::Series(std::filesystem::path directory, std::string name, std::string extension)
    : directory_(std::move(directory)), name_(std::move(name)), extension_(std::move(extension)) {}

void Series::add(double time) {
  times_.resize(times_.size() + 1, time);
  const std::filesystem::path list = directory_ / (name_ + ".pvd");
  // Whole where it is new, and where somebody else has changed it.
  if (times_.size() > 1 && replace_end(list, end_of_series, line(times_.size() - 1) + std::string(end_of_series))) return;
  write_list();
}

void Series::sync() {
  for (; on_disk_ < times_.size(); ++on_disk_) {
    const std::filesystem::path file = directory_ / member(on_disk_);
    if (const int code = system_calls::sync_file(file); code != 0 && code != ENOENT) cannot_write(file, code);
  }
}

void Series::restore() {
  on_disk_ = times_.size(); // before the checkpoint was
  for (const std::filesystem::path& file : paths_in(directory_))
    if (const auto number = number_of(file.filename().string()); number && *number >= times_.size())
      system_calls::try_to_remove(file);
  if (times_.empty()) system_calls::try_to_remove(directory_ / (name_ + ".pvd"));
  else write_list();
}

void Series::write_list() const {
  std::string text(head);
  for (std::int64_t i = 0; i < times_.size(); ++i) text += line(i);
  write_whole_file(directory_ / (name_ + ".pvd"), text + std::string(end_of_series));
}

std::optional<std::int64_t> Series::number_of(std::string_view file) const {
  if (!file.starts_with(name_ + "_") || !file.ends_with("." + extension_)) return std::nullopt;
  file.remove_prefix(name_.size() + 1);
  file.remove_suffix(std::min(file.size(), extension_.size() + 1));
  std::int64_t number = 0;
  std::from_chars(file.data(), file.data() + file.size(), number);
  if (member(number) != name_ + "_" + std::string(file) + "." + extension_) return std::nullopt;
  return number;
}

std::string Series::line(std::int64_t number) const {
  return "<DataSet timestep=\"" + number_text(times_[number]) + "\" part=\"0\" file=\"" + member(number) + "\"/>\n";
}

std::string Series::member(std::int64_t number) const {
  return name_ + "_" + padded(number, 6) + "." + extension_;
}

namespace {

using openpmd::IterationFile;
using run::Entry;
using run::ParticleSet;

void add_fields(IterationFile& file, const run::Registry& registry) {
  for (const Entry& e : registry.entries())
    if (run::is_shown(e) && e.kind == run::Kind::field) file.add_field(e, registry.grid());
}

void add_set(IterationFile& file, const ParticleSet& set) {
  if (!set.find("position", 0))
    throw Error(set.name() + " have no vector column \"position\" (their files take their points from it)");
  for (const Entry* e : set.columns())
    if (run::is_shown(*e) || e->name == "position") file.add_column(*e);
  file.add_species(set);
  for (const Entry* elements : {set.bonds(), set.triangles()})
    if (elements) file.add_beside(openpmd::beside, *elements);
  for (const Entry* e : set.on_triangles())
    if (run::is_shown(*e)) file.add_beside(openpmd::beside, *e);
}

} // namespace

void write_shown(const std::filesystem::path& path, const run::Registry& registry, const Shown& shown,
                 const run::Clock& clock, const std::string& series) {
  PartFile part(path);
  IterationFile file(Hdf5File::create(part.path(), Hdf5File::Sealed::yes), clock,
                     {.fields = shown.fields, .particles = !shown.sets.empty(), .series = series});
  file.make_group(openpmd::beside);
  if (shown.fields) add_fields(file, registry);
  for (const ParticleSet* set : shown.sets) add_set(file, *set);
  file.finish(registry);
  part.commit();
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view begin = "openpmd_", end = ".h5";
const std::string all = std::string(begin) + "%T" + std::string(end); // as readers want to have it said

std::string member(std::int64_t step) { return std::string(begin) + padded(step, 12) + std::string(end); }

std::optional<std::int64_t> step_of(std::string_view name) {
  if (!name.starts_with(begin) || !name.ends_with(end)) return std::nullopt;
  std::int64_t step = 0;
  std::from_chars(name.data() + begin.size(), name.data() + name.size() - end.size(), step);
  if (member(step) != name) return std::nullopt;
  return step;
}

} // namespace

void OpenpmdSeries::add(const run::Registry& registry, const Shown& shown, const run::Clock& clock) {
  not_on_disk_.push_back(directory_ / member(clock.step()));
  write_shown(not_on_disk_.back(), registry, shown, clock, all);
  if (!std::exchange(listed_, true)) write_whole_file(directory_ / "openpmd.pmd", all + "\n");
}

// One that somebody has taken away since is his affair.
void OpenpmdSeries::sync() {
  for (; !not_on_disk_.empty(); not_on_disk_.pop_back())
    if (const int code = system_calls::sync_file(not_on_disk_.back()); code != 0 && code != ENOENT)
      cannot_write(not_on_disk_.back(), code);
}

void OpenpmdSeries::restore(const run::Clock& clock) const {
  for (const fs::path& file : paths_in(directory_))
    if (const auto step = step_of(file.filename().string()); step && *step > clock.step()) system_calls::try_to_remove(file);
}

StateFiles::StateFiles(const StateFilesPlan& plan, std::filesystem::path directory, const run::Registry& state)
    : plan_(plan), directory_(std::move(directory)), state_(state), fields_due_(plan.fields_interval),
      fields_(directory_, "fields", "vti"), openpmd_(directory_) {
  for (const run::ParticleSet& set : state.sets()) {
    const auto interval = plan_.particle_intervals.find(set.name());
    particles_.push_back({set, DueTimes(interval == plan_.particle_intervals.end() ? 0 : interval->second),
                          Series(directory_, set.name(), "vtp")});
  }
}

void StateFiles::bind_state(run::Registry& loop) {
  fields_due_.bind_state(loop, "fields");
  fields_.bind_state(loop);
  for (Particles& p : particles_) {
    p.due.bind_state(loop, p.set.name());
    p.series.bind_state(loop);
  }
}

void StateFiles::restore(const run::Clock& clock, const std::set<std::string>& other_intervals) {
  if (other_intervals.contains("fields")) fields_due_.begin(clock);
  fields_.restore();
  for (Particles& p : particles_) {
    if (other_intervals.contains(p.set.name())) p.due.begin(clock);
    p.series.restore();
  }
  openpmd_.restore(clock);
}

bool StateFiles::due(const run::Clock& clock) {
  bool any = fields_are_due_ = fields_due_.due(clock);
  for (Particles& p : particles_) {
    p.is_due = p.due.due(clock);
    any = any || p.is_due;
  }
  return any;
}

void StateFiles::write(const run::Clock& clock) {
  const run::Registry& state = state_.on_host([this](const Entry& e) { return is_due(e); });
  if (plan_.vtk && fields_are_due_) {
    write_fields(fields_.next(), state, clock.time());
    fields_.add(clock.time());
  }
  Shown shown{.fields = fields_are_due_};
  for (Particles& p : particles_) {
    if (!p.is_due) continue;
    const ParticleSet& set = *state.find_set(p.set.name());
    shown.sets.push_back(&set);
    if (!plan_.vtk) continue;
    write_particles(p.series.next(), set, clock.time());
    p.series.add(clock.time());
  }
  if (plan_.openpmd && (shown.fields || !shown.sets.empty())) openpmd_.add(state, shown, clock);
}

bool StateFiles::is_due(const Entry& e) const {
  if (!run::is_seen(e)) return false;
  if (!e.set) return fields_are_due_ && e.kind == run::Kind::field;
  return std::any_of(particles_.begin(), particles_.end(), [&](const Particles& p) { return p.is_due && e.set == &p.set; });
}

void StateFiles::sync() {
  fields_.sync();
  for (Particles& p : particles_) p.series.sync();
  openpmd_.sync();
}

std::string StateFiles::dump(const run::Clock& clock) const {
  std::string names;
  const auto file = [&](const std::string& name) {
    names += (names.empty() ? "" : " and ") + name;
    return directory_ / name;
  };
  const run::Registry& state = state_.on_host(run::is_seen);
  Shown all{.fields = true};
  for (const ParticleSet& set : state.sets()) all.sets.push_back(&set);
  if (plan_.vtk) {
    write_fields(file("dump_fields.vti"), state, clock.time());
    for (const ParticleSet* set : all.sets) write_particles(file("dump_" + set->name() + ".vtp"), *set, clock.time());
  }
  if (plan_.openpmd) write_shown(file("dump_openpmd.h5"), state, all, clock);
  return names;
}

} // namespace corral::app
