#pragma once

/// The loops of gas_heat.hpp, for either processor.

#include "mppic/heat/gas_heat.hpp"
#include "mppic/heat/varying_gas.t.hpp"
#include "mppic/laws/gas_laws.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

namespace heat {

constexpr double share_of_drift = 0.1;    ///< of the mass that a cell has too much, that a step lets out
constexpr double explicit_conduction = 0.5; ///< share of a cell's heat that a step may conduct explicitly
constexpr double most_substeps = 1e4;

/// Sum of f(face, cell beside it) over the faces of a side.
template <Execution E, class F> double sum_over_side(E execution, const Grid& whole, int side, const F& f) {
  const Grid grid = whole;
  const int d = side / 2, a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2;
  const std::int64_t na = grid.points(face(d), a), nb = grid.points(face(d), b);
  return sum(execution, na * nb, [=] CORRAL_BODY(std::int64_t i) {
    std::array<std::int64_t, 3> at{};
    at[a] = i % na;
    at[b] = i / na;
    at[d] = side % 2 == 1 ? grid.axis(d).cells - 1 : 0;
    const fluid::Cell c = fluid::cell_at(grid, at);
    return f(side % 2 == 1 ? c.high[d] : c.low[d], c.index);
  });
}

} // namespace heat

template <Execution E> HeatWalls GasHeat::walls(E) const {
  return {domain_.view(memory_for<E>), model_.sides, model_.gas_conductivity, eps_};
}

template <Execution E> void GasHeat::start(E execution, const Flow& flow) {
  const double *theta = flow.solids_fraction.data(), rho = rho_, T = model_.gas_temperature;
  double *mass = mass_.data(), *temperature = temperature_.data();
  for_each(execution, mass_.size(), [=] CORRAL_BODY(std::int64_t c) {
    mass[c] = rho * gas_share(theta[c]);
    temperature[c] = T;
  });
}

template <Execution E> double GasHeat::stored(E execution) const {
  const double held = model_.gas_capacity * domain_.grid().cell_volume(), *mass = mass_.data(), *T = temperature_.data();
  return sum(execution, mass_.size(), [=] CORRAL_BODY(std::int64_t c) { return held * mass[c] * T[c]; });
}

template <Execution E> double GasHeat::total_mass(E execution) const {
  const double* mass = mass_.data();
  return domain_.grid().cell_volume() *
         sum(execution, mass_.size(), [=] CORRAL_BODY(std::int64_t c) { return mass[c]; });
}

template <Execution E> const Array<double>& GasHeat::set_volume_source(E execution, const Flow& flow, double dt) {
  const double *theta = flow.solids_fraction.data(), *mass = mass_.data(), rho = rho_;
  const double* density = varying_ ? varying_->density().data() : nullptr;
  double* source = source_.data();
  for_each(execution, source_.size(), [=] CORRAL_BODY(std::int64_t c) {
    source[c] = heat::share_of_drift / dt * (mass[c] / (density ? density[c] : rho) - gas_share(theta[c]));
  });
  if (varying_ && varying_->ideal()) varying_->add_expansion(execution, flow, dt, source_);
  return source_;
}

/// F = rho eps u of the faces, and m_g - dt div F of the cells.
template <Execution E> void GasHeat::set_mass_flux(E execution, const Gas& gas, const Flow& state, double dt) {
  const FlowView flow = state.view();
  const double rho = rho_;
  eps_ = fluid::pointers(gas.gas_fraction());
  for (std::size_t d = 0; d < 3; ++d) {
    const double *eps = eps_[d], *u = flow.gas_velocity[d];
    double *F = mass_flux_[d].data(), *mean = heat_flux_[d].data();
    for_each(execution, mass_flux_[d].size(), [=] CORRAL_BODY(std::int64_t f) {
      F[f] = rho * eps[f] * u[f];
      mean[f] = 0;
    });
  }
  set_next_mass(execution, dt);
}

/// div F.
template <Execution E> void GasHeat::set_divergence(E execution, Array<double>& cells) const {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const fluid::ConstFacePointers F = fluid::pointers(mass_flux_);
  double* to = cells.data();
  fluid::for_each_cell(execution, domain.grid, [=] CORRAL_BODY(const fluid::Cell& c) {
    to[c.index] = fluid::divergence(domain, c, fluid::ValueOnFace{F});
  });
}

template <Execution E> void GasHeat::set_next_mass(E execution, double dt) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const fluid::ConstFacePointers F = fluid::pointers(mass_flux_);
  const double* mass = mass_.data();
  double* next = next_mass_.data();
  fluid::for_each_cell(execution, domain.grid, [=] CORRAL_BODY(const fluid::Cell& c) {
    next[c.index] = mass[c.index] - dt * fluid::divergence(domain, c, fluid::ValueOnFace{F});
  });
}

