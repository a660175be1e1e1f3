#include "app/insitu/in_situ.hpp"

#include <cstdint>
#include <cstring>
#include <exception>
#include <utility>

namespace corral::app {

namespace {

/// What rank 0 tells the others.
struct InSituCall {
  std::int64_t script = finish; ///< that looks at this moment
  double time = 0;              ///< [s]
  std::int64_t step = 0;

  static constexpr std::int64_t finish = -1;

  std::string words() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
};

} // namespace

InSitu::InSitu(const std::vector<InSituPlan>& plans, std::filesystem::path directory, std::string title, Say say, const run::Lead* lead)
    : scripts_(plans, std::move(directory), std::move(title), lead ? &lead->team() : nullptr), say_(std::move(say)), lead_(lead) {
  for (const InSituPlan& plan : plans) moments_.push_back({plan.interval == 0, DueTimes(plan.interval)});
}

InSitu::~InSitu() {
  if (!lead_ || scripts_.size() == 0) return;
  try {
    lead_->call(InSituCall{}.words());
    scripts_.finish();
  } catch (const std::exception&) { // who cannot be told has gone
  }
}

bool InSitu::is_due(std::size_t script, const run::Clock& clock) {
  return scripts_.watches(script) && (moments_[script].all || moments_[script].due.due(clock));
}

void InSitu::look(run::Driver& driver, const run::Clock& clock) {
  std::vector<std::size_t> due;
  for (std::size_t i = 0; i < scripts_.size(); ++i)
    if (is_due(i, clock)) due.push_back(i);
  if (due.empty()) return;
  const auto timer = driver.phases().time("in situ");
  for (const std::size_t i : due) {
    if (!scripts_.watches(i)) continue; // since the script before
    if (lead_) lead_->call(InSituCall{static_cast<std::int64_t>(i), clock.time(), clock.step()}.words());
    const std::string said = scripts_.look(i, lead_ ? lead_->own() : driver, clock);
    if (!said.empty()) say_(said);
  }
}

void InSitu::looked(const run::Clock& clock) {
  for (Moments& of_script : moments_) of_script.due.due(clock);
}

void obey(InSituScripts& scripts, run::Driver& own, const std::string& words) {
  InSituCall call;
  std::memcpy(&call, words.data(), sizeof call);
  if (call.script == InSituCall::finish) return scripts.finish();
  scripts.look(static_cast<std::size_t>(call.script), own, run::Clock(call.time, call.step));
}

} // namespace corral::app
