#include "mppic/interpolation.t.hpp"

namespace corral::mppic {

namespace {

Answer answer_of(const Setup& setup) {
  if (setup.answers_jointly()) return Answer::jointly;
  return setup.solids.densities_differ() ? Answer::by_mass : Answer::alike;
}

} // namespace

Interpolation::Interpolation(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch)
    : domain_(domain), scratch_(scratch), frozen_(setup.solids.frozen),
      on_grid_(setup.parcels_ask_plainly() && scratch.memory == Memory::device), answer_(answer_of(setup)), rho_(setup.solids.rho),
      gravity_(setup.gravity), mixture_(setup.solids.drag_knows_mixture()) {}

FieldsOnGrid Interpolation::fields_on_grid(const StepState& state) const {
  return {.grid = domain_.grid(),
          .position = state.parcels.places(),
          .gas = fluid::pointers(state.gas.filtered_velocity()),
          .force = fluid::pointers(state.gas.filtered_force()),
          .push = fluid::pointers(c_),
          .damped = fluid::pointers(state.damping.a_mean()),
          .damping = state.damping.a().data(),
          .eps = eps_c_.data()};
}

void Interpolation::take_columns(const Parcels& parcels, bool moved) {
  const auto take = [&](bool needed, auto&... columns) {
    if (needed) (scratch_.take_column(parcels, columns), ...);
  };
  if (on_grid_) {
    for (Array<double>& steps : push_at_) take(moved, steps);
    return;
  }
  take(true, eps_at_, gas_at_[0], gas_at_[1], gas_at_[2]);
  take(mixture_, theta_at_, sauter_at_);
  take(moved, damping_at_);
  for (std::size_t d = 0; d < 3; ++d) {
    take(moved, force_at_[d], push_at_[d], damped_at_[d]);
    take(moved && answer_ == Answer::jointly, led_to_at_[d], drag_at_[d]);
  }
}

void Interpolation::give_back_forces(std::array<Array<double>, 3>& steps) {
  steps.swap(push_at_);
  scratch_.columns.give_back(force_at_, damped_at_, led_to_at_, drag_at_, damping_at_, theta_at_);
  scratch_.fields.give_back(c_);
}

void Interpolation::give_back() {
  scratch_.columns.give_back(force_at_, push_at_, damped_at_, led_to_at_, drag_at_, damping_at_, theta_at_);
  scratch_.columns.give_back(eps_at_, sauter_at_, gas_at_);
  scratch_.fields.give_back(eps_c_, c_);
}

FieldsAtParcels Interpolation::columns() const {
  FieldsAtParcels c{};
  c.answer = answer_;
  for (std::size_t d = 0; d < 3; ++d) {
    c.gas[d] = gas_at_[d].data();
    c.force[d] = force_at_[d].data();
    c.push[d] = push_at_[d].data();
    c.damped[d] = damped_at_[d].data();
    c.led_to[d] = led_to_at_[d].data();
    c.joint_drag[d] = drag_at_[d].data();
  }
  c.eps = eps_at_.data();
  c.damping = damping_at_.data();
  c.sauter = sauter_at_.data();
  return c;
}

template void Interpolation::run(Cpu, const StepState&, double);

} // namespace corral::mppic
