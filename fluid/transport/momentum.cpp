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

/// As large as the largest component.
void MomentumForces::take(bool foresees) {
  u_.take(scratch_);
  std::int64_t padded = 0, faces = 0;
  for (int d = 0; d < 3; ++d) {
    const PaddedFaces& u = u_.component(d);
    padded = std::max(padded, u.values.size());
    faces = std::max(faces, u.points[0] * u.rows());
  }
  scratch_.take(padded, carried_.values);
  if (advection_ == Advection::central) scratch_.take(padded, start_.values);
  if (foresees) scratch_.take(padded, begun_.values);
  scratch_.take(faces, rates_);
}

void MomentumForces::give_back() {
  u_.give_back(scratch_);
  scratch_.give_back(carried_.values, start_.values, begun_.values, rates_);
}

template void MomentumForces::operator()(Cpu, const std::array<const double*, 3>&, const std::array<double*, 3>&);
template int MomentumForces::operator()(Cpu, double, const std::array<const double*, 3>&,
                                        const std::array<double*, 3>&);
template int MomentumForces::operator()(Cpu, double, const std::array<const double*, 3>&,
                                        const std::array<double*, 3>&, const Foresight&);

} // namespace corral::fluid
