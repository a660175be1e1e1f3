#include "structure/fluids/lattice_fluid.t.hpp"

namespace corral::structure {

template class LatticeFluid<Cpu>;

} // namespace corral::structure
