#pragma once

#include "fluid/faces.hpp"

#include <corral/execution.hpp>

namespace corral::fluid {

/// Shear in a box that wraps: u = rate (y - middle) along axis `flow`, y along `gradient`, with a jump at the box's end
/// that a force holds.
struct BoxShear {
  int flow = 2, gradient = 1; ///< axes, two of them
  double rate = 0;            ///< [1/s]
};

/// Adds its velocity [m/s]. Throws Error where both axes are one, or `gradient` does not wrap.
void add_shear(Cpu, const Grid& grid, const BoxShear&, const FacePointers& velocity);

/// Adds -mu Lap u of it [N/m3], which is 0 but beside the jump, and has no sum: under it the shear is steady.
void add_shear_force(Cpu, const Grid& grid, const BoxShear&, double viscosity, const FacePointers& force);

} // namespace corral::fluid
