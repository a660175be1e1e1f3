#include "structure/bodies/direct_forcing.t.hpp"

namespace corral::structure {

template class DirectForcing<Cpu>;

} // namespace corral::structure
