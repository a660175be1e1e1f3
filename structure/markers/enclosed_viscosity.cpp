#include "structure/markers/enclosed_viscosity.t.hpp"

namespace corral::structure {

template class EnclosedViscosity<Cpu>;

} // namespace corral::structure
