#include "mppic/heat/gas_heat.t.hpp"

#include "mppic/heat/varying_gas.t.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::mppic {

using run::formatted;

GasHeat::GasHeat(const fluid::Domain& domain, const Setup& setup, run::Registry& registry, Memory memory)
    : domain_(domain), model_(setup.heat), rho_(setup.gas.rho),
      temperature_(registry.declare_field("gas_temperature", "K", "of the gas between the particles", Staggering::centre,
                                          run::Use::saved | run::Use::shown)),
      mass_(registry.declare_field("gas_mass", "kg/m3", "of the gas, per volume of the cell: what its heat is held in",
                                   Staggering::centre, run::Use::saved)),
      next_mass_(domain.grid().cells(), 0.0, memory), mean_(next_mass_), source_(next_mass_),
      mass_flux_(fluid::make_face_arrays(domain.grid(), 0, memory)), heat_flux_(mass_flux_), work_flux_(mass_flux_),
      inflow_(mass_flux_), diagonal_(memory), rhs_(memory), guess_(memory) {
  find_inlet_faces();
  if (setup.gas.laws.vary()) varying_.emplace(domain, setup, registry, memory);
}

void GasHeat::find_inlet_faces() {
  const Grid& grid = domain_.grid();
  for (std::size_t k = 0; k < domain_.inlets().size(); ++k) {
    const fluid::Inlet& inlet = domain_.inlets()[k];
    const int d = inlet.side / 2;
    for (std::int64_t j = 0; j < grid.points(face(d), 1); ++j)
      for (std::int64_t l = 0; l < grid.points(face(d), 2); ++l) {
        const fluid::FaceRow row(grid, d, j, l);
        for (std::int64_t i = 0; i < grid.points(face(d), 0); ++i)
          if (const double flow = domain_.inlet_flow(inlet, row[i]); flow > 0)
            inlet_faces_.push_back({d, row[i].index, k, flow});
      }
  }
  // Those that inlets share stand together, in the order of the inlets.
  std::stable_sort(inlet_faces_.begin(), inlet_faces_.end(), [](const InletFace& a, const InletFace& b) {
    return std::pair(a.d, a.face) < std::pair(b.d, b.face);
  });
}

heat::UpwindTemperature GasHeat::upwind(const fluid::DomainView& domain, int d) const {
  return {temperature_.data(), inflow_[d].data(), domain.marks[d], model_.outside_temperature,
          domain.grid,         d,                 model_.van_leer};
}

/// Where inlets share a face, what comes in there is mixed, by mass: that of an ideal gas is as its volume over T.
std::vector<fluid::FaceValue> GasHeat::inflow() const {
  const bool ideal = varying_ && varying_->ideal();
  const std::vector<double>& factors = domain_.factors();
  std::vector<fluid::FaceValue> values;
  for (auto f = inlet_faces_.begin(); f != inlet_faces_.end();) {
    const InletFace& shared = *f;
    const double all = std::abs(domain_.given_velocity(shared.d, shared.face));
    double mixed = 0;
    for (; f != inlet_faces_.end() && f->d == shared.d && f->face == shared.face; ++f) {
      const double own = factors[f->inlet] * f->flow, T = model_.inlet_temperatures[f->inlet];
      if (all > 0) mixed += own / all * (ideal ? 1 / T : T);
    }
    values.push_back({shared.d, shared.face, ideal && mixed > 0 ? 1 / mixed : mixed});
  }
  return values;
}

void GasHeat::refuse_emptied() {
  throw Error("the gas of a cell runs out within a step, and its heat with it (the flow is blowing up) set time.step = "
              "adaptive, or time.dt to a shorter step");
}

template void GasHeat::foresee(Cpu, const Gas&, const ParcelsInCells&, double);
template void GasHeat::advance(Cpu, const Gas&, const Flow&, const ParcelsInCells&, double, HeatBooks&);
template void GasHeat::start(Cpu, const Flow&);
template const Array<double>& GasHeat::set_volume_source(Cpu, const Flow&, double);
template double GasHeat::stored(Cpu) const;
template double GasHeat::total_mass(Cpu) const;

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
