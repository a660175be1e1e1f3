#include "app/insitu/scripts.hpp"

#include "app/insitu/plugin.hpp"
#include "app/system/process.hpp"
#include "run/case/problems.hpp"

#include <corral/error.hpp>

#include <exception>
#include <span>
#include <utility>

namespace corral::app {

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

/// What f(why) of the plug-in answers, in the directory of a script. Throws Error where that is a failure.
template <class F> auto answer_in(const std::string& directory, const F& f) {
  Sentence why{};
  const auto [answer, failed] = [&] {
    const ProcessStateGuard unchanged;
    unchanged.enter(directory);
    return f(why.data());
  }();
  if (failed) throw Error(text_of(why));
  return answer;
}

template <class T> struct Answer {
  T value;
  bool failed;
};

} // namespace

InSituScripts::InSituScripts(const std::vector<InSituPlan>& plans, std::filesystem::path directory, std::string title,
                             const distributed::Team* team)
    : directory_(std::move(directory)), title_(std::move(title)), team_(team) {
  for (const InSituPlan& plan : plans) scripts_.push_back({plan});
}

InSituScripts::~InSituScripts() {
  for (Script& s : scripts_) close(s);
}

/// Ranks come to the end of it together, and all throw what one of them does.
template <class F> void InSituScripts::together(const F& work) const {
  if (!team_) return work();
  std::string problem;
  try {
    work();
  } catch (const std::exception& e) {
    problem = reason_text(e);
  }
  team_->meet(problem);
}

std::string InSituScripts::look(std::size_t number, run::Driver& own, const run::Clock& clock) {
  Script& script = scripts_[number];
  if (!watches(number)) return "";
  try {
    if (!plugin_) load();
  } catch (const std::exception& e) {
    off_ = true;
    return std::string("in situ is off: ") + e.what();
  }
  try {
    if (!script.opened) open(script, own.registry());
    if (wants(script, clock)) show(script, own, clock);
  } catch (const std::exception& e) { // the script's failure, no memory for the view of the state, no directory for its results
    return end(script, reason_text(e));
  }
  return "";
}

void InSituScripts::load() {
  const corral_insitu_plugin* plugin = nullptr;
  together([&] { plugin = &load_plugin(plugin_path()); });
  if (team_) lent_ = team_->lend();
  plugin_ = plugin;
}

void InSituScripts::open(Script& script, const run::Registry& registry) {
  script.opened = true;
  together([&] {
    script.directory = std::filesystem::absolute(directory_ / "insitu" / script.plan.name).string();
    std::vector<const char*> sets;
    for (const run::ParticleSet& set : registry.sets()) sets.push_back(set.name().c_str());
    const std::string file = script.plan.script.string();
    const corral_insitu_processes processes{team_ ? team_->rank() : 0, team_ ? team_->size() : 1, lent_.number, lent_.mpi.c_str()};
    const corral_insitu_request request{sizeof(corral_insitu_request), file.c_str(), script.directory.c_str(), title_.c_str(),
                                        mesh_name, static_cast<std::int64_t>(sets.size()), sets.data(), processes};
    script.handle = answer_in(script.directory, [&](char* why) {
      void* const handle = plugin_->open(&request, why);
      return Answer<void*>{handle, !handle};
    });
  });
}

bool InSituScripts::wants(const Script& script, const run::Clock& clock) const {
  bool wanted = false;
  together([&] {
    wanted = answer_in(script.directory, [&](char* why) {
      const int answer = plugin_->wants(script.handle, clock.time(), clock.step(), why);
      return Answer<bool>{answer > 0, answer < 0};
    });
  });
  const double mine = wanted ? 1 : 0, ranks = team_ ? team_->sums({&mine, 1}).front() : mine;
  if (ranks > 0 && ranks < (team_ ? team_->size() : 1))
    throw Error("some ranks want to see step " + std::to_string(clock.step()) + ", and others do not (one that sees it would wait for the others) "
                "let triggers depend on time and step alone");
  return wanted;
}

void InSituScripts::show(const Script& script, run::Driver& own, const run::Clock& clock) {
  together([&] { own.before_output(); });
  if (team_) fill_ghosts(own);
  together([&] {
    const run::Registry& registry = own.registry().on_host(run::is_seen);
    const BorrowedState state(registry, clock, team_ ? part_of(own, *team_) : all_of(registry.grid()));
    answer_in(script.directory, [&](char* why) {
      const int answer = plugin_->show(script.handle, &state.view(), why);
      return Answer<int>{answer, answer < 0};
    });
  });
}

/// What is shown of others' cells is as they have it: steps leave in ghosts what they do not need. One that goes on from files has
/// them so, too.
void InSituScripts::fill_ghosts(run::Driver& own) {
  const distributed::SharedGrid* const shared = own.shared();
  if (!shared) return;
  for (std::size_t s = 0; s < ghosts_.size(); ++s) {
    std::vector<double*> fields;
    for (const run::Entry& e : own.registry().entries())
      if (run::is_shown(e) && e.kind == run::Kind::field && static_cast<std::size_t>(e.staggering) == s) fields.push_back(e.reals()->data());
    if (fields.empty()) continue;
    if (!ghosts_[s]) ghosts_[s] = shared->fields(static_cast<Staggering>(s));
    ghosts_[s]->fill(std::span<double* const>(fields));
  }
}

void InSituScripts::close(Script& script) {
  if (!script.handle) return;
  const ProcessStateGuard unchanged;
  try {
    unchanged.enter(script.directory);
  } catch (const std::exception&) {
    // It ends wherever it is.
  }
  plugin_->close(std::exchange(script.handle, nullptr));
}

std::string InSituScripts::end(Script& script, const std::string& why) {
  close(script);
  return "in situ, " + script.plan.name + " is off, the run goes on: " + why;
}

void InSituScripts::finish() {
  for (Script& s : scripts_) close(s);
  off_ = true;
  if (!team_ || !plugin_) return;
  const ProcessStateGuard unchanged;
  plugin_->finish();
}

} // namespace corral::app
