#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"

#include <corral/execution.hpp>

#include <array>

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

// Measures of a flow by the operators of its own scheme, for boxes as IncompressibleFlow takes them: sums over control
// volumes of faces, without those on walls. The same bits for any number of threads. Where ranks share the box calls are collective,
// sums are those of all in their order, and velocities have good ghosts.

/// rho/2 sum u^2 [J].
double kinetic_energy(Cpu, const Domain&, double density, const ConstFacePointers& velocity);

/// Where viscous work goes: -<u, mu Lap u> = dissipated - by_walls.
struct ViscousWork {
  double dissipated = 0; ///< mu sum (differences of u over h)^2, half a cell from a wall to what is beside it [W]
  double by_walls = 0;   ///< what walls that slide do on the fluid [W]
};
ViscousWork viscous_work(Cpu, const Domain&, double viscosity, const ConstFacePointers& velocity);

/// sum f . u [W] of a force on the faces [N/m3].
double power(Cpu, const Domain&, const ConstFacePointers& force, const ConstFacePointers& velocity);

/// rho sum u [kg m/s].
std::array<double, 3> momentum(Cpu, const Domain&, double density, const ConstFacePointers& velocity);

/// Largest |u| of each component [m/s]; NaN where one of its values is NaN or infinite.
std::array<double, 3> fastest(Cpu, const Domain&, const ConstFacePointers& velocity);

// The same of fields in memory of a device, which they wait for once each; sums have an order of their own.
double kinetic_energy(Gpu, const Domain&, double density, const ConstFacePointers& velocity);
ViscousWork viscous_work(Gpu, const Domain&, double viscosity, const ConstFacePointers& velocity);
double power(Gpu, const Domain&, const ConstFacePointers& force, const ConstFacePointers& velocity);
std::array<double, 3> momentum(Gpu, const Domain&, double density, const ConstFacePointers& velocity);
std::array<double, 3> fastest(Gpu, const Domain&, const ConstFacePointers& velocity);

} // namespace corral::fluid
