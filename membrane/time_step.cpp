#include "membrane/time_step.hpp"

#include "run/case/values.hpp"
#include "run/step_to_multiple.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <utility>

namespace corral::membrane {

namespace {

using run::brief;

} // namespace

StepLength::StepLength(const MembraneSetup& setup, run::Registry& registry)
    : setup_(setup), bounds_(setup), next_(setup.time.dt) {
  registry.lend("dt_next", "s", "length of the next step", next_);
}

void StepLength::adapt(double time, double rate, std::span<const double> stretches) {
  const StableStep stable = bounds_.at(stretches);
  if (!setup_.time.adaptive) {
    if (next_ <= stable.dt || std::exchange(told_, true)) return;
    notices_.push_back("membranes have stretched " + brief(*std::max_element(stretches.begin(), stretches.end())) +
                       " times at " + brief(time) + " s: steps may blow up above " + brief(stable.dt) + " s, because of " +
                       stable.cause);
    return;
  }
  double allowed = std::min(setup_.time.dt, stable.dt);
  if (rate > 0) allowed = std::min(allowed, setup_.time.courant / rate);
  next_ = run::step_to_multiple(time, setup_.time.dt, allowed);
}

void StepLength::check(double dt, double rate) const {
  if (rate * dt <= 2 * setup_.time.courant) return;
  const StableStep stable = bounds_.at_start();
  throw Error("the fluid crosses " + brief(rate * dt) + " cells in a step of " + brief(dt) + " s (time.courant is " +
              brief(setup_.time.courant) + "; stiffness allows " + brief(stable.dt) + " s at the start, because of " +
              (stable.cause.empty() ? "nothing" : stable.cause) + ") set time.dt to " +
              brief(0.5 * setup_.time.courant / rate) + " s, or time.step = adaptive");
}

std::vector<std::string> StepLength::take_notices() { return std::exchange(notices_, {}); }

} // namespace corral::membrane
