#include "fluid/transport/momentum.t.hpp"

#include "fluid/transport/advection.t.hpp"
#include "fluid/transport/viscous_stress.t.hpp"

namespace corral::fluid {

template void add_advection(Cpu, const PaddedVelocity&, Advection, double, const std::array<double*, 3>&);

template void add_viscosity(Cpu, const PaddedVelocity&, double, const std::array<double*, 3>&);

ViscousStress::ViscousStress(const Domain& domain, Memory memory) : domain_(domain) {
  static_cast<PaddedShape&>(m_) = padded_shape(domain.grid(), Staggering::centre);
  m_.values = Array<double>(m_.size(), 0.0, memory);
}

ViscousStressView ViscousStress::view(const PaddedVelocity& u) const {
  ViscousStressView v{.u = u.view(), .cells = m_, .m = m_.values.data(), .bounded = {}, .no_slip = {}};
  for (int s = 0; s < 6; ++s) {
    v.bounded[s / 2] = !domain_.grid().axis(s / 2).periodic();
    v.no_slip[s] = domain_.side_kind(s) == SideKind::no_slip;
  }
  return v;
}

template void ViscousStress::set(Cpu, const double*, double);
template void ViscousStress::add_eddies(Cpu, const double*, double, double, const PaddedVelocity&);

MomentumForces::MomentumForces(const Domain& domain, double rho, double mu, Advection advection, Memory memory)
    : domain_(domain), rho_(rho), mu_(mu), advection_(advection), u_(domain, memory), rates_(memory) {
  carried_.values = Array<double>(memory);
  start_.values = Array<double>(memory);
  begun_.values = Array<double>(memory);
  for (int d = 0; d < 3; ++d) {
    const PaddedFaces& u = u_.component(d);
    // As large as the largest component, so that no step allocates.
    carried_.values.resize(std::max(carried_.values.size(), u.values.size()), 0.0);
    rates_.resize(std::max(rates_.size(), u.points[0] * u.rows()), 0.0);
  }
  if (advection == Advection::central) start_.values.resize(carried_.values.size(), 0.0);
}

template void MomentumForces::operator()(Cpu, const std::array<const double*, 3>&, const std::array<double*, 3>&);
template int MomentumForces::operator()(Cpu, double, const std::array<const double*, 3>&,
                                        const std::array<double*, 3>&);
template int MomentumForces::operator()(Cpu, double, const std::array<const double*, 3>&,
                                        const std::array<double*, 3>&, const Foresight&);

} // namespace corral::fluid
