#include "fluid/transport/viscosity.t.hpp"

namespace corral::fluid {

template void add_viscosity(Cpu, const PaddedVelocity&, double, const std::array<double*, 3>&);

} // namespace corral::fluid
