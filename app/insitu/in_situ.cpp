#include "app/insitu/in_situ.hpp"

#include "app/insitu/plugin.hpp"
#include "app/system/process.hpp"
#include "run/case/problems.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

namespace corral::app {

namespace {

using run::Entry;
using run::ParticleSet;

std::int32_t code_of(Staggering s) {
  switch (s) {
  case Staggering::centre: return CORRAL_INSITU_CENTRE;
  case Staggering::node: return CORRAL_INSITU_NODE;
  case Staggering::face_x: return CORRAL_INSITU_FACE_X;
  case Staggering::face_y: return CORRAL_INSITU_FACE_Y;
  case Staggering::face_z: break;
  }
  return CORRAL_INSITU_FACE_Z;
}

const void* data_of(const Entry& e) {
  if (e.ids()) return e.ids()->data();
  if (e.integers()) return e.integers()->data();
  return e.reals()->data();
}

corral_insitu_column column_of(const Entry& e, const std::string& name) {
  corral_insitu_column c{};
  c.name = name.c_str();
  c.unit = e.unit.c_str();
  c.type = e.ids() ? CORRAL_INSITU_ID : e.integers() ? CORRAL_INSITU_INTEGER : CORRAL_INSITU_REAL;
  c.components = 1;
  c.count = e.size();
  c.stride = 1;
  c.data[0] = data_of(e);
  return c;
}

bool is_vector(const Entry& e) { return e.components == 3; }

corral_insitu_column vector_of(const ParticleSet& set, const Entry& x) {
  corral_insitu_column c = column_of(x, x.name);
  c.components = 3;
  for (int d = 1; d < 3; ++d) c.data[d] = set.find(x.name, d)->reals()->data();
  return c;
}

} // namespace

BorrowedState::BorrowedState(const run::Registry& registry, const run::Clock& clock) {
  state_.size = sizeof state_;
  state_.time = clock.time();
  state_.step = clock.step();
  corral_insitu_mesh& mesh = state_.mesh;
  mesh.name = mesh_name;
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = registry.grid().axis(d);
    mesh.cells[d] = axis.cells;
    mesh.origin[d] = axis.origin;
    mesh.spacing[d] = axis.spacing;
  }
  borrow_fields(registry);
  mesh.field_count = static_cast<std::int64_t>(fields_.size());
  mesh.fields = fields_.data();
  for (const ParticleSet& set : registry.sets()) borrow_set(set);
  state_.set_count = static_cast<std::int64_t>(sets_.size());
  state_.sets = sets_.data();
}

/// Viewers know scalars and vectors: of another number of components each is shown by itself.
const std::string& BorrowedState::name_of(const Entry& e) {
  return is_vector(e) ? e.name : names_.emplace_back(e.full_name());
}

void BorrowedState::borrow_fields(const run::Registry& registry) {
  for (const Entry& e : registry.entries()) {
    if (!has(e.use, run::Use::shown) || e.kind != run::Kind::field || (is_vector(e) && e.component > 0)) continue;
    corral_insitu_field f{};
    f.name = name_of(e).c_str();
    f.unit = e.unit.c_str();
    f.components = is_vector(e) ? 3 : 1;
    for (int c = 0; c < f.components; ++c) {
      const Entry& component = c == 0 ? e : *registry.find(e.name, c);
      f.staggering[c] = code_of(component.staggering);
      for (int d = 0; d < 3; ++d) f.points[c][d] = component.extents[d];
      f.data[c] = component.reals()->data();
    }
    fields_.push_back(f);
  }
}

void BorrowedState::borrow_set(const ParticleSet& set) {
  const Entry* position = set.find("position", 0);
  if (!position) throw Error(set.name() + " have no vector column \"position\" (in situ they have no place)");
  corral_insitu_set s{};
  s.name = set.name().c_str();
  s.count = set.size();
  s.position = vector_of(set, *position);
  auto& columns = columns_.emplace_back();
  for (const Entry* e : set.columns()) {
    if (!has(e->use, run::Use::shown) || e->name == position->name || (is_vector(*e) && e->component > 0)) continue;
    columns.push_back(is_vector(*e) ? vector_of(set, *e) : column_of(*e, name_of(*e)));
  }
  s.column_count = static_cast<std::int64_t>(columns.size());
  s.columns = columns.data();
  if (const Entry* triangles = set.triangles()) {
    s.triangle_count = triangles->size() / triangles->corners;
    s.triangles = triangles->integers()->data();
    auto& on_triangles = columns_.emplace_back();
    for (const Entry* e : set.on_triangles())
      if (has(e->use, run::Use::shown)) on_triangles.push_back(column_of(*e, e->name));
    s.on_triangles_count = static_cast<std::int64_t>(on_triangles.size());
    s.on_triangles = on_triangles.data();
  }
  sets_.push_back(s);
}

