#include "beads/step/time_step.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

namespace corral::beads {

using run::brief, run::brief_below;

StepLength::StepLength(const BeadsSetup& setup, run::Registry& registry)
    : setup_(setup), stiff_(stiff_step(setup)), diffusive_(diffusive_step(setup)),
      length_(setup.time, {.factor = 2, .of_allowed = false},
              {{"displacement", "time.displacement"}, {"stiffness", "springs and repulsion"}, {"diffusion", "fluid.temperature"}}, registry) {}

void StepLength::adapt(double time, const BeadsStep& step) {
  if (!setup_.time.adaptive) return;
  const double taken = next(), speed = step.fastest();
  // Velocities are those of now: what step they allow is known for the first one, too.
  if (time > 0) length_.begin(setup_.time.dt);
  else length_.begin(setup_.time.dt, setup_.time.dt);
  length_.bound_by(stiffness, stiff_);
  length_.bound_by(diffusion, diffusive_);
  if (speed > 0) length_.bound_by(displacement, setup_.time.displacement * setup_.radius / speed);
  length_.check_floor([&] {
    return "a bead moves at " + brief(speed) + " m/s beside the mean of all, " + brief(speed / setup_.radius) + " radii a second";
  });
  length_.end(time);
  if (time > 0)
    length_.look(time, taken,
                 length_.bound() == stiffness   ? "springs and repulsion allow " + brief_below(stiff_) + " s"
                 : length_.bound() == diffusion ? "beads diffuse as far as they may move in " + brief_below(diffusive_) + " s"
                                                : "a bead moves " + brief(speed / setup_.radius) + " radii a second beside the mean",
                 notices_, length_.bound() == stiffness ? "softer springs and a longer range of repulsion allow longer steps"
                                                        : "a larger time.displacement allows longer steps");
}

void StepLength::check(double dt, const BeadsStep& step) const {
  const double moved = step.fastest() * dt / setup_.radius, most = 2 * setup_.time.displacement;
  if (moved <= most) return;
  throw Error("a bead moves " + brief(moved) + " radii beside the mean of all in a step of " + brief(dt) + " s (" + brief(most) +
              " are allowed, twice time.displacement) set time.dt to " +
              brief_below(0.5 * setup_.time.displacement * setup_.radius / step.fastest()) + " s, or time.step = adaptive");
}

} // namespace corral::beads
