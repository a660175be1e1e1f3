#pragma once

#include "membrane/setup/setup.hpp"
#include "membrane/step/stable_step.hpp"
#include "run/notices.hpp"
#include "run/state/registry.hpp"

#include <string>
#include <vector>

namespace corral::membrane {

/// What the books of energy said at a time.
struct EnergyMoment {
  double membranes = 0; ///< elastic and all others that they hold [J]
  double kinetic = 0;   ///< of the fluid [J]
  double residual = 0;  ///< EnergyBooks::residual [J]
  double given = 0;     ///< to the membranes by pulls and moving anchors in the last step [J]
  double lost = 0;      ///< by the membranes' own viscosity in the last step [J]
};

/// Watches the books of energy for what steps make out of nothing, whatever bound they keep: a motion that a step turns
/// back too far gains energy which no work gave, long before it shows in shapes. Over about the last eight steps that may
/// be a twentieth of what membranes took and gave, and a thousandth of what they and the fluid hold
/// (docs/membranes.md, "Energy out of nothing", has what calm runs make). More halves the adaptive step, which then
/// grows by 2 % a step; where that has not helped at a thousandth of the bound, or steps are fixed, the run ends.
class EnergyGuard {
public:
  EnergyGuard(const MembraneSetup& setup, run::Registry& registry);

  void start(const EnergyMoment& now) { last_ = now; }
  /// After the first step, of which only a loss counts: with inertia `predictor` loses a third there, and gains that back in
  /// the second. What is made may be a tenth of what dies out within the step: no fluid has smoothed the shape that it meets.
  void first(const EnergyMoment& now);
  /// After a step of `dt` that ended at `time` [s]: the shorter of `bound` and what energy allows. Throws Error.
  StableStep shorter(const StableStep& bound, const EnergyMoment& now, double time, double dt);
  std::vector<run::Notice> take_notices() { return notices_.take(); }

private:
  void add(const EnergyMoment& now);
  bool much_is_made() const;
  std::string what_was_made(double time, double dt) const;

  const MembraneSetup& setup_;
  double negligible_ = 0; ///< [J]
  EnergyMoment last_;
  double made_ = 0, exchanged_ = 0; ///< lately [J]
  double limit_ = 0;                ///< of the step; 0: none [s]
  run::Notices notices_;
  run::Said said_;
};

} // namespace corral::membrane
