#include "body/step/time_step.hpp"

#include "body/step/step.hpp"
#include "run/case/values.hpp"
#include "structure/bodies/body_repulsion.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace corral::body {

using namespace structure;
using run::brief, run::brief_below;

double contact_step(const BodySetup& setup) {
  double longest = std::numeric_limits<double>::infinity();
  if (setup.contact.range > 0)
    each_free(setup, [&](const MotionModel& motion, const BodyModel&, double volume) {
      longest = std::min(longest, repulsion_step(setup.contact, swinging_mass(motion.density, setup.fluid.rho, volume)));
    });
  return longest;
}

StepLength::StepLength(const BodySetup& setup, run::Registry& registry)
    : setup_(setup), of_contact_(contact_step(setup)),
      length_(setup.time, {.factor = 2, .of_allowed = false}, {{"speed", "time.courant"}, {"contact", "contact.strength"}}, registry) {}

void StepLength::adapt(double time, double rate) {
  if (!setup_.time.adaptive) return;
  const double taken = next();
  const double longest = std::min(setup_.time.dt, of_contact_);
  if (time > 0) length_.begin(longest);
  else length_.begin(longest, 1e-3 * longest);
  length_.bound_by(contact, of_contact_);
  if (rate > 0) length_.bound_by(speed, setup_.time.courant / rate);
  length_.check_floor([&] {
    return "fluid or bodies cross " + brief(rate) + " cells a second, and may cross " + brief(setup_.time.courant) + " in a step";
  });
  length_.end(time);
  if (time > 0)
    length_.look(time, taken, length_.bound() == contact ? "contact of bodies allows " + brief_below(of_contact_) + " s"
                                                         : "fluid or bodies cross " + brief(rate) + " cells a second",
                 notices_);
}

void StepLength::check(double dt, double rate) const {
  const double crossed = rate * dt;
  if (crossed <= 2 * setup_.time.courant) return;
  if (!std::isfinite(crossed))
    throw Error("the flow has blown up in a step of " + brief(dt) + " s (a velocity is no number) set time.dt to " + brief_below(0.1 * dt) + " s or less");
  throw Error("fluid or bodies cross " + brief(crossed) + " cells in a step of " + brief(dt) + " s (" + brief(2 * setup_.time.courant) +
              " are allowed, twice time.courant) set time.dt to " + brief_below(0.5 * setup_.time.courant / rate) + " s");
}

} // namespace corral::body
