#include "membrane/step/step.t.hpp"

namespace corral::membrane {

template class MembraneStep<Cpu>;

} // namespace corral::membrane
