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
  return {temperature_.data(), inflow_[d].data(), domain.kinds[d], model_.outside_temperature,
          domain.grid,         d,                 model_.van_leer};
}

/// Where inlets share a face, what comes in there is mixed, by mass: that of an ideal gas is as its volume over T.
void GasHeat::set_inflow() {
  const bool ideal = varying_ && varying_->ideal();
  const std::vector<double>& factors = domain_.factors();
  for (auto f = inlet_faces_.begin(); f != inlet_faces_.end();) {
    const InletFace& shared = *f;
    const double all = std::abs(domain_.given_velocity(shared.d, shared.face));
    double mixed = 0;
    for (; f != inlet_faces_.end() && f->d == shared.d && f->face == shared.face; ++f) {
      const double own = factors[f->inlet] * f->flow, T = model_.inlet_temperatures[f->inlet];
      if (all > 0) mixed += own / all * (ideal ? 1 / T : T);
    }
    inflow_[shared.d][shared.face] = ideal && mixed > 0 ? 1 / mixed : mixed;
  }
}

void GasHeat::advance(Cpu cpu, const Gas& gas, const Flow& flow, const ParcelsInCells& parcels, double dt,
                      HeatBooks& books) {
  set_inflow();
  if (varying_ && varying_->ideal()) return advance_varying(cpu, gas, flow, parcels, dt, books);
  set_mass_flux(cpu, gas, flow, dt);
  if (varying_) eps_ = varying_->conducting_share(cpu, gas.gas_fraction());
  choose_substeps(cpu, dt);
  const double part = 1.0 / substeps_;
  for (int k = 0; k < substeps_; ++k) {
    const heat::CellBalance cells = balance(cpu, parcels, k * part, part, dt);
    set_flux(cpu, part);
    if (implicit_) solve_conduction(cpu, cells);
    end_substep(cpu, cells, books);
  }
  if (varying_) varying_->keep_flux(cpu, mass_flux_);
  keep_mass(cpu);
  count_sides(cpu, dt, books);
}

/// With the flow of the last step, and a mass that stays.
void GasHeat::foresee(Cpu cpu, const Gas& gas, const ParcelsInCells& parcels, double dt) {
  varying_->set_properties(cpu, temperature_);
  if (!varying_->ideal()) return;
  set_inflow();
  eps_ = varying_->conducting_share(cpu, gas.gas_fraction());
  varying_->begin_foresight(cpu, temperature_, mass_flux_);
  set_divergence(cpu, source_); // where nothing else stands yet
  set_next_mass(cpu, 0);
  const auto [carried, conducted] = shares_lost(cpu, dt, true);
  implicit_ = conducted > heat::explicit_conduction;
  const double wanted = std::ceil(implicit_ ? carried : carried + conducted);
  substeps_ = static_cast<int>(std::max(1.0, std::min(wanted, heat::most_substeps)));
  const double part = 1.0 / substeps_;
  for (int k = 0; k < substeps_; ++k) {
    heat::CellBalance cells = balance(cpu, parcels, k * part, part, dt);
    cells.staying = source_.data();
    set_flux(cpu, part);
    if (implicit_) solve_conduction(cpu, cells);
    set_carried(cpu);
    varying_->foresee(cpu, cells, heat_flux_, temperature_);
  }
  varying_->end_foresight(cpu, mass_, temperature_);
}

/// Sub-steps as long as let no cell give away more than it has by then, of mass and of heat: mass flows with the density
/// that it has in each, and what is hot pushes what is cold ahead.
void GasHeat::advance_varying(Cpu cpu, const Gas& gas, const Flow& flow, const ParcelsInCells& parcels, double dt,
                              HeatBooks& books) {
  const fluid::DomainView domain = domain_.view();
  MassBooks& mass_books = varying_->books() = {};
  const double before = total_mass(cpu);
  eps_ = varying_->conducting_share(cpu, gas.gas_fraction());
  for (Array<double>& mean : heat_flux_) fluid::fill(cpu, mean, 0);
  varying_->begin_flow(cpu, gas.gas_fraction(), flow);
  substeps_ = 0;
  for (double done = 0, left = 1; left > 0; ++substeps_) {
    for (int d = 0; d < 3; ++d) varying_->set_mass_flux(cpu, upwind(domain, d), d, mass_flux_[d]);
    set_next_mass(cpu, 0);
    const auto [carried, conducted] = shares_lost(cpu, left * dt);
    if (!(carried < heat::most_substeps) || substeps_ > heat::most_substeps) refuse_emptied();
    implicit_ = conducted > left * heat::explicit_conduction;
    const double more = std::max(1.0, std::ceil(implicit_ ? carried : carried + conducted)), part = left / more;
    set_next_mass(cpu, part * dt);
    heat::CellBalance cells = balance(cpu, parcels, done, part, dt);
    cells.gained = 0, cells.gains = 1;
    cells.theta = flow.solids_fraction.data();
    set_flux(cpu, part);
    if (implicit_) solve_conduction(cpu, cells);
    cells.rise = varying_->rise(cpu, cells);
    end_substep(cpu, cells, books);
    varying_->raise(cells.rise);
    varying_->add_mean(cpu, mass_flux_, part);
    keep_mass(cpu);
    done += part;
    left = more > 1 ? left - part : 0;
  }
  count_sides(cpu, dt, books);
  mass_books.mass = total_mass(cpu);
  mass_books.change = mass_books.mass - before;
  count_mass(cpu, dt, mass_books);
}

void GasHeat::refuse_emptied() {
  throw Error("the gas of a cell runs out within a step, and its heat with it (the flow is blowing up) set time.step = "
              "adaptive, or time.dt to a shorter step");
}

/// As many as let no cell give away more of its heat than it has, whatever of it is explicit.
void GasHeat::choose_substeps(Cpu cpu, double dt) {
  const auto [carried, conducted] = shares_lost(cpu, dt);
  if (!(carried < heat::most_substeps)) refuse_emptied();
  implicit_ = conducted > heat::explicit_conduction;
  substeps_ = std::max(1, static_cast<int>(std::ceil(implicit_ ? carried : carried + conducted)));
}

/// What is conducted is that of the solution, whose error then changes temperatures, but no balance.
void GasHeat::solve_conduction(Cpu cpu, const heat::CellBalance& cells) {
  const Grid& grid = domain_.grid();
  if (!solver_) {
    solver_.emplace(std::array{grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells},
                    std::array{grid.axis(0).periodic(), grid.axis(1).periodic(), grid.axis(2).periodic()});
    b_ = fluid::make_face_arrays(grid);
    for (Array<double>* field : {&diagonal_, &rhs_, &guess_}) field->resize(grid.cells());
  }
  set_conduction_matrix(cpu, cells);
  solver_->set_coefficients(cpu, {fluid::pointers(b_), diagonal_.data()});
  solver_->solve(cpu, rhs_.data(), guess_.data(), {.relative = 1e-12, .max_iterations = 200});
  conduct(cpu);
}

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