/// The largest share of a cell's gas that flows out of it in a step, and of its heat that is conducted away.
template <Execution E> std::array<double, 2> GasHeat::shares_lost(E execution, double dt, bool by_inflow) const {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const fluid::ConstFacePointers F = fluid::pointers(mass_flux_), eps = eps_;
  const double *mass = mass_.data(), *next = next_mass_.data(), k_c = model_.gas_conductivity / model_.gas_capacity;
  const heat::ShareLost carried{domain, F, eps, mass, next, k_c, dt, false, by_inflow};
  heat::ShareLost conducted = carried;
  conducted.by_conduction = true;
  conducted.by_inflow = false;
  const double steepest = model_.van_leer ? 2 : 1; // slope of the scheme
  return {steepest * maximum(execution, mass_.size(), 0, carried), maximum(execution, mass_.size(), 0, conducted)};
}

/// Of a sub-step that is `part` of the step, after `done` of it.
template <Execution E>
heat::CellBalance GasHeat::balance(E execution, const ParcelsInCells& parcels, double done, double part, double dt) {
  return {.walls = walls(execution),
          .temperature = temperature_.data(),
          .mass = mass_.data(),
          .next_mass = next_mass_.data(),
          .share = parcels.share.data(),
          .given = parcels.given.data(),
          .flux = fluid::pointers(work_flux_),
          .capacity = model_.gas_capacity,
          .dt = part * dt,
          .done = done,
          .part = part,
          .gained = done,
          .gains = done + part,
          .source = model_.gas_source,
          .specific_volume = varying_ && varying_->ideal() ? varying_->specific_volume_per_temperature() : 1 / rho_,
          .ideal = varying_ && varying_->ideal()};
}

/// What crosses faces in a sub-step, a part of the step.
template <Execution E> void GasHeat::set_flux(E execution, double part) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  for (int d = 0; d < 3; ++d) {
    const double conductance =
        implicit_ ? 0 : model_.gas_conductivity / (model_.gas_capacity * domain.grid.axis(d).spacing);
    const heat::HeatFlux flux{.mass_flux = mass_flux_[d].data(),
                              .eps = eps_[d],
                              .upwind = upwind(domain, d),
                              .conductance = conductance};
    double *H = work_flux_[d].data(), *mean = heat_flux_[d].data();
    fluid::for_each_face(execution, domain.grid, d, [=] CORRAL_BODY(const fluid::Face& f) {
      H[f.index] = flux(f);
      mean[f.index] += part * H[f.index];
    });
  }
}

/// What flows of it, alone.
template <Execution E> void GasHeat::set_carried(E execution) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  for (int d = 0; d < 3; ++d) {
    const heat::UpwindTemperature temperature = upwind(domain, d);
    const double* F = mass_flux_[d].data();
    double* H = heat_flux_[d].data();
    fluid::for_each_face(execution, domain.grid, d, [=] CORRAL_BODY(const fluid::Face& f) {
      H[f.index] = F[f.index] * temperature(f, F[f.index]);
    });
  }
}

/// Of a sub-step's balance, per volume [J/(m3 K)].
template <Execution E> void GasHeat::set_conduction_matrix(E execution, const heat::CellBalance& cells) {
  const heat::CellBalance balance = cells;
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const double k = model_.gas_conductivity;
  for (int d = 0; d < 3; ++d) {
    const double h = domain.grid.axis(d).spacing, *eps = eps_[d];
    double* b = b_[d].data();
    fluid::for_each_face(execution, domain.grid, d, [=] CORRAL_BODY(const fluid::Face& f) {
      b[f.index] = f.boundary() ? 0 : balance.dt * k * eps[f.index] / (h * h);
    });
  }
  const double per_volume = 1 / domain.grid.cell_volume(), *T = temperature_.data();
  double *diagonal = diagonal_.data(), *rhs = rhs_.data(), *guess = guess_.data();
  fluid::for_each_cell(execution, domain.grid, [=] CORRAL_BODY(const fluid::Cell& c) {
    const heat::CellBalance::Sides sides = balance(c);
    diagonal[c.index] = sides.takes * per_volume;
    rhs[c.index] = sides.has * per_volume;
    guess[c.index] = T[c.index];
  });
}

