#include "membrane/time_step.hpp"

#include "membrane/placing/shapes.hpp"
#include "run/case/values.hpp"
#include "run/step_to_multiple.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::membrane {

namespace {

using run::brief;

/// Share of the linear theory's bound that a step may take; found by bisection on real membranes (tests/membrane).
constexpr double margin = 1;

/// The largest dt with dt^2 q/(1 + nu k^2 dt) <= 1: inertia bounds a short step, viscosity a long one.
double longest(double q, double viscous_rate) {
  return (viscous_rate + std::sqrt(viscous_rate * viscous_rate + 4 * q)) / (2 * q);
}

} // namespace

StableStep stable_step(const MembraneSetup& setup) {
  double h = std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < 3; ++d)
    if (setup.cells[d] > 1) h = std::min(h, setup.size[d] / static_cast<double>(setup.cells[d]));
  const double k = std::numbers::pi / h; // the shortest wave that the grid carries
  const double rho = setup.fluid.rho, nu = setup.fluid.mu / rho;
  StableStep bound;
  for (const SurfaceModel& kind : setup.surfaces) {
    const Material& m = kind.material;
    const auto consider = [&](double per_area, const std::string& what) { // force per area and displacement [N/m3]
      if (!(per_area > 0)) return;
      // Without inertia only the viscous bound is left: dt <= 4 mu k/per_area.
      const double dt = margin * (setup.fluid.inertia ? longest(per_area * k / (4 * rho), nu * k * k)
                                                      : 4 * setup.fluid.mu * k / per_area);
      if (dt < bound.dt) bound = {dt, what + " of [surface." + kind.name + "]"};
    };
    // A wave along the surface that stretches it meets both moduli.
    const double plane = area_modulus(m) + (m.law == ElasticLaw::none ? 0 : m.shear_modulus) + m.area_stiffness +
                         m.tension;
    consider(plane * k * k, "the modulus " + brief(plane) + " N/m");
    consider(m.bending_modulus * k * k * k * k, "the bending modulus " + brief(m.bending_modulus) + " J");
    consider(m.tether_stiffness, "the tethers' stiffness " + brief(m.tether_stiffness) + " N/m3");
    const double per_point = shape_area(kind) / static_cast<double>(marker_count(kind)); // [m2]
    consider(setup.coupling.repulsion_stiffness / per_point,
             "repulsion.stiffness " + brief(setup.coupling.repulsion_stiffness) + " N/m at the points");
  }
  return bound;
}

StepLength::StepLength(const MembraneSetup& setup, const StableStep& stable, run::Registry& registry)
    : setup_(setup), stable_(stable), next_(setup.time.dt) {
  registry.lend("dt_next", "s", "length of the next step", next_);
  if (setup.time.adaptive) adapt(0, 0);
}

void StepLength::adapt(double time, double rate) {
  if (!setup_.time.adaptive) return;
  const double longest_one = std::min(setup_.time.dt, stable_.dt);
  const double allowed = rate > 0 ? std::min(longest_one, setup_.time.courant / rate) : longest_one;
  const double least = setup_.time.least > 0 ? setup_.time.least : 1e-4 * longest_one;
  if (allowed < least)
    throw Error("the adaptive step has fallen to " + brief(allowed) + " s, below " + brief(least) + " s (the fluid crosses " +
                brief(rate) + " cells per second, and a step " + brief(setup_.time.courant) + " cells; stiffness allows " +
                stiffness() + ") look for what drives it so fast; where it should, set time.dt_least lower");
  next_ = run::step_to_multiple(time, setup_.time.dt, allowed);
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

} // namespace corral::membrane
