#pragma once

/// The fluid of lattice_fluid.hpp, for either processor.

#include "engine/cpu/machine/huge_pages.hpp"
#include "fluid/lattice/measures.hpp"
#include "fluid/lattice/shared_flow.hpp"
#include "run/case/values.hpp"
#include "structure/fluids/lattice_case.hpp"
#include "structure/fluids/lattice_fluid.hpp"
#include "structure/fluids/starting_flow.hpp"
#include "structure/fluids/vortices.hpp"
#include "structure/values.t.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <variant>

namespace corral::structure {

namespace lattice_fluid {

inline constexpr std::array<Staggering, 3> in_cells{Staggering::centre, Staggering::centre, Staggering::centre};

/// Fields of 0 as each step reads and writes them, or sends and fetches them.
template <Execution E> std::array<Array<double>, 3> make_fields(const FlowSetup& flow, const Grid& grid) {
  if constexpr (!std::same_as<E, Cpu>) return fluid::make_cell_arrays(grid, 0, memory_for<E>);
  if (flow.fluid.lattice.on_device()) return fluid::make_cell_arrays(grid, 0, Memory::pinned);
  const auto zeros = [&] { return cpu::zeros_on_huge_pages<double>(grid.cells()); };
  return {zeros(), zeros(), zeros()};
}

template <Execution E>
std::unique_ptr<fluid::PlacedLatticeFlow<E>> make_flow(const fluid::Domain& domain, const FlowSetup& flow, double dt) {
  if constexpr (std::same_as<E, Cpu>) {
    auto made = fluid::make_placed_flow(domain, lattice_properties(flow, dt), flow.fluid.lattice.processor);
    return domain.shared() ? fluid::share_flow(domain, std::move(made)) : std::move(made);
  } else return fluid::lattice::make_flow_of_device(domain, lattice_properties(flow, dt));
}

/// f(cell, its values) of all cells of a band in fields of the host.
template <class T, class F> void each_cell(const Grid& grid, const fluid::BandView<T>& band, const F& f) {
  constexpr std::int64_t at_once = 64;
  const std::int64_t nx = grid.axis(0).cells;
  for_each_chunk(Cpu{}, std::ssize(band.parts), at_once, [&](std::int64_t begin, std::int64_t end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const fluid::RowPart& part = band.parts[k];
      T* of_cell = band.of(k);
      for (std::int64_t c = nx * part.row + part.begin; c < nx * part.row + part.end; ++c, of_cell += band.lanes) f(c, of_cell);
    }
  });
}

template <Execution E> double total(E execution, const fluid::Domain& domain, const double* field) {
  if constexpr (std::same_as<E, Cpu>) return fluid::lattice::total(execution, domain, field);
  else return values::total(execution, domain.grid().cells(), field);
}

template <Execution E> void add_jump(E execution, const RowsOfJump<double>& rows, double by) {
  for_each(execution, rows.points, [=] CORRAL_BODY(std::int64_t p) { *rows.first(p) -= by, *rows.last(p) += by; });
}
/// What stands beside goes on.
template <Execution E> void mend_jump(E execution, const RowsOfJump<double>& rows) {
  for_each(execution, rows.points, [=] CORRAL_BODY(std::int64_t p) {
    double *first = rows.first(p), *last = rows.last(p);
    const std::int64_t up = rows.nx;
    *first = 2 * first[up] - first[2 * up];
    *last = 2 * last[-up] - last[-2 * up];
  });
}
template <Execution E> double sum_of_jumps(E execution, const RowsOfJump<const double>& rows) {
  return sum(execution, rows.points, [=] CORRAL_BODY(std::int64_t p) { return *rows.last(p) - *rows.first(p); });
}

} // namespace lattice_fluid

