#include "fluid/viscosity.hpp"

namespace corral::fluid {
namespace {

template <bool closed>
void add(Cpu cpu, const PaddedVelocity& u, double mu, const std::array<double*, 3>& force) {
  for (int d = 0; d < 3; ++d)
    add_along_axes<closed>(
        cpu, u, d, u.component(d), Onto::what_is_there, force[static_cast<std::size_t>(d)],
        [&](int e, const RowAlong& row) {
          const double scale = mu * u.per_cell(e) * u.per_cell(e);
          return [row, scale](std::int64_t i) { return viscosity_along<closed>(row, i, scale); };
        });
}

} // namespace

void add_viscosity(Cpu cpu, const PaddedVelocity& u, double mu, const std::array<double*, 3>& force) {
  u.has_closed_faces() ? add<true>(cpu, u, mu, force) : add<false>(cpu, u, mu, force);
}

} // namespace corral::fluid
