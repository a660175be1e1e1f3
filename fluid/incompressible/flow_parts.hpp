#pragma once

#include "fluid/incompressible/flow.hpp"
#include "fluid/incompressible/flow_rows.hpp"
#include "fluid/spectral/box_layout.hpp"

#include <array>

namespace corral::fluid {

// What flows of either processor have alike: what they refuse, with an Error, and factors of their equations.

void require_properties(const FlowProperties&, bool walled);
/// A component of `what` is null.
void require_arrays(const std::array<const double*, 3>& fields, const char* what);
/// dt [s] is no length of a step.
void require_step(double dt);

/// Of the right-hand side of component d over `duration` [s] of a step.
MomentumFactors momentum_factors(const spectral::BoxLayout&, const FlowProperties&, int d, double duration, bool viscous = true);

/// One half of a step: `h` times dt [s] from `start`, with what `carried` carries.
struct FlowHalf {
  double h, dt;
  ConstFacePointers start, carried, force;
  FacePointers to;
  double duration() const { return h * dt; }
};

} // namespace corral::fluid
