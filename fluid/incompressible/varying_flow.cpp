#include "fluid/incompressible/varying_flow.t.hpp"

namespace corral::fluid {

template class VaryingFlow<Cpu>;

} // namespace corral::fluid
