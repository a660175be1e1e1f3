#include "membrane/step/mobility.t.hpp"

namespace corral::membrane {

template class Mobility<Cpu>;

} // namespace corral::membrane