template <Execution E>
LatticeFluid<E>::LatticeFluid(const FlowSetup& flow, double dt, const fluid::Domain& domain, run::Registry& registry)
    : setup_(flow), domain_(domain),
      velocity_(registry.declare_vector_field("velocity", "m/s", "of the fluid, half of the last step's forces in it",
                                              lattice_fluid::in_cells, run::Use::shown)),
      pressure_(registry.declare_field("pressure", "Pa", "of the fluid, 0 at its density at rest", Staggering::centre, run::Use::shown)),
      flow_(lattice_fluid::make_flow<E>(domain, flow, dt)), force_(lattice_fluid::make_fields<E>(flow, domain.grid())),
      midway_(lattice_fluid::make_fields<E>(flow, domain.grid())) {
  register_state(registry);
}

template <Execution E> void LatticeFluid<E>::register_state(run::Registry& registry) {
  const fluid::LatticeFlow::State state = flow_->state();
  std::visit([&](auto* populations) {
    populations_ = populations->size();
    registry.bind("populations", "", "of the lattice, less their weights", *populations, run::Use::saved | run::Use::watched,
                  run::FieldsOfTable{fluid::lattice::shared_layout(flow_->properties()), fluid::lattice::fields_of(flow_->properties())});
  }, state.populations);
  registry.bind("lattice_steps", "of the fluid, since its start", *state.steps);
  most_.resize(3);
  registry.bind("lattice_fastest", "m/s", "of the fluid along each axis in the last step, which decides how far forcing goes", most_);
  for (const auto& outlet : state.outlets)
    for (std::size_t d = 0; d < 3; ++d)
      registry.bind("outlet_" + std::string(fluid::side_names[outlet.side]) + "_" + "xyz"[d], "",
                    "velocity before that side, cells a step", *outlet.velocity[d]);
}

/// What populations are to start from: lacking half of what body forces make.
template <Execution E> void LatticeFluid<E>::set_start(const VectorField& u, double* pressure) const {
  const Grid& grid = domain_.grid();
  const StartingFlow flow(setup_);
  const double half = 0.5 * flow_->properties().dt / setup_.fluid.rho;
  const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells, of_whole = domain_.whole().axis(1).cells;
  for (std::size_t d = 0; d < 3; ++d)
    for_each(Cpu{}, grid.cells(), [=, &flow, this, to = u[d]](std::int64_t c) {
      const double y = (static_cast<double>(domain_.in_whole(1, c / nx % ny)) + 0.5) * setup_.size[1] / static_cast<double>(of_whole);
      to[c] = flow(d, y) - half * setup_.drive.body_force[d];
    });
  if (setup_.drive.developed) { // what the force of the jump makes at its points, less half of it
    const Axis& across = grid.axis(1);
    const double at_points = fluid::lattice::response_at_points(flow_->properties(), across.spacing).along_axes;
    add_beside_jump(Cpu{}, u, -at_points * setup_.drive.shear_rate * across.length() - half * jump_force());
  }
  if (setup_.drive.vortices == 0) return;
  add_vortices(Cpu{}, domain_, setup_.drive.vortices, lattice_fluid::in_cells, u);
  set_pressure_of_vortices(Cpu{}, domain_, setup_.drive.vortices, setup_.fluid.rho, pressure);
}

template <Execution E> void LatticeFluid<E>::start() {
  const Grid& grid = domain_.grid();
  const bool with_pressure = setup_.drive.vortices != 0;
  if constexpr (std::same_as<E, Cpu>) {
    set_start(run::pointers(velocity_), pressure_.data());
    flow_->start(Cpu{}, fluid::as_const(run::pointers(velocity_)), with_pressure ? pressure_.data() : nullptr);
  } else {
    std::array<Array<double>, 3> u = fluid::make_cell_arrays(grid);
    Array<double> pressure(with_pressure ? grid.cells() : 0);
    set_start(fluid::writable_pointers(u), pressure.data());
    flow_->start(Cpu{}, fluid::pointers(u), pressure.data());
  }
  holds_ = Holds::nothing;
  const ConstVectorField u = velocity();
  std::array<double, 3> most{};
  for (std::size_t d = 0; d < 3; ++d) {
    most[d] = values::largest(E{}, grid.cells(), 0, u[d]);
    if (domain_.shared()) most[d] = domain_.shared()->team().maximum(most[d]);
  }
  set_fastest(most);
}

