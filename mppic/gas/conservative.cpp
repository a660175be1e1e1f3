#include "mppic/gas/conservative.t.hpp"
#include "mppic/gas/face_sums.hpp"

#include <algorithm>

namespace corral::mppic {

void GasBooks::close() {
  const std::array terms{&sides, &viscosity, &drift, &gravity, &pressure, &parcels, &walls};
  double worst = 0, exchanged = carried;
  for (std::size_t d = 0; d < 3; ++d) {
    double missing = after[d] - before[d];
    for (const auto* term : terms) {
      missing -= (*term)[d];
      exchanged += std::abs((*term)[d]);
    }
    worst = std::max(worst, std::abs(missing));
  }
  residual = exchanged > 0 ? worst / exchanged : 0;
}

ConservativeGas::ConservativeGas(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : domain_(domain), varies_(setup.gas.laws.vary()), rho_(varies_ ? 1 : setup.gas.rho),
      per_density_(varies_ ? 1 / setup.gas.rho : 1), coupled_(setup.solids.two_way ? 1 : 0),
      carried_(domain, rho_, varies_ ? 1 : setup.gas.mu, setup.gas.advection, memory, setup.gas.viscous_force,
               setup.gas.smagorinsky),
      cell_eps_(setup.gas.viscous_force == fluid::Viscosity::stress ? domain.grid().cells() : 0, 1.0, memory),
      cell_mass_(varies_ ? cell_eps_.size() : 0, 1.0, memory),
      mass_(only_if(varies_, fluid::make_face_arrays(domain.grid(), 0, memory))), rubbed_(mass_) {}

void ConservativeGas::bind_state(run::Registry& registry) {
  if (varies_)
    last_eps_ = registry.declare_vector_field("gas_mass_around_faces", "kg/m3", "of the gas, per volume around faces, in the "
                                              "last step", run::on_faces, run::Use::saved);
  else
  last_eps_ = registry.declare_vector_field("gas_fraction", "", "share of the volume around faces that the gas had in the "
                                            "last step", run::on_faces, run::Use::saved);
  registry.bind("gas_fraction_dt", "s", "length of the step of gas_fraction", last_dt_);
}

} // namespace corral::mppic