/// Adds to the flux what the solution conducts.
template <Execution E> void GasHeat::conduct(E execution) {
  const Grid grid = domain_.grid();
  const double *T = guess_.data(), k_c = model_.gas_conductivity / model_.gas_capacity;
  for (int d = 0; d < 3; ++d) {
    const double h = grid.axis(d).spacing, *eps = eps_[d];
    double* flux = work_flux_[d].data();
    fluid::for_each_face(execution, grid, d, [=] CORRAL_BODY(const fluid::Face& f) {
      if (!f.boundary()) flux[f.index] -= k_c * eps[f.index] * (T[f.above] - T[f.below]) / h;
    });
  }
}

template <Execution E> void GasHeat::end_substep(E execution, const heat::CellBalance& balance, HeatBooks& books) {
  const heat::EndOfCell end{balance, temperature_.data(), mean_.data()};
  const heat::CellSums sums = accumulate(execution, temperature_.size(), heat::CellSums{}, end, AddInPlace{});
  books.gas = sums.stored;
  books.gas_change += sums.change;
  books.to_solids += sums.to_solids;
  books.exchanged += sums.exchanged;
  books.by_pressure += sums.compressed;
  books.gas_source += sums.given_off;
}

template <Execution E> void GasHeat::keep_mass(E execution) {
  const double* next = next_mass_.data();
  double* mass = mass_.data();
  for_each(execution, mass_.size(), [=] CORRAL_BODY(std::int64_t c) { mass[c] = next[c]; });
}

/// What the gas carried in through each side, and what its walls gave.
template <Execution E> void GasHeat::count_sides(E execution, double dt, HeatBooks& books) const {
  const HeatWalls sides = walls(execution);
  const Grid& grid = domain_.grid();
  for (int s = 0; s < 6; ++s) {
    const int d = s / 2;
    if (grid.axis(d).periodic()) continue;
    const double area = grid.cell_volume() / grid.axis(d).spacing, inward = s % 2 == 1 ? -1 : 1;
    const double *H = heat_flux_[d].data(), *T = mean_.data();
    books.carried_by_gas[s] =
        inward * model_.gas_capacity * dt * area *
        heat::sum_over_side(execution, grid, s, [=] CORRAL_BODY(std::int64_t f, std::int64_t) {
          return sides.domain.aperture(d, f) * H[f];
        });
    if (sides.sides[s].kind == HeatSide::Kind::adiabatic) continue;
    books.through_wall[s] =
        dt * area * heat::sum_over_side(execution, grid, s, [=] CORRAL_BODY(std::int64_t f, std::int64_t c) {
          return sides.conductance(s, f) * (sides.sides[s].temperature - T[c]);
        });
  }
}

/// Mass that flowed in through each side, in the mean of the step.
template <Execution E> void GasHeat::count_mass(E execution, double dt, MassBooks& books) const {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const Grid& grid = domain_.grid();
  for (int s = 0; s < 6; ++s) {
    const int d = s / 2;
    if (grid.axis(d).periodic()) continue;
    const double area = grid.cell_volume() / grid.axis(d).spacing, inward = s % 2 == 1 ? -1 : 1;
    const double* F = varying_->mass_flux()[d]->data();
    books.entered[s] =
        inward * dt * area * heat::sum_over_side(execution, grid, s, [=] CORRAL_BODY(std::int64_t f, std::int64_t) {
          return domain.aperture(d, f) * F[f];
        });
  }
}

/// What comes in where inlets are: only after these have changed.
template <Execution E> void GasHeat::set_inflow(E execution) {
  if (inflow_factors_ == domain_.factors()) return;
  inflow_factors_ = domain_.factors();
  inflow_writer_.write(execution, inflow(), inflow_);
}

template <Execution E>
void GasHeat::advance(E execution, const Gas& gas, const Flow& flow, const ParcelsInCells& parcels, double dt,
                      HeatBooks& books) {
  set_inflow(execution);
  if (varying_ && varying_->ideal()) return advance_varying(execution, gas, flow, parcels, dt, books);
  set_mass_flux(execution, gas, flow, dt);
  if (varying_) eps_ = varying_->conducting_share(execution, gas.gas_fraction());
  choose_substeps(execution, dt);
  const double part = 1.0 / substeps_;
  for (int k = 0; k < substeps_; ++k) {
    const heat::CellBalance cells = balance(execution, parcels, k * part, part, dt);
    set_flux(execution, part);
    if (implicit_) solve_conduction(execution, cells);
    end_substep(execution, cells, books);
  }
  if (varying_) varying_->keep_flux(execution, mass_flux_);
  keep_mass(execution);
  count_sides(execution, dt, books);
}

