#include "fluid/incompressible/varying_solver.t.hpp"

namespace corral::fluid {

template class VaryingSolver<Cpu>;

void subtract_gradient(Cpu cpu, const Domain& domain, double factor, const double* P, const FacePointers& residual) {
  for (int d = 0; d < 3; ++d) {
    const double per = factor / domain.grid().axis(d).spacing;
    for_each_face(cpu, domain.grid(), d, [per, P, r = residual[static_cast<std::size_t>(d)]](const Face& f) {
      if (!f.boundary()) r[f.index] -= per * (P[f.above] - P[f.below]);
    });
  }
}

} // namespace corral::fluid
