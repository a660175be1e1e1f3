#include "structure/fluids/spectral_fluid.t.hpp"

namespace corral::structure {

template class SpectralFluid<Cpu>;

} // namespace corral::structure
