#include "mppic/heat/varying_gas.t.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

using run::formatted;

VaryingGas::VaryingGas(const fluid::Domain& domain, const Setup& setup, run::Registry& registry, Memory memory)
    : grid_(domain.grid()), laws_(setup.gas.laws), capacity_(setup.heat.gas_capacity), rho_(setup.gas.rho), mu_(setup.gas.mu),
      closed_(domain.closed()),
      mean_flux_(registry.declare_vector_field("gas_mass_flux", "kg/(m2 s)", "of the gas through faces, mean of the last step",
                                               run::on_faces, run::Use::saved)),
      density_(domain.grid().cells(), 0.0, memory), viscosity_(density_), kept_(laws_.ideal ? density_ : Array<double>(memory)),
      expansion_(kept_), volume_flux_(only_if(laws_.ideal, fluid::make_face_arrays(domain.grid(), 0, memory))),
      conducting_(only_if(laws_.conductivity_varies(), fluid::make_face_arrays(domain.grid(), 0, memory))),
      pressure_(setup.gas.laws.pressure) {
  for (std::size_t s = 0; s < 6; ++s)
    if (setup.heat.sides[s].kind == HeatSide::Kind::conducting) wall_viscosity_[s] = laws_.viscosity(setup.heat.sides[s].temperature);
  if (!laws_.ideal) return;
  registry.bind("absolute_pressure", "Pa", "that the density of the gas follows", pressure_);
  registry.bind("mass_of_gas", "kg", "in the box at the end of the last step", mass_before_);
  said_mach_.bind_state(registry, "said_mach", "that the gas is too fast for its density to follow temperature alone");
  said_pressure_.bind_state(registry, "said_pressure", "that differences of pressure are too large for that");
}

void VaryingGas::say_mach(double mach, run::Notices& notices) {
  notices.warn(said_mach_, formatted("the gas moves at a Mach number of %.2g, beyond %g: its density follows temperature and pressure "
                              "of the whole box here, not pressure from place to place",
                              mach, most_mach));
}

void VaryingGas::say_pressure(double difference, run::Notices& notices) {
  notices.warn(said_pressure_, formatted("differences of the gas's pressure are %.2g of its absolute pressure, beyond %g: its density does not "
                              "follow them",
                              difference / pressure_, most_pressure_share));
}

void VaryingGas::close_books() {
  books_.close(mass_before_);
  constexpr double most = 1e-10;
  if (!(books_.residual <= most))
    throw Error(formatted("the books of the gas's mass do not balance (of %.6g kg in the box a share of %.3g is not explained) this "
                          "is an error of the program",
                          books_.mass, books_.residual));
  mass_before_ = books_.mass;
}

template void VaryingGas::look(Cpu, const Flow&, const Array<double>&, run::Notices&);
template double VaryingGas::volume_drift(Cpu, const Array<double>&, const Array<double>&, const Flow&) const;

} // namespace corral::mppic
