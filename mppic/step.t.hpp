#pragma once

/// The gas-solid step, for either processor.

#include "mppic/parcels/sums.t.hpp"
#include "mppic/step.hpp"
#include "mppic/step_models.t.hpp"
#include "mppic/step_state.hpp"
#include "mppic/traffic.hpp"

#include <corral/error.hpp>
#include <corral/together.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>

namespace corral::mppic {

template <Execution E>
Step<E>::Step(E execution, const Setup& setup, const fluid::Domain& domain, run::Registry& registry, run::Phases& phases,
              const distributed::Team* team)
    : execution_(execution), phases_(phases), state_(setup, domain, registry) {
  if (team) {
    state_.parcels.ranks.share_with(*team, phases);
    state_.scratch.pressure->share_with(*team);
    state_.scratch.own_sums = planes().shared() && setup.own_sums_suffice();
    for (run::Entry& e : registry.entries())
      if (state_.scratch.own_sums && e.kind == run::Kind::field) {
        const fluid::OwnRange own = state_.own(e.staggering);
        e.known = {own.first, own.first + own.count};
      }
  }
  state_.gas.set_solids_inflow(execution, state_.inflow.fluxes());
  list_parts();
  const bool moving = !setup.solids.frozen;
  if (state_.heat) add_heat(execution, state_, parts_);
  if (moving && setup.collisions.isotropy) add_isotropy(execution, state_, parts_);
  if (moving && setup.audit) add_audit(execution, state_, parts_);
}

/// The algorithm of docs/models.md, by its numbers; 2b and 3b are done within 3, and `add_isotropy` adds 7b. Parcels that
/// never move have no more of it than the gas asks for. Where a case has no contact, its parts find what others ask of them
/// and return.
template <Execution E> void Step<E>::list_parts() {
  using enum StepPlace;
  const bool moving = !state_.setup.solids.frozen;
  const auto part = [this](StepPlace place, const char* number, const char* phase, void (Step::*act)(const StepTime&),
                           const char* solves = "") {
    parts_.at(place, number, phase, [this, act](const StepTime& time) { (this->*act)(time); }, solves);
  };
  part(inflow, "", "", &Step::let_in);
  part(StepPlace::sort, "1", "sort", &Step::sort);
  part(StepPlace::spread, "2", "spread", &Step::spread);
  part(gas_without_pressure, "3", "gas", &Step::predict_gas);
  part(pressure, "4", "gas", &Step::solve_pressure, "pressure");
  part(gas_with_pressure, "5", "gas", &Step::correct_gas);
  if (moving) {
    part(contact_law, "6a", "contact", &Step::prepare_contact);
    part(contact_pressure, "6a", "contact", &Step::solve_contact, "contact_pressure");
    part(contact_push, "6a", "contact", &Step::apply_contact);
    part(damping, "6b", "damping", &Step::damp);
  }
  part(interpolation, "7", "gather", &Step::interpolate);
  if (moving) part(velocities, "7", "move", &Step::advance_velocities);
  part(drag, "7", "move", &Step::set_drag);
  if (!moving) return;
  part(room, "8", "displace", &Step::make_room);
  part(displacement_potential, "8", "displace", &Step::solve_displacement, "displacement_potential");
  part(displacement, "8", "displace", &Step::displace);
  part(StepPlace::move, "9", "move", &Step::move);
  part(outflow, "9", "move", &Step::remove_leavers);
  part(memory, "10", "", &Step::remember_contact);
}

template <Execution E> void Step<E>::advance(double dt, std::int64_t step) {
  for (const StepPart& part : parts()) run(part, {dt, step});
}

template <Execution E> void Step<E>::run(const StepPart& part, const StepTime& time) {
  if (part.phase.empty()) return part.act(time);
  const auto t = phases_.time(part.phase);
  part.act(time);
  if (part.turn == StepPart::Turn::at)
    phases_.moved(part.phase, least_bytes(part.place, report(), state_.parcels.size(), state_.domain.grid().cells()));
}

template <Execution E> void Step<E>::let_in(const StepTime& time) {
  if (state_.setup.solids_inlets.empty()) return;
  if (state_.inflow.varies()) state_.gas.set_solids_inflow(execution_, state_.inflow.fluxes());
  const std::int64_t before = state_.books.created();
  state_.inflow.add_parcels(execution_, time.dt, time.number, state_.flow, state_.parcels, state_.books, state_.solid_books);
  if (state_.books.created() != before) state_.parcels.ranks.share_out();
}

template <Execution E> void Step<E>::sort(const StepTime&) {
  state_.report.maps = 0;
  Parcels& parcels = state_.parcels;
  state_.give_back_columns();
  state_.gone.resize(parcels.size());
  state_.scratch.columns.expect(state_.interpolation.most_columns() * (parcels.volume.capacity() + 32));
  state_.order.sort(execution_, parcels.positions());
  const SortCounts& counts = state_.order.counts(); // waits for a device
  std::string lost;
  if (counts.inside != parcels.size())
    lost = std::to_string(counts.outside) + " parcels outside the box and " + std::to_string(counts.not_finite) +
                " without a finite position (the flow has blown up) set time.step = adaptive, or time.dt to "
                "a shorter step";
  parcels.ranks.agree(lost);
  parcels.set.reorder(execution_, state_.order);
  state_.report.sorts = 1;
  if constexpr (std::same_as<E, Cpu>)
    if (planes().shared()) state_.scratch.planes_of_parcels = planes_around_parcels(execution_, state_.domain.grid(), planes(), state_.parcels);
}

template <Execution E> void Step<E>::spread(const StepTime& time) {
  state_.sums.spread(execution_, state_.order, state_.parcels, time.dt, state_.flow, state_.also_spread);
  state_.also_spread.clear();
  state_.report.maps += state_.sums.maps();
  measure_theta();
}

template <Execution E> void Step<E>::measure_theta() {
  const Flow& flow = state_.flow;
  StepReport& report = state_.report;
  const fluid::OwnRange own = state_.own(Staggering::centre);
  report.drift_max = report.drift_rms = 0;
  Together<E> all(execution_);
  const int theta = add_largest(all, own.count, flow.solids_fraction.data() + own.first);
  if (state_.setup.solids.frozen) {
    report.theta_max = state_.over_planes(all.values(), {}, {theta})[theta];
    return;
  }
  const Drift drift = add_drift(all, own, flow.view());
  const auto found = state_.over_planes(all.values(), {drift.sum_of_squares}, {theta, drift.most});
  report.theta_max = found[theta];
  report.drift_max = found[drift.most];
  report.drift_rms = std::sqrt(found[drift.sum_of_squares] / static_cast<double>(flow.solids_fraction.size()));
}


template <Execution E> void Step<E>::predict_gas(const StepTime& time) {
  if (state_.setup.drive.bears_weight) {
    const double box = state_.domain.grid().cell_volume() * static_cast<double>(state_.domain.grid().cells());
    Together<E> all(execution_);
    const Mass mass = add_mass(all, state_.parcels);
    const int volume = add_total(all, state_.parcels.size(), state_.parcels.volume.data());
    const auto totals = state_.parcels.ranks.totals(all.values(), {mass.number, volume});
    state_.gas.set_solids_mean({mass(totals, 1 / box), totals[volume] / box});
  }
  state_.gas.predict(execution_, state_.sums, time.dt, state_.flow);
}

template <Execution E> void Step<E>::solve_pressure(const StepTime& time) {
  state_.gas.solve_pressure(execution_, time.dt, state_.flow);
}

template <Execution E> void Step<E>::correct_gas(const StepTime& time) {
  state_.gas.correct(execution_, state_.sums, time.dt, state_.flow);
  state_.sums.give_back_of_gas();
  state_.report.gas = state_.gas.report();
}

template <Execution E> void Step<E>::prepare_contact(const StepTime& time) {
  state_.gas.give_back_equation();
  state_.contact.prepare(execution_, state_.sums, state_.gas, time.dt, state_.flow);
  state_.gas.give_back_flux();
  state_.sums.give_back_of_contact();
}

template <Execution E> void Step<E>::solve_contact(const StepTime&) {
  state_.contact.solve(execution_, state_.flow);
}

template <Execution E> void Step<E>::apply_contact(const StepTime& time) {
  state_.contact.apply(execution_, state_.sums, state_.gas, time.dt, state_.flow);
  state_.gas.feel_velocity(execution_, state_.flow);
  state_.report.contact = state_.contact.report();
}

template <Execution E> void Step<E>::damp(const StepTime& time) {
  state_.damping.advance(execution_, state_.sums, time.dt, state_.flow,
                         state_.collisions.frequency(execution_, state_.order, state_.parcels, state_.sums, state_.flow));
  state_.collisions.give_back_frequency();
  state_.report.maps += state_.collisions.maps();
}

template <Execution E> void Step<E>::interpolate(const StepTime& time) {
  if (state_.setup.solids.frozen) state_.gas.give_back_equation();
  state_.interpolation.run(execution_, state_, time.dt);
  state_.also_interpolated.clear();
  state_.report.maps += state_.interpolation.fields();
}

template <Execution E> void Step<E>::advance_velocities(const StepTime& time) {
  if (state_.interpolation.on_grid()) {
    if constexpr (!std::same_as<E, Cpu>) state_.report.moved = mppic::advance_velocities(execution_, state_.motion_on_grid(time.dt));
  } else {
    state_.scratch.take_column(state_.parcels, state_.slip);
    state_.report.moved = mppic::advance_velocities(execution_, state_.motion(time.dt));
  }
  state_.damping.give_back();
  state_.gas.give_back_felt_forces();
  state_.interpolation.give_back_forces(state_.step);
}

template <Execution E> void Step<E>::set_drag(const StepTime& time) {
  if (state_.setup.solids.frozen) {
    state_.gas.give_back_felt();
    state_.scratch.take_column(state_.parcels, state_.slip);
    set_slip(execution_, state_.motion(time.dt), true);
  }
  set_drag_rates(time.dt);
}

template <Execution E> void Step<E>::set_drag_rates(double dt) {
  if (!state_.interpolation.on_grid()) return mppic::set_drag(execution_, state_.drag, state_.motion(dt), state_.warm_gas);
  if constexpr (!std::same_as<E, Cpu>) mppic::set_drag(execution_, state_.drag, state_.motion_on_grid(dt));
}

/// Where velocities take the parcels is known by now. From that theta_n is foreseen, and from theta_n the room that cells
/// have or lack.
template <Execution E> void Step<E>::make_room(const StepTime& time) {
  const Setup& setup = state_.setup;
  const Parcels& parcels = state_.parcels;
  state_.interpolation.give_back();
  state_.scratch.columns.give_back(state_.slip);
  state_.scratch.fields.take_faces(state_.domain.grid(), state_.carried);
  for (int d = 0; d < 3; ++d) state_.scratch.clear(execution_, state_.domain.grid(), face(d), state_.carried[d]);
  const std::array<const double*, 3> step = fluid::pointers(state_.step);
  spread_box_fluxes(execution_, state_.order, parcels.places(), parcels.volume.data(), step,
                    fluid::writable_pointers(state_.carried));
  add_carried();
  std::optional<double> lost; // solids that pass each other lose more than their mean motion
  if (setup.solids.densities_differ())
    lost = state_.sums.kinetic_energy(execution_, state_.flow) -
           parcels.ranks.total(energy_on_the_way(execution_, parcels.size(),
                                                 {setup.gravity, setup.gas.rho, parcels.density(), parcels.volume.data(),
                                                  run::pointers(parcels.velocity), step}));
  state_.displacement.foresee(execution_, state_.sums, state_.gas, state_.contact, state_.carried, time.dt, state_.flow,
                              lost);
  state_.gas.give_back_felt();
  state_.sums.give_back_of_budget();
}

/// Over ranks, and a cell's volume.
template <Execution E> void Step<E>::add_carried() {
  const Grid& grid = state_.domain.grid();
  std::vector<distributed::FieldOfPlanes> fields;
  for (int d = 0; d < 3; ++d) fields.push_back(fluid::plane_by_plane(grid, face(d), state_.carried[d].span()));
  state_.scratch.add_over(state_.parcels.ranks, fields);
  const double per_cell = 1 / grid.cell_volume();
  for (int d = 0; d < 3; ++d) scale(execution_, state_.scratch.points_of_sums(grid, face(d)), state_.carried[d], per_cell);
}

template <Execution E> void Step<E>::solve_displacement(const StepTime&) {
  state_.displacement.solve(execution_, state_.flow);
}

template <Execution E> void Step<E>::displace(const StepTime& time) {
  Displacement& displacement = state_.displacement;
  displacement.give_way(execution_, state_.sums, state_.gas, state_.contact, state_.carried, time.dt, state_.flow);
  if (!state_.interpolation.on_grid()) {
    for (Array<double>& column : state_.shift) state_.scratch.take_column(state_.parcels, column);
    interpolate_boxes(execution_, state_.order, state_.parcels.places(), fluid::pointers(displacement.shift()),
                      fluid::pointers(displacement.spacing()), fluid::writable_pointers(state_.shift));
  }
  state_.report.displacement = displacement.report();
  state_.report.paid = displacement.paid();
  state_.report.given = displacement.given();
  state_.report.maps += 6; // by boxes: `carried` of make_room, and the displacement
}

template <Execution E> void Step<E>::move(const StepTime& time) {
  if (!state_.interpolation.on_grid()) {
    state_.report.moved += move_parcels(execution_, state_.sides, state_.motion(time.dt));
  } else if constexpr (!std::same_as<E, Cpu>) {
    const ShiftOnGrid shift{state_.domain.grid(), state_.parcels.places(), fluid::pointers(state_.displacement.shift()),
                            fluid::pointers(state_.displacement.spacing())};
    state_.report.moved += move_parcels(execution_, state_.sides, state_.motion_on_grid(time.dt), shift);
  }
  state_.report.moved = state_.parcels.ranks.total(state_.report.moved);
  state_.displacement.give_back();
  state_.contact.give_back();
  state_.scratch.fields.give_back(state_.carried);
  check_momentum(time.dt);
}

/// What the gas got against what the parcels lost; those that leave are still there.
template <Execution E> void Step<E>::check_momentum(double dt) {
  StepReport& report = state_.report;
  report.momentum_residual = 0;
  if (!state_.setup.solids.two_way) return;
  Together<E> all(execution_);
  const Mass mass = add_mass(all, state_.parcels);
  // A bed that rests exchanges next to nothing: what gravity gave it in the step is the scale of round-off then.
  double exchanged = 0, pull = 0;
  for (double e : report.moved.exchanged) exchanged += e;
  for (const double g : state_.setup.gravity) pull += std::abs(g);
  exchanged += mass(state_.parcels.ranks.totals(all.values(), {mass.number}), dt * pull);
  for (std::size_t d = 0; d < 3 && exchanged > 0; ++d)
    report.momentum_residual =
        std::max(report.momentum_residual, std::abs(report.gas.from_parcels[d] + report.moved.from_gas[d]) / exchanged);
}

/// Then all lie where the next step begins, or a checkpoint does, and ranks share them out by that.
template <Execution E> void Step<E>::remove_leavers(const StepTime&) {
  std::int64_t left = 0;
  state_.report.left_volume = state_.report.left_mass = {};
  for (const std::int64_t count : state_.report.moved.left) left += count;
  if (left > 0) take_out();
  state_.parcels.ranks.share_out();
}

template <Execution E> void Step<E>::take_out() {
  StepReport& report = state_.report;
  Parcels& parcels = state_.parcels;
  Together<E> all(execution_);
  std::array<Leaving, 6> leaving{};
  for (std::size_t s = 0; s < 6; ++s) {
    if (report.moved.left[s] == 0) continue;
    if (state_.left[s]) *state_.left[s] += report.moved.left[s];
    leaving[s] = add_leaving(all, parcels, state_.gone.data(), static_cast<int>(1 + s));
  }
  for (std::size_t s = 0; s < 6; ++s) {
    if (report.moved.left[s] == 0) continue;
    const auto totals = parcels.ranks.totals(all.values(), {leaving[s].volume, leaving[s].mass});
    report.left_volume[s] = totals[leaving[s].volume];
    report.left_mass[s] = leaving[s].factor * totals[leaving[s].mass];
  }
  state_.solid_books.leave(execution_, parcels, state_.gone);
  parcels.set.remove(execution_, state_.gone);
}

template <Execution E> void Step<E>::remember_contact(const StepTime& time) {
  const Setup& setup = state_.setup;
  state_.contact.remember(execution_, state_.sums, state_.gas, state_.flow);
  // D_mean of docs/models/time_step.md, for the length of the next step.
  state_.report.packed_drag = setup.solids.packing && setup.time.adaptive
                                  ? state_.sums.drag_rate(execution_, setup.solids.stress.touching(), time.dt)
                                  : 0;
}

/// The gas velocity at time 0: as given, or so that with the seeds' velocities no volume flows; what inlets give on their
/// faces. `sums` are those of the seeds.
template <Execution E>
void start_gas(E execution, const Setup& setup, const fluid::Domain& box, const StepScratch& scratch, const FaceSums& sums, Flow& flow) {
  const fluid::DomainView domain = box.view(memory_for<E>);
  const bool solved = setup.gas.solved, counterflow = setup.gas.counterflow;
  for (int d = 0; d < 3; ++d) {
    const double *theta = sums.theta[d].data(), *U = sums.U[d].data(), given = setup.gas.velocity[d];
    double* u = flow.gas_velocity[d]->data();
    fluid::for_each_face_index(execution, box.grid(), scratch.planes_of_sums(), d, [=] CORRAL_BODY(std::int64_t f) {
      const double eps = gas_share(theta[f]);
      const bool fixed = solved && domain.kind(d, f) == fluid::FaceKind::fixed;
      u[f] = fixed ? domain.given_velocity(d, f) / eps : counterflow ? -U[f] / eps : given;
    });
    if (scratch.own_sums) scratch.share(box.grid(), face(d), *flow.gas_velocity[d]);
  }
}

template <Execution E> void Step<E>::start() {
  const StepTime at_rest{0, 0};
  place_parcels(state_);
  state_.parcels.ranks.share_out();
  sort(at_rest);
  state_.sums.spread(execution_, state_.order, state_.parcels, 0, state_.flow);
  state_.report.maps = state_.sums.maps();
  predict_as_is(execution_, state_.scratch.points_of_sums(state_.domain.grid(), Staggering::centre), state_.flow.view());
  start_gas(execution_, state_.setup, state_.domain, state_.scratch, state_.sums, state_.flow);
  if (state_.setup.start) take_fields(state_.setup, state_.domain, state_.flow);
  state_.gas.feel_velocity(execution_, state_.flow);
  interpolate(at_rest); // without a dt: what drag asks for alone
  if (!state_.interpolation.on_grid()) {
    state_.scratch.take_column(state_.parcels, state_.slip);
    set_slip(execution_, state_.motion(0), state_.setup.solids.frozen);
  }
  set_drag_rates(0);
  if (state_.heat) state_.heat->start(execution_, state_.drag, state_.motion(0), state_.parcels, state_.flow);
  state_.gas.give_back_felt();
  state_.give_back_columns();
}

template <Execution E> StepBooks Step<E>::start_books() const { return state_.audit.energies(execution_, state_.parcels); }

template <Execution E> std::vector<run::Notice> Step<E>::take_notices() {
  return state_.heat ? state_.heat->take_notices() : std::vector<run::Notice>{};
}

} // namespace corral::mppic
