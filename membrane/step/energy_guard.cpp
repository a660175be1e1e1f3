#include "membrane/step/energy_guard.hpp"

#include "run/case/values.hpp"
#include "structure/placing/placing.hpp"
#include "structure/surfaces/shapes.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::membrane {

using namespace structure;
using run::brief, run::brief_below;

namespace {

constexpr double steps_looked_at = 8;
constexpr double much_of_exchange = 0.05, much_of_energy = 1e-3;
constexpr double shrink = 0.5, recovery = 1.02, least_share = 1e-3; ///< of the step; of the bound

} // namespace

EnergyGuard::EnergyGuard(const MembraneSetup& setup, run::Registry& registry) : setup_(setup) {
  registry.bind("guard_membranes", "J", "energy of the membranes after the last step", last_.membranes);
  registry.bind("guard_residual", "J", "of the books of energy after the last step", last_.residual);
  registry.bind("guard_made", "J", "energy that no work gave, lately", made_);
  registry.bind("guard_exchanged", "J", "energy that membranes took and gave, lately", exchanged_);
  registry.bind("guard_limit", "s", "of the step, for energy that no work gave; 0: none", limit_);
  said_.bind_state(registry, "said_made", "that steps were halved, for energy that no work gave");
  // What a stretch by a part in ten thousand holds.
  for (const ImmersedGroup& group : setup.groups) {
    const SurfaceModel& kind = setup.surfaces[group.surface];
    const Material& m = kind.material;
    negligible_ += 1e-8 * static_cast<double>(count_of(setup, group)) *
                   ((m.shear_modulus + m.tension) * shape_area(kind) + m.bending_modulus);
  }
}

void EnergyGuard::first(const EnergyMoment& now) {
  add(now);
  made_ = std::min(made_, 0.0);
}

StableStep EnergyGuard::shorter(const StableStep& bound, const EnergyMoment& now, double time, double dt) {
  add(now);
  if (limit_ > 0) limit_ *= recovery;
  if (much_is_made()) {
    const std::string what = what_was_made(time, dt);
    const std::string allows = bound.cause.empty() ? "" : "; stiffness allows " + brief_below(bound.dt) + " s, because of " + bound.cause;
    if (!setup_.time.adaptive)
      throw Error("membranes gain energy that nothing gave them (" + what + ": such steps are unstable" + allows +
                  ") set time.dt to " + brief_below(std::min(shrink * dt, bound.dt)) + " s or less" + setup_.or_adaptive());
    limit_ = shrink * dt;
    if (limit_ < least_share * std::min(bound.dt, setup_.time.dt))
      throw Error("membranes gain energy that nothing gave them (" + what + ", and shorter steps did not help" + allows +
                  ") look for vertices that have come to lie upon one another, and take a finer surface or a wider kernel");
    notices_.add(said_, "membranes have gained energy that nothing gave them (" + what + "): steps are halved");
    made_ = exchanged_ = 0;
  }
  if (limit_ >= bound.dt) limit_ = 0;
  if (limit_ == 0) return bound;
  return {limit_, "energy that membranes gained and nothing gave them"};
}

void EnergyGuard::add(const EnergyMoment& now) {
  const double made = now.residual - last_.residual, change = now.membranes - last_.membranes;
  constexpr double keep = 1 - 1 / steps_looked_at;
  made_ = keep * made_ + made;
  exchanged_ = keep * exchanged_ + std::abs(change) + std::abs(change - made - now.given + now.lost) + std::abs(now.given) +
               now.lost;
  last_ = now;
}

bool EnergyGuard::much_is_made() const {
  const double held = last_.membranes + last_.kinetic;
  return made_ > std::max({much_of_exchange * exchanged_, much_of_energy * held, negligible_});
}

std::string EnergyGuard::what_was_made(double time, double dt) const {
  return brief(made_) + " J in the last steps of " + brief(dt) + " s, where they hold " + brief(last_.membranes) + " J, at " +
         brief(time) + " s";
}

} // namespace corral::membrane
