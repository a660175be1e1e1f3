#include "fluid/transport/momentum.t.hpp"

namespace corral::fluid {

MomentumForces::MomentumForces(const Domain& domain, double rho, double mu, Advection advection, Memory memory)
    : domain_(domain), rho_(rho), mu_(mu), advection_(advection), u_(domain, memory), rates_(memory) {
  carried_.values = Array<double>(memory);
  start_.values = Array<double>(memory);
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

} // namespace corral::fluid
