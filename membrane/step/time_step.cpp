#include "membrane/step/time_step.hpp"

#include "run/case/values.hpp"
#include "run/clock.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <utility>

namespace corral::membrane {

using run::brief;

namespace {

constexpr double first_share = 1e-3, growth = 2; ///< of the longest step, which the first takes; from one to the next

} // namespace

StepLength::StepLength(const MembraneSetup& setup, const StableStep& stable, run::Registry& registry)
    : setup_(setup), stable_(stable), next_(setup.time.dt) {
  registry.bind("dt_next", "s", "length of the next step", next_);
  short_steps_.bind_state(registry);
  if (setup.time.adaptive) adapt(0, 0, stable);
}

void StepLength::adapt(double time, double rate, const StableStep& stable) {
  stable_ = stable;
  if (!setup_.time.adaptive) {
    if (next_ > stable_.dt && !std::exchange(told_, true))
      notices_.push_back("membranes have stiffened at " + brief(time) + " s: steps above " + brief(stable_.dt) +
                         " s may blow up, because of " + stable_.cause);
    return;
  }
  const double longest_one = std::min(setup_.time.dt, stable_.dt);
  const double allowed = rate > 0 ? std::min(longest_one, setup_.time.courant / rate) : longest_one;
  // How fast forces drive the fluid shows after a step.
  const double grown = time > 0 ? growth * next_ : first_share * longest_one;
  const double least = setup_.time.least > 0 ? setup_.time.least : 1e-4 * longest_one;
  if (allowed < least)
    throw Error("the adaptive step has fallen to " + brief(allowed) + " s, below " + brief(least) + " s (the fluid crosses " +
                brief(rate) + " cells per second, and a step " + brief(setup_.time.courant) + " cells; stiffness allows " +
                stiffness() + ") look for what drives it so fast; where it should, set time.dt_least lower");
  if (auto notice = short_steps_.look(time, next_, setup_.time.dt, allowed < longest_one
          ? "the fluid moves at up to " + brief(rate) + " cells a second and may cross time.courant = " + brief(setup_.time.courant)
          : "stiffness allows " + stiffness()))
    notices_.push_back(std::move(*notice));
  next_ = run::step_to_multiple(time, setup_.time.dt, std::min(allowed, grown));
}

void StepLength::check(double dt, double rate) const {
  const double crossed = rate * dt;
  if (crossed <= 2 * setup_.time.courant) return;
  const std::string adaptive = setup_.time.adaptive ? "" : ", or time.step = adaptive";
  if (!std::isfinite(crossed))
    throw Error("the flow has blown up in a step of " + brief(dt) + " s (its velocity is no number; stiffness allows " +
                stiffness() + ") set time.dt to " + brief(0.1 * std::min(dt, stable_.dt)) + " s or less" + adaptive);
  throw Error("the fluid crosses " + brief(crossed) + " cells in a step of " + brief(dt) + " s (" +
              brief(2 * setup_.time.courant) + " are allowed, twice time.courant; stiffness allows " + stiffness() +
              ") set time.dt to " + brief(0.5 * setup_.time.courant / rate) + " s" + adaptive);
}

std::string StepLength::stiffness() const {
  if (stable_.cause.empty()) return "any step";
  return brief(stable_.dt) + " s, because of " + stable_.cause;
}

std::vector<std::string> StepLength::take_notices() { return std::exchange(notices_, {}); }

} // namespace corral::membrane
