#include "fluid/transport/carried_momentum.t.hpp"
#include "fluid/transport/momentum.t.hpp"

#include <corral/for_each.cuh>

namespace corral::fluid {

template void PaddedVelocity::fill(Gpu, const std::array<const double*, 3>&, const Planes&);
template void add_viscosity(Gpu, const PaddedVelocity&, double, const std::array<double*, 3>&);
template void add_advection(Gpu, const PaddedVelocity&, Advection, double, const std::array<double*, 3>&);
template void MomentumForces::operator()(Gpu, const std::array<const double*, 3>&, const std::array<double*, 3>&);
template int MomentumForces::operator()(Gpu, double, const std::array<const double*, 3>&, const std::array<double*, 3>&,
                                        const Foresight&);
template int MomentumForces::operator()(Gpu, double, const std::array<const double*, 3>&,
                                        const std::array<double*, 3>&);
template int CarriedMomentum::advance(Gpu, const Carrier&, double, const ConstFacePointers&, const FacePointers&);
template std::array<double, 3> CarriedMomentum::through_sides(Gpu);
template std::array<double, 3> CarriedMomentum::by_viscosity(Gpu);
template std::array<double, 3> CarriedMomentum::by_drift(Gpu, const ConstFacePointers&, const ConstFacePointers&,
                                                         const ConstFacePointers&) const;
template double CarriedMomentum::largest_drift(Gpu, const ConstFacePointers&) const;

} // namespace corral::fluid
