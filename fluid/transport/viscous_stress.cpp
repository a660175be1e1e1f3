#include "fluid/transport/viscous_stress.t.hpp"

namespace corral::fluid {

ViscousStress::ViscousStress(const Domain& domain, Memory memory) : domain_(domain) {
  static_cast<PaddedShape&>(m_) = padded_shape(domain.grid(), Staggering::centre);
  m_.values = Array<double>(m_.size(), 0.0, memory);
}

ViscousStressView ViscousStress::view(const PaddedVelocity& u) const {
  ViscousStressView v{.u = u.view(), .cells = m_, .m = m_.values.data(), .bounded = {}, .no_slip = {}};
  for (int s = 0; s < 6; ++s) {
    v.bounded[static_cast<std::size_t>(s / 2)] = !domain_.grid().axis(s / 2).periodic();
    v.no_slip[static_cast<std::size_t>(s)] = domain_.side_kind(s) == SideKind::no_slip;
  }
  return v;
}

template void ViscousStress::set(Cpu, const double*, double);
template void ViscousStress::add_eddies(Cpu, const double*, double, double, const PaddedVelocity&);

} // namespace corral::fluid
