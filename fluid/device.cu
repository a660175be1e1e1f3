#include "fluid/transport/momentum.t.hpp"

#include <corral/for_each.cuh>

namespace corral::fluid {

template void PaddedVelocity::fill(Gpu, const std::array<const double*, 3>&);
template void add_viscosity(Gpu, const PaddedVelocity&, double, const std::array<double*, 3>&);
template void add_advection(Gpu, const PaddedVelocity&, Advection, double, const std::array<double*, 3>&);
template void MomentumForces::operator()(Gpu, const std::array<const double*, 3>&, const std::array<double*, 3>&);
template int MomentumForces::operator()(Gpu, double, const std::array<const double*, 3>&,
                                        const std::array<double*, 3>&);

} // namespace corral::fluid
