#include "mppic/interpolation.t.hpp"

namespace corral::mppic {

namespace {

Answer answer_of(const Setup& setup) {
  if (setup.answers_jointly()) return Answer::jointly;
  return setup.solids.densities_differ() ? Answer::by_mass : Answer::alike;
}

} // namespace

Interpolation::Interpolation(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : domain_(domain), frozen_(setup.solids.frozen), answer_(answer_of(setup)),
      rho_(setup.solids.rho), gravity_(setup.gravity), mixture_(setup.solids.drag_knows_mixture()),
      c_(fluid::make_face_arrays(domain.grid(), 0, memory)), led_to_(only_if(answer_ == Answer::jointly, c_)),
      loose_force_(led_to_), drag_(led_to_), eps_c_(domain.grid().cells(), 1.0, memory), surface_c_(memory),
      eps_at_(memory), damping_at_(memory), theta_at_(memory), sauter_at_(memory), gas_at_{eps_at_, eps_at_, eps_at_},
      force_at_(gas_at_), push_at_(gas_at_), damped_at_(gas_at_), led_to_at_(gas_at_), drag_at_(gas_at_) {}

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