template <Execution E> void LatticeFluid<E>::restored() {
  std::visit([&](const auto* populations) {
    if (populations->size() != populations_)
      throw Error("the state has " + std::to_string(populations->size()) + " populations (the lattice has " +
                  std::to_string(populations_) + ": it is of another case)");
  }, flow_->state().populations);
  flow_->send_state();
  holds_ = Holds::nothing;
  set_fastest({most_[0], most_[1], most_[2]});
}

template <Execution E>
template <class T>
RowsOfJump<T> LatticeFluid<E>::rows_of_jump(const std::array<T*, 3>& field) const {
  const std::int64_t nx = domain_.grid().axis(0).cells;
  return {field[static_cast<std::size_t>(setup_.drive.along)], nx, domain_.grid().axis(1).cells, nx,
          is_sheared_box() ? nx * domain_.grid().axis(2).cells : 0};
}

template <Execution E>
template <class T>
RowsOfJump<T> LatticeFluid<E>::own_rows_of_jump(const std::array<T*, 3>& field) const {
  RowsOfJump<T> rows = rows_of_jump(field);
  const auto& [begin, end] = domain_.own();
  rows.values += begin[0] + rows.nx * rows.ny * begin[2];
  rows.width = end[0] - begin[0];
  if (rows.points > 0) rows.points = rows.width * (end[2] - begin[2]);
  return rows;
}

/// Around the end the velocity falls by rate times the width: -mu Lap u of that holds it.
template <Execution E> double LatticeFluid<E>::jump_force() const {
  const Axis& y = domain_.grid().axis(1);
  return setup_.fluid.mu * setup_.drive.shear_rate * static_cast<double>(y.cells) / y.spacing;
}

template <Execution E>
template <Execution X>
void LatticeFluid<E>::add_beside_jump(X execution, const VectorField& field, double by) const {
  lattice_fluid::add_jump(execution, rows_of_jump(field), by);
}

/// Its force makes a velocity of its own in these two rows (response_at_points). What stands beside goes on instead.
template <Execution E> void LatticeFluid<E>::mend_jump(E execution, const VectorField& velocity) const {
  if (domain_.grid().axis(1).cells >= 4) lattice_fluid::mend_jump(execution, rows_of_jump(velocity));
}

template <Execution E> void LatticeFluid<E>::clear_forces(E execution) {
  const std::int64_t nx = domain_.grid().axis(0).cells;
  for (auto& component : force_) {
    double* const to = component.data();
    if (forced_anywhere_) values::fill(execution, component.size(), to, 0);
    else if constexpr (std::same_as<E, Cpu>)
      for (const fluid::RowPart& part : forced_)
        for (std::int64_t c = nx * part.row + part.begin; c < nx * part.row + part.end; ++c) to[c] = 0;
    else
      for (const fluid::RowPart& part : forced_)
        values::fill(execution, part.end - part.begin, to + nx * part.row + part.begin, 0);
  }
}

template <Execution E> VectorField LatticeFluid<E>::begin_forces(E execution) {
  clear_forces(execution);
  band_.reset();
  forced_anywhere_ = true;
  return fluid::writable_pointers(force_);
}

template <Execution E> VectorField LatticeFluid<E>::begin_forces_in(E execution, fluid::RowParts parts) {
  clear_forces(execution);
  band_.reset();
  forced_.assign(parts.begin(), parts.end());
  forced_anywhere_ = false;
  flow_->begin_step(forced_);
  return fluid::writable_pointers(force_);
}

template <Execution E> void LatticeFluid<E>::begin_forces_in_band(E execution, const fluid::ConstBandField& forces) {
  clear_forces(execution);
  forced_.clear();
  forced_anywhere_ = false;
  band_ = forces;
  shown_ = false;
  flow_->begin_step(band_->parts);
}

