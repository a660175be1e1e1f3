#include "membrane/step/viscous_forces.t.hpp"

namespace corral::membrane {

template class ViscousForces<Cpu>;

} // namespace corral::membrane
