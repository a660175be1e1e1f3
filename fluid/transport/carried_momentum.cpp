#include "fluid/transport/carried_momentum.t.hpp"

namespace corral::fluid {

CarriedMomentum::CarriedMomentum(const Domain& domain, double rho, double mu, Advection advection, Memory memory,
                                 Viscosity viscosity, double smagorinsky)
    : domain_(domain), rho_(rho), mu_(mu), smagorinsky_(smagorinsky), advection_(advection), u_(domain, memory),
      flux_(domain, memory, BeyondWalls::as_inside), spread_(make_face_arrays(domain.grid(), 0, memory)), mean_(spread_),
      held_(spread_), numbers_(memory), viscous_(memory) {
  if (domain.has_closed_faces())
    throw Error("momentum in conservation form has no blocked cells (control volumes beside them are half a cell) choose the "
                "advective form");
  if (viscosity == Viscosity::stress) stress_.emplace(domain, memory);
  std::int64_t most = 0; // faces of a direction
  for (std::size_t d = 0; d < 3; ++d) {
    most = std::max(most, spread_[d].size());
    start_[d].values = Array<double>(memory);
    if (advection == Advection::central) start_[d].values.resize(u_.component(static_cast<int>(d)).values.size(), 0.0);
  }
  numbers_.resize(most, 0.0);
  viscous_.resize(most, 0.0);
}

std::array<double, 3> CarriedMomentum::viscous_scales() const {
  std::array<double, 3> scales{};
  for (int d = 0; d < 3 && !stress_; ++d) {
    const double h = domain_.grid().axis(d).spacing;
    scales[d] = weakened_ * mu_ / (h * h);
  }
  return scales;
}

template int CarriedMomentum::advance(Cpu, const Carrier&, double, const ConstFacePointers&, const FacePointers&);
template std::array<double, 3> CarriedMomentum::through_sides(Cpu);
template std::array<double, 3> CarriedMomentum::by_viscosity(Cpu);
template std::array<double, 3> CarriedMomentum::by_drift(Cpu, const ConstFacePointers&, const ConstFacePointers&,
                                                         const ConstFacePointers&) const;
template double CarriedMomentum::largest_drift(Cpu, const ConstFacePointers&) const;

} // namespace corral::fluid
