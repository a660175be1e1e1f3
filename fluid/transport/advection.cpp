#include "fluid/transport/advection.t.hpp"

namespace corral::fluid {

template void add_advection(Cpu, const PaddedVelocity&, Advection, double, const std::array<double*, 3>&);

} // namespace corral::fluid
