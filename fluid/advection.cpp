#include "fluid/advection.hpp"

namespace corral::fluid {

void add_advection(Cpu cpu, const PaddedVelocity& u, Advection scheme, double rho,
                   const std::array<double*, 3>& force) {
  with_scheme(scheme, u.has_closed_faces(), [&]<Advection s, bool closed>() {
    for (int d = 0; d < 3; ++d)
      add_along_axes<closed>(
          cpu, u, d, u.component(d), Onto::what_is_there, force[static_cast<std::size_t>(d)],
          [&](int e, const RowAlong& row) {
            const double scale = rho * u.per_cell(e);
            return [row, scale](std::int64_t i) { return -advection_along<s, closed>(row, i, scale); };
          });
  });
}

} // namespace corral::fluid
