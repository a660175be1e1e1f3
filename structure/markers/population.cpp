#include "structure/markers/population.t.hpp"

namespace corral::structure {

template class Population<Cpu>;

} // namespace corral::structure