/// In the whole field, for those who look at that.
template <Execution E> void LatticeFluid<E>::show_forces() const {
  if (!band_ || shown_) return;
  shown_ = true;
  forced_.assign(band_->parts.begin(), band_->parts.end());
  lattice_fluid::each_cell(domain_.grid(), *band_, [this](std::int64_t cell, const double* f) {
    for (std::size_t d = 0; d < 3; ++d) force_[d][cell] = f[d];
  });
}

template <Execution E> ConstVectorField LatticeFluid<E>::forces() const {
  show_forces();
  return fluid::pointers(force_);
}

template <Execution E> void LatticeFluid<E>::require_step(double dt) const {
  const double own = flow_->properties().dt;
  if (std::abs(dt - own) > 1e-9 * own)
    throw Error("a lattice fluid takes steps of " + run::brief(own) + " s (" + run::brief(dt) + " s were asked for) choose time.step = "
                "fixed");
}

template <Execution E> VectorField LatticeFluid<E>::seen() { return keeps_midway_ ? fluid::writable_pointers(midway_) : VectorField{}; }

template <Execution E> void LatticeFluid<E>::step_elsewhere(E execution, double dt) {
  require_step(dt);
  if (forced_anywhere_ || !can_step_elsewhere()) return;
  flow_->step_elsewhere(execution, seen());
}

template <Execution E> void LatticeFluid<E>::step(E execution, double dt) {
  require_step(dt);
  if (band_ && !in_band()) {
    shown_ = false; // more may have been added since it was shown
    show_forces();
  }
  if (setup_.drive.keeps_mean) take_out_mean(execution);
  add_beside_jump(execution, fluid::writable_pointers(force_), jump_force());
  if (in_band()) flow_->step_in_band(execution, *band_, seen());
  else if (forced_anywhere_ || is_sheared_box()) flow_->step(execution, fluid::pointers(force_), seen());
  else flow_->step_forced_in(execution, forced_, fluid::pointers(force_), seen());
  add_beside_jump(execution, fluid::writable_pointers(force_), -jump_force());
  if (keeps_midway_) mend_jump(execution, fluid::writable_pointers(midway_));
  holds_ = Holds::nothing;
  set_fastest(flow_->fastest());
  watch();
}

/// The mean of all forces, so that none is left on a box that wraps.
template <Execution E> void LatticeFluid<E>::take_out_mean(E execution) {
  forced_anywhere_ = true;
  for (std::size_t d = 0; d < 3; ++d) {
    double* const f = force_[d].data();
    const std::int64_t cells = force_[d].size();
    const double mean =
        setup_.drive.body_force[d] + lattice_fluid::total(execution, domain_, f) / static_cast<double>(domain_.whole().cells());
    values::shift(execution, cells, f, -mean);
    taken_out_[d] = mean;
  }
}

template <Execution E> void LatticeFluid<E>::set_fastest(const std::array<double, 3>& most) {
  fastest_ = {};
  std::copy(most.begin(), most.end(), most_.begin());
  for (int d = 0; d < 3; ++d) {
    const double speed = most[d];
    if (!(speed <= fastest_.speed || std::isnan(fastest_.speed))) fastest_.speed = speed;
    if (!domain_.grid().axis(d).thin()) fastest_.rate += speed / domain_.grid().axis(d).spacing;
  }
}

template <Execution E> void LatticeFluid<E>::watch() const {
  const double dt = flow_->properties().dt, mach = std::sqrt(3.) * fastest_.speed * dt / domain_.grid().axis(0).spacing;
  if (mach <= LatticeNumbers::largest_mach) return;
  if (std::isnan(fastest_.rate) || std::isinf(fastest_.rate))
    throw Error("the flow has blown up (its velocity is no number) look at its Mach number in log.csv, and set time.dt to a shorter step, or "
                "take finer cells, or lattice.collision = regularised");
  throw Error("the fluid moves at " + run::brief(fastest_.speed) + " m/s, a Mach number of " + run::brief(mach) +
              " on the lattice (up to " + run::brief(LatticeNumbers::largest_mach) + " it follows) set time.dt to " +
              run::brief_below(0.5 * dt * LatticeNumbers::largest_mach / mach) + " s, or look at what drives it");
}

