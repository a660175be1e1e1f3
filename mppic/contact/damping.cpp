#include "mppic/contact/damping.t.hpp"

namespace corral::mppic {

namespace {

/// Of the axes with more than one cell: the map smooths by this.
double least_spacing(const Grid& grid) {
  double least = 0;
  for (int d = 0; d < 3; ++d)
    if (!grid.axis(d).thin()) least = least > 0 ? std::min(least, grid.axis(d).spacing) : grid.axis(d).spacing;
  return least;
}

} // namespace

DampingRates::DampingRates(const Grid& grid, const SolidsModel& solids)
    : CollisionRates(solids), coefficient(solids.friction), rho_p(solids.rho),
      h(least_spacing(grid)), slowest_shear(h > 0 ? 1e-3 * std::sqrt(9.81 / h) : 1) {}

Damping::Damping(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : rates_(domain.grid(), setup.solids), collisions_(setup.collisions.damping), a_(domain.grid().cells(), 0.0, memory), friction_share_(a_),
      a_mean_{a_, a_, a_} {}

template void Damping::advance(Cpu, const FaceSums&, double, const Flow&, const Array<double>*);
template void Damping::friction_part(Cpu, const FaceSums&, Array<double>&, std::array<Array<double>, 3>&) const;

} // namespace corral::mppic
