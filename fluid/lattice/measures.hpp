#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/lattice/flow.hpp"

#include <corral/execution.hpp>

namespace corral::fluid::lattice {

/// What a lattice makes of a steady force F beside what centred differences would: u = u' + c h^2 F/mu with mu Lap u' = -F. c
/// depends on how odd moments relax alone, whatever the set of velocities: along axes it is 1/4 - 2/3 magic, along diagonals of
/// two 1/8 - magic/6; regularised has (tau - 1/2)/2 in the place of magic.
struct AtPoints {
  double along_axes = 0, mean = 0; ///< over directions
};
AtPoints response_at_points(const LatticeProperties&, double spacing);

/// Forces and what they make at their points count, so that what a steady force does is what viscosity dissipates.
struct ViscousWork {
  double dissipated = 0; ///< mu sum (differences of u over h)^2, and c h^2 sum (differences of u and F over h), c the mean [W]
  double by_walls = 0;   ///< what walls that slide, or let fluid in, do on the fluid by friction [W]
};

/// Of a flow at the cells' centres [m/s], under forces that act in it [N/m3]; null: none. Half a cell from a no-slip wall what
/// is missing to its velocity counts. Nothing is sheared at other sides, which is right but for velocities through them. The
/// same bits for any number of threads. Fields of this and the next calls lie where E works; on a device the domain was sent.
template <Execution E>
ViscousWork viscous_work(E, const Domain&, const LatticeProperties&, const ConstFacePointers& velocity,
                         const ConstFacePointers& force);

/// sum rho u^2/2 [J]
template <Execution E> double kinetic_energy(E, const Domain&, double density, const ConstFacePointers& velocity);

/// sum f . u [W], f in N/m3.
template <Execution E> double power(E, const Domain&, const ConstFacePointers& force, const ConstFacePointers& velocity);

/// sum f
double total(Cpu, const Domain&, const double* field);

} // namespace corral::fluid::lattice
