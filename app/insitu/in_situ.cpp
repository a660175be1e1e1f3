#include "app/insitu/in_situ.hpp"

#include "app/command/memory.hpp"
#include "app/insitu/borrowed_state.hpp"
#include "app/insitu/plugin.hpp"
#include "app/insitu/unchanged_process.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

namespace corral::app {

namespace {

using Sentence = std::array<char, CORRAL_INSITU_SENTENCE>;

std::string text_of(Sentence why) {
  why.back() = '\0';
  return why.front() != '\0' ? why.data() : "the plug-in does not say why";
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
    const BorrowedState state(driver.registry(), clock);
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
