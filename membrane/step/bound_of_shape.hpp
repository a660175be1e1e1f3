#pragma once

#include "membrane/setup/setup.hpp"
#include "membrane/step/stable_step.hpp"
#include "run/state/registry.hpp"

#include <functional>
#include <span>

namespace corral::membrane {

/// The longest stable step with membranes as they are now, from their stiffest motion (StiffestMode). Against StepBounds,
/// which knows materials, kernel and grid but no shape, it counts what triangles make of the material where they are
/// stretched or squeezed (docs/membranes.md, "The time step").
///
/// A step of midpoint is stable up to 1/rate in Stokes flow and 2/frequency elsewhere, one of predictor up to 2/3 and
/// 2/sqrt 3 of these: there a motion comes back as its own negative. A tenth is left for what changes until the next look.
///
/// Looks are rare, for one costs as much as some steps. Between them the motion is taken to stiffen by the sixth power of
/// the longest stretch, as it does where triangles are stretched, and by the fourth of areas. A new look is taken when
/// what is left of the last one would hold steps back, and after 500 steps; ten may come in turn, and one in 40 steps later.
class BoundOfShape {
public:
  BoundOfShape(const MembraneSetup& setup, run::Registry& registry);

  /// The shorter of that and `by_material`. `stiffest` is called where a look is due.
  StableStep shorter(const StableStep& by_material, std::span<const Deformation> now,
                     const std::function<double()>& stiffest);

private:
  double limit(double stiffest) const; ///< [s]
  double stiffened(const Deformation& now) const; ///< since the last look, times

  const MembraneSetup& setup_;
  double stiffest_ = 0; ///< at the last look [1/s or 1/s2]
  Deformation then_;    ///< at the last look, of the farthest of all
  double steps_ = -1;   ///< since then; -1 where there was none
  double looks_ = 10;   ///< that may be taken at once
};

} // namespace corral::membrane
