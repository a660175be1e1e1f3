#include "app/output/state_files.hpp"

#include "app/output/openpmd/shown_file.hpp"
#include "app/output/vtk/vtk.hpp"

#include <utility>

namespace corral::app {

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

void StateFiles::restore(const run::Clock& clock) {
  fields_.restore();
  for (Particles& p : particles_) p.series.restore();
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
  if (plan_.vtk && fields_are_due_) {
    write_fields(fields_.next(), state_, clock.time());
    fields_.add(clock.time());
  }
  Shown shown{.fields = fields_are_due_};
  for (Particles& p : particles_) {
    if (!p.is_due) continue;
    shown.sets.push_back(&p.set);
    if (!plan_.vtk) continue;
    write_particles(p.series.next(), p.set, clock.time());
    p.series.add(clock.time());
  }
  if (plan_.openpmd && (shown.fields || !shown.sets.empty())) openpmd_.add(state_, shown, clock);
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
  if (plan_.vtk) {
    write_fields(file("dump_fields.vti"), state_, clock.time());
    for (const Particles& p : particles_) write_particles(file("dump_" + p.set.name() + ".vtp"), p.set, clock.time());
  }
  Shown all{.fields = true};
  for (const Particles& p : particles_) all.sets.push_back(&p.set);
  if (plan_.openpmd) write_shown(file("dump_openpmd.h5"), state_, all, clock);
  return names;
}

} // namespace corral::app