namespace {

using Sentence = std::array<char, CORRAL_INSITU_SENTENCE>;

// A script's words go to a terminal, which control characters would command.
std::string text_of(Sentence why) {
  why.back() = '\0';
  if (why.front() == '\0') return "the plug-in does not say why";
  std::string text = why.data();
  for (std::size_t i; (i = run::first_control_character(text)) < text.size();) text[i] = '?';
  return text;
}

} // namespace

InSitu::InSitu(const std::vector<InSituPlan>& plans, std::filesystem::path directory, std::string title, Say say)
    : directory_(std::move(directory)), title_(std::move(title)), say_(std::move(say)) {
  for (const InSituPlan& plan : plans) scripts_.push_back({plan, DueTimes(plan.interval)});
}

InSitu::~InSitu() {
  for (Script& s : scripts_) close(s);
}

bool InSitu::is_due(Script& script, const run::Clock& clock) const {
  if (off_ || (script.opened && !script.handle)) return false;
  return script.plan.interval == 0 || script.due.due(clock);
}

void InSitu::look(run::Driver& driver, const run::Clock& clock) {
  std::vector<Script*> due;
  for (Script& s : scripts_)
    if (is_due(s, clock)) due.push_back(&s);
  if (due.empty()) return;
  const auto timer = driver.phases().time("in situ");
  for (Script* s : due) {
    try {
      look(*s, driver, clock);
    } catch (const std::exception& e) { // no memory for the view of the state, no directory for its results
      end(*s, reason_text(e));
    }
  }
}

void InSitu::looked(const run::Clock& clock) {
  for (Script& s : scripts_) s.due.due(clock);
}

void InSitu::look(Script& script, run::Driver& driver, const run::Clock& clock) {
  if (off_) return; // since the script before
  if (!script.opened) open(script, driver.registry());
  if (!script.handle) return;
  Sentence why{};
  int answer = 0;
  {
    const ProcessStateGuard unchanged;
    unchanged.enter(script.directory);
    answer = plugin_->wants(script.handle, clock.time(), clock.step(), why.data());
  }
  if (answer > 0) {
    driver.before_output();
    const BorrowedState state(driver.registry().on_host(run::is_seen), clock);
    const ProcessStateGuard unchanged;
    unchanged.enter(script.directory);
    answer = plugin_->show(script.handle, &state.view(), why.data());
  }
  if (answer < 0) end(script, text_of(why));
}

void InSitu::open(Script& script, const run::Registry& registry) {
  if (!plugin_) load();
  if (off_) return;
  script.opened = true;
  const std::filesystem::path directory = std::filesystem::absolute(directory_ / "insitu" / script.plan.name);
  script.directory = directory.string();
  std::vector<const char*> sets;
  for (const run::ParticleSet& set : registry.sets()) sets.push_back(set.name().c_str());
  const std::string file = script.plan.script.string();
  const corral_insitu_request request{sizeof(corral_insitu_request), file.c_str(), script.directory.c_str(),
                                      title_.c_str(), mesh_name, static_cast<std::int64_t>(sets.size()), sets.data()};
  Sentence why{};
  {
    const ProcessStateGuard unchanged;
    unchanged.enter(script.directory);
    script.handle = plugin_->open(&request, why.data());
  }
  if (!script.handle) end(script, text_of(why));
}

void InSitu::load() {
  try {
    plugin_ = &load_plugin(plugin_path());
  } catch (const Error& e) {
    off_ = true;
    say_(std::string("in situ is off: ") + e.what());
  }
}

void InSitu::close(Script& script) {
  if (!script.handle) return;
  const ProcessStateGuard unchanged;
  try {
    unchanged.enter(script.directory);
  } catch (const std::exception&) {
    // It ends wherever it is.
  }
  plugin_->close(std::exchange(script.handle, nullptr));
}

void InSitu::end(Script& script, const std::string& why) {
  script.opened = true;
  close(script);
  say_("in situ, " + script.plan.name + " is off, the run goes on: " + why);
}

} // namespace corral::app