/// With the flow of the last step, and a mass that stays.
template <Execution E>
void GasHeat::foresee(E execution, const Gas& gas, const ParcelsInCells& parcels, double dt) {
  varying_->set_properties(execution, temperature_);
  if (!varying_->ideal()) return;
  set_inflow(execution);
  eps_ = varying_->conducting_share(execution, gas.gas_fraction());
  varying_->begin_foresight(execution, temperature_, mass_flux_);
  set_divergence(execution, source_); // where nothing else stands yet
  set_next_mass(execution, 0);
  const auto [carried, conducted] = shares_lost(execution, dt, true);
  implicit_ = conducted > heat::explicit_conduction;
  const double wanted = std::ceil(implicit_ ? carried : carried + conducted);
  substeps_ = static_cast<int>(std::max(1.0, std::min(wanted, heat::most_substeps)));
  const double part = 1.0 / substeps_;
  for (int k = 0; k < substeps_; ++k) {
    heat::CellBalance cells = balance(execution, parcels, k * part, part, dt);
    cells.staying = source_.data();
    set_flux(execution, part);
    if (implicit_) solve_conduction(execution, cells);
    set_carried(execution);
    varying_->foresee(execution, cells, heat_flux_, temperature_);
  }
  varying_->end_foresight(execution, mass_, temperature_);
}

/// Sub-steps as long as let no cell give away more than it has by then, of mass and of heat: mass flows with the density
/// that it has in each, and what is hot pushes what is cold ahead.
template <Execution E>
void GasHeat::advance_varying(E execution, const Gas& gas, const Flow& flow, const ParcelsInCells& parcels, double dt,
                              HeatBooks& books) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  MassBooks& mass_books = varying_->books() = {};
  const double before = total_mass(execution);
  eps_ = varying_->conducting_share(execution, gas.gas_fraction());
  for (Array<double>& mean : heat_flux_) fluid::fill(execution, mean, 0);
  varying_->begin_flow(execution, gas.gas_fraction(), flow);
  substeps_ = 0;
  for (double done = 0, left = 1; left > 0; ++substeps_) {
    for (int d = 0; d < 3; ++d) varying_->set_mass_flux(execution, upwind(domain, d), d, mass_flux_[d]);
    set_next_mass(execution, 0);
    const auto [carried, conducted] = shares_lost(execution, left * dt);
    if (!(carried < heat::most_substeps) || substeps_ > heat::most_substeps) refuse_emptied();
    implicit_ = conducted > left * heat::explicit_conduction;
    const double more = std::max(1.0, std::ceil(implicit_ ? carried : carried + conducted)), part = left / more;
    set_next_mass(execution, part * dt);
    heat::CellBalance cells = balance(execution, parcels, done, part, dt);
    cells.gained = 0, cells.gains = 1;
    cells.theta = flow.solids_fraction.data();
    set_flux(execution, part);
    if (implicit_) solve_conduction(execution, cells);
    cells.rise = varying_->rise(execution, cells);
    end_substep(execution, cells, books);
    varying_->raise(cells.rise);
    varying_->add_mean(execution, mass_flux_, part);
    keep_mass(execution);
    done += part;
    left = more > 1 ? left - part : 0;
  }
  count_sides(execution, dt, books);
  mass_books.mass = total_mass(execution);
  mass_books.change = mass_books.mass - before;
  count_mass(execution, dt, mass_books);
}

/// As many as let no cell give away more of its heat than it has, whatever of it is explicit.
template <Execution E>
void GasHeat::choose_substeps(E execution, double dt) {
  const auto [carried, conducted] = shares_lost(execution, dt);
  if (!(carried < heat::most_substeps)) refuse_emptied();
  implicit_ = conducted > heat::explicit_conduction;
  substeps_ = std::max(1, static_cast<int>(std::ceil(implicit_ ? carried : carried + conducted)));
}

/// What is conducted is that of the solution, whose error then changes temperatures, but no balance.
template <Execution E>
void GasHeat::solve_conduction(E execution, const heat::CellBalance& cells) {
  const Grid& grid = domain_.grid();
  if (!solver_) {
    solver_.emplace(std::array{grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells},
                    std::array{grid.axis(0).periodic(), grid.axis(1).periodic(), grid.axis(2).periodic()}, memory_for<E>);
    b_ = fluid::make_face_arrays(grid, 0, memory_for<E>);
    for (Array<double>* field : {&diagonal_, &rhs_, &guess_}) field->resize(grid.cells());
  }
  set_conduction_matrix(execution, cells);
  solver_->set_coefficients(execution, {fluid::pointers(b_), diagonal_.data()});
  solver_->solve(execution, rhs_.data(), guess_.data(), {.relative = 1e-12, .max_iterations = 200});
  conduct(execution);
}

} // namespace corral::mppic
