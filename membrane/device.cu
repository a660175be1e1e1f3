/// Device code of membranes in a lattice fluid: all that a run on a GPU asks for, in one translation unit.

#include "membrane/output/profile.t.hpp"
#include "membrane/output/surface_columns.t.hpp"
#include "membrane/step/mobility.t.hpp"
#include "membrane/step/stiffest_mode.t.hpp"
#include "membrane/step/step.t.hpp"
#include "membrane/step/viscous_forces.t.hpp"

#include <corral/for_each.cuh>
#include <corral/together.cuh>

namespace corral::membrane {

template class Mobility<Gpu>;
template class StiffestMode<Gpu>;
template class ViscousForces<Gpu>;
template class MembraneStep<Gpu>;
template class Profile<Gpu>;
template class SurfaceColumns<Gpu>;

} // namespace corral::membrane