template <Execution E> void LatticeFluid<E>::scale(E execution, const VectorField& field, double by) const {
  for (double* f : field) values::scale(execution, domain_.grid().cells(), f, by);
}

template <Execution E> void LatticeFluid<E>::respond(E execution, const VectorField& field) { scale(execution, field, 1 / setup_.fluid.rho); }

template <Execution E> void LatticeFluid<E>::respond_midway(E execution, const VectorField& field, double dt) {
  scale(execution, field, 0.5 * dt / setup_.fluid.rho);
}

template <Execution E> void LatticeFluid<E>::foresee(E execution, double dt) {
  require_step(dt);
  const VectorField midway = fluid::writable_pointers(midway_);
  if (!forced_anywhere_) return flow_->find_in(execution, forced_, fluid::pointers(force_), midway);
  flow_->find(execution, fluid::pointers(force_), midway, nullptr);
  mend_jump(execution, midway);
}

template <Execution E> void LatticeFluid<E>::foresee_in_band(E execution, double dt, bool pushed, const fluid::BandField& velocity) {
  require_step(dt);
  if (in_band()) return flow_->find_in_band(execution, pushed ? band_->values : nullptr, velocity);
  shown_ = false; // more may have been added since
  show_forces();
  flow_->find_in(execution, forced_, fluid::pointers(force_), fluid::writable_pointers(midway_));
  lattice_fluid::each_cell(domain_.grid(), velocity, [this](std::int64_t cell, double* u) {
    for (std::size_t d = 0; d < 3; ++d) u[d] = midway_[d][cell];
  });
}

template <Execution E> ConstVectorField LatticeFluid<E>::velocity() const {
  if (holds_ != Holds::velocity) find_velocity({}, nullptr);
  holds_ = Holds::velocity;
  return fluid::as_const(run::pointers(velocity_));
}

template <Execution E> void LatticeFluid<E>::before_output() {
  if (holds_ != Holds::shown) find_velocity(forces(), pressure_.data());
  holds_ = Holds::shown;
}

template <Execution E> void LatticeFluid<E>::find_velocity(const ConstVectorField& force, double* pressure) const {
  const VectorField u = run::pointers(velocity_);
  flow_->find(E{}, force, u, pressure);
  mend_jump(E{}, u);
}

template <Execution E> std::array<double, 3> LatticeFluid<E>::force_of_sides() const {
  std::array<double, 3> force = flow_->force_of_sides(E{});
  const double volume = domain_.grid().cell_volume() * static_cast<double>(domain_.whole().cells());
  for (std::size_t d = 0; d < 3; ++d) force[d] -= taken_out_[d] * volume;
  return force;
}

template <Execution E> double LatticeFluid<E>::kinetic_energy() const {
  return fluid::lattice::kinetic_energy(E{}, domain_, setup_.fluid.rho, velocity());
}

template <Execution E> double LatticeFluid<E>::power_of_jump(const ConstVectorField& velocity) const {
  if (!is_sheared_box()) return 0;
  return jump_force() * domain_.grid().cell_volume() * domain_.over_ranks(lattice_fluid::sum_of_jumps(E{}, own_rows_of_jump(velocity)));
}

template <Execution E> typename Fluid<E>::Powers LatticeFluid<E>::powers() const {
  const ConstVectorField u = keeps_midway_ ? velocity_midway() : velocity();
  const fluid::lattice::ViscousWork viscous =
      fluid::lattice::viscous_work(E{}, domain_, flow_->properties(), u, forces());
  typename Fluid<E>::Powers p{.dissipation = viscous.dissipated,
                              .drive = viscous.by_walls + power_of_jump(u),
                              .forces = fluid::lattice::power(E{}, domain_, forces(), u)};
  for (std::size_t d = 0; d < 3; ++d) {
    const double flow = domain_.grid().cell_volume() * lattice_fluid::total(E{}, domain_, u[d]);
    p.drive += (setup_.drive.body_force[d] - taken_out_[d]) * flow;
  }
  return p;
}

} // namespace corral::structure
