#pragma once

#include "fluid/domain.hpp"
#include "membrane/case/setup.hpp"
#include "membrane/membranes.hpp"
#include "run/state/registry.hpp"

#include <string>

namespace corral::membrane {

/// The longest stable step of explicit coupling, and what bounds it.
struct StableStep {
  double dt = std::numeric_limits<double>::infinity(); ///< [s]
  std::string cause; ///< "the area modulus 5e-4 N/m of [surface.red]"
};

/// Of all kinds of membranes on the grid of the case (docs/membranes.md, "The time step").
StableStep stable_step(const MembraneSetup& setup);

/// The length of the next step: fixed, or as long as stiffness and speed allow; then every multiple of the longest step
/// is met, so that output keeps its times.
class StepLength {
public:
  StepLength(const MembraneSetup& setup, const StableStep& stable, run::Registry& registry);

  double next() const { return next_; } ///< [s]
  /// After a step that ended at `time` [s]; `rate` is what the fluid crosses, cells per time [1/s]. Throws Error where the
  /// adaptive step falls below its floor.
  void adapt(double time, double rate);
  /// Throws Error where a step of dt [s] crosses more cells than it may.
  void check(double dt, double rate) const;

private:
  std::string stiffness() const; ///< what bounds it, in words

  const MembraneSetup& setup_;
  StableStep stable_;
  double next_;
};

} // namespace corral::membrane
