#include "mppic/heat/gas_heat.t.hpp"

#include <corral/error.hpp>

namespace corral::mppic {

GasHeat::GasHeat(const fluid::Domain& domain, const Setup& setup, run::Registry& registry, Memory memory)
    : domain_(domain), model_(setup.heat), rho_(setup.gas.rho),
      temperature_(registry.declare_field("gas_temperature", "K", "of the gas between the particles", Staggering::centre,
                                          run::Use::saved | run::Use::shown)),
      mass_(registry.declare_field("gas_mass", "kg/m3", "of the gas, per volume of the cell: what its heat is held in",
                                   Staggering::centre, run::Use::saved)),
      next_mass_(domain.grid().cells(), 0.0, memory), felt_(next_mass_), source_(next_mass_),
      mass_flux_(fluid::make_face_arrays(domain.grid(), 0, memory)), heat_flux_(mass_flux_), work_flux_(mass_flux_),
      inflow_(mass_flux_), diagonal_(memory), rhs_(memory), guess_(memory) {
  find_inlet_faces();
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
}

/// Where inlets share a face, what comes in there is mixed.
void GasHeat::set_inflow() {
  const std::vector<double>& factors = domain_.factors();
  for (const InletFace& f : inlet_faces_) inflow_[static_cast<std::size_t>(f.d)][f.face] = 0;
  for (const InletFace& f : inlet_faces_) {
    const double all = std::abs(domain_.given_velocity(f.d, f.face)), own = factors[f.inlet] * f.flow;
    if (all > 0) inflow_[static_cast<std::size_t>(f.d)][f.face] += own / all * model_.inlet_temperatures[f.inlet];
  }
}

void GasHeat::advance(Cpu cpu, const Gas& gas, const Flow& flow, const ParcelsInCells& parcels, double dt,
                      HeatBooks& books) {
  set_inflow();
  set_mass_flux(cpu, gas, flow, dt);
  choose_substeps(dt);
  for (int k = 0; k < substeps_; ++k) {
    const heat::CellBalance cells = balance(cpu, parcels, k, dt);
    set_flux(cpu);
    if (implicit_) solve_conduction(cpu, cells);
    end_substep(cpu, cells, books);
  }
  keep_mass(cpu);
  count_sides(cpu, dt, books);
}

/// As many as let no cell give away more of its heat than it has, whatever of it is explicit.
void GasHeat::choose_substeps(double dt) {
  const auto [carried, conducted] = shares_lost(Cpu{}, dt);
  if (!(carried < heat::most_substeps))
    throw Error("the gas of a cell runs out within a step, and its heat with it (the flow is blowing up) set time.step = "
                "adaptive, or time.dt to a shorter step");
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

double GasHeat::stored(Cpu cpu) const {
  const double held = model_.gas_capacity * domain_.grid().cell_volume();
  return sum(cpu, mass_.size(), [&](std::int64_t c) { return held * mass_[c] * temperature_[c]; });
}

std::int64_t GasHeat::bytes() const {
  std::int64_t total = solver_ ? solver_->bytes() : 0;
  for (const Array<double>* cells : {&next_mass_, &felt_, &source_, &diagonal_, &rhs_, &guess_}) total += cells->bytes();
  for (const fluid::FaceArrays* faces : {&mass_flux_, &heat_flux_, &work_flux_, &inflow_, &b_})
    for (const Array<double>& f : *faces) total += f.bytes();
  return total;
}

template void GasHeat::start(Cpu, const Flow&);
template const Array<double>& GasHeat::set_volume_source(Cpu, const Flow&, double);

} // namespace corral::mppic
