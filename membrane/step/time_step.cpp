#include "membrane/step/time_step.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::membrane {

using run::brief, run::brief_below;

namespace {

constexpr double first_share = 1e-3; ///< of the longest step, which the first takes

} // namespace

StepLength::StepLength(const MembraneSetup& setup, const StableStep& stable, run::Registry& registry)
    : setup_(setup), stable_(stable), longest_(std::min(setup.time.dt, stable.dt)),
      length_(setup.time, {.factor = 2, .of_allowed = false}, {{"speed", "time.courant"}, {"stiffness", "stiffness"}}, registry) {
  stiffened_.bind_state(registry, "said_stiffened", "that steps may be too long for membranes that have stiffened");
  if (setup.time.adaptive) adapt(0, 0, stable);
}

void StepLength::adapt(double time, double rate, const StableStep& stable) {
  stable_ = stable;
  const double taken = next();
  if (!setup_.time.adaptive) {
    if (taken > stable_.dt)
      notices_.add(stiffened_, "membranes have stiffened at " + brief(time) + " s: steps above " + brief_below(stable_.dt) +
                                   " s may blow up, because of " + stable_.cause);
    return;
  }
  if (time > 0) length_.begin(longest_);
  else length_.begin(longest_, first_share * std::min(setup_.time.dt, stable_.dt));
  length_.bound_by(stiff, stable_.dt);
  if (rate > 0) length_.bound_by(speed, setup_.time.courant / rate);
  length_.check_floor([&] {
    return "the fluid crosses " + brief(rate) + " cells per second, and a step " + brief(setup_.time.courant) +
           " cells; stiffness allows " + stiffness() +
           (length_.bound() == stiff ? ": a surface has folded, which a finer grid or more bending may keep it from" : "");
  });
  length_.end(time);
  if (time > 0) length_.look(time, taken, bound(rate), notices_);
}

std::string StepLength::bound(double rate) const {
  if (length_.bound() == run::AdaptiveStep::growth) return "steps grow to their double at most";
  if (length_.bound() != speed) return "stiffness allows " + stiffness();
  return "the fluid moves at up to " + brief(rate) + " cells a second and may cross time.courant = " + brief(setup_.time.courant);
}

void StepLength::check(double dt, double rate) const {
  const double crossed = rate * dt;
  if (crossed <= 2 * setup_.time.courant) return;
  const std::string adaptive = setup_.time.adaptive ? "" : setup_.or_adaptive();
  if (!std::isfinite(crossed))
    throw Error("the flow has blown up in a step of " + brief(dt) + " s (its velocity is no number; stiffness allows " +
                stiffness() + ") set time.dt to " + brief_below(0.1 * std::min(dt, stable_.dt)) + " s or less" + adaptive);
  throw Error("the fluid crosses " + brief(crossed) + " cells in a step of " + brief(dt) + " s (" +
              brief(2 * setup_.time.courant) + " are allowed, twice time.courant; stiffness allows " + stiffness() +
              ") set time.dt to " + brief_below(0.5 * setup_.time.courant / rate) + " s" + adaptive);
}

std::string StepLength::stiffness() const {
  if (stable_.cause.empty()) return "any step";
  return brief_below(stable_.dt) + " s, because of " + stable_.cause;
}

} // namespace corral::membrane
