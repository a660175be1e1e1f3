#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"

#include <corral/execution.hpp>

namespace corral::fluid::lattice {

/// Where viscous work goes in a flow at the cells' centres [m/s]: -<u, mu Lap u> = dissipated - by_walls. Between cells
/// differences count, and half a cell from a no-slip wall what is missing to its velocity. Nothing is sheared at other sides,
/// which is right but for the velocity through walls that slip. The same bits for any number of threads.
struct ViscousWork {
  double dissipated = 0; ///< mu sum (differences of u over h)^2 [W]
  double by_walls = 0;   ///< what walls that slide, or let fluid in, do on the fluid by friction [W]
};
ViscousWork viscous_work(Cpu, const Domain&, double viscosity, const ConstFacePointers& velocity);

/// sum rho u^2/2 [J]
double kinetic_energy(Cpu, const Domain&, double density, const ConstFacePointers& velocity);

/// sum f . u [W], f in N/m3.
double power(Cpu, const Domain&, const ConstFacePointers& force, const ConstFacePointers& velocity);

} // namespace corral::fluid::lattice
