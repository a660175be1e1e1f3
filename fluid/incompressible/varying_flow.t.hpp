#pragma once

/// The steps of varying_flow.hpp.

#include "fluid/incompressible/varying_flow.hpp"
#include "fluid/incompressible/varying_solver.t.hpp"

#include <corral/for_each.hpp>
#include <corral/host_device.hpp>

namespace corral::fluid {

namespace varying_flow {

/// u += twice what is from it to its half, which is taken from R, too.
template <Execution E> void add_twice_the_first(E execution, std::int64_t n, const double* half, double* u, double* R) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) {
    const double change = 2 * (half[i] - u[i]);
    R[i] -= change;
    u[i] += change;
  });
}
/// R += f + body
template <Execution E> void add_force(E execution, std::int64_t n, const double* f, double body, double* R) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { R[i] += f[i] + body; });
}
/// R = field, and the field 0
template <Execution E> void take(E execution, std::int64_t n, double* field, double* R) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) {
    R[i] = field[i];
    field[i] = 0;
  });
}

} // namespace varying_flow

template <Execution E>
VaryingFlow<E>::VaryingFlow(const Domain& domain, const spectral::BoxLayout& layout, const Ghosts* ghosts, FlowOfOneViscosity<E>& flow)
    : domain_(domain), walled_(layout.walled), flow_(flow), viscosity_(domain),
      solver_(domain, layout, ghosts,
              [&flow](const Equation& e, const ConstFacePointers& R, const FacePointers& u,
                      const typename VaryingSolver<E>::Potential& potential) { flow.solve_for_one(E{}, e, R, u, potential); }) {}

template <Execution E>
double VaryingFlow<E>::solve(E execution, const Equation& e, const FacePointers& u, double* pressure, double pressure_factor, double scale) {
  const auto force = [&](const ConstFacePointers& of, const FacePointers& to) {
    viscosity_.find_force(execution, of, VaryingViscosity::Walls::rest, to);
  };
  return solver_.solve(execution, e, force, u, pressure, pressure_factor, scale);
}

/// The right-hand side of a half, with the viscous force of `u`, where the solver finds it.
template <Execution E> void VaryingFlow<E>::put_momentum(E execution, const FlowHalf& half, const ConstFacePointers& u) {
  viscosity_.find_force(execution, u, VaryingViscosity::Walls::slide, solver_.residual());
  flow_.put_momentum(execution, half, half.duration() / flow_.properties().density, solver_.residual());
}

template <Execution E> double VaryingFlow<E>::first(E execution, const FlowHalf& half) {
  put_momentum(execution, half, half.start);
  for (std::size_t d = 0; d < 3; ++d) varying_solver::copy(execution, faces(d), half.start[d], half.to[d]);
  return solve(execution, of_step(half.dt), half.to, nullptr, 1, 0);
}

/// The second half begins with twice the first's change.
template <Execution E>
void VaryingFlow<E>::step(E execution, const FlowState& s, const ConstFacePointers& force, double dt, const FacePointers& half) {
  const ConstFacePointers u = as_const(s.velocity);
  const double moved = first(execution, {0.5, dt, u, u, force, half});
  // R - (1 - dt/(2 rho) V) 2 (u^(n+1/2) - u^n), R with V u^n: V acts on u^(n+1/2) alone
  put_momentum(execution, {1, dt, u, as_const(half), force, s.velocity}, as_const(half));
  const FacePointers R = solver_.residual();
  for (std::size_t d = 0; d < 3; ++d) varying_flow::add_twice_the_first(execution, faces(d), half[d], s.velocity[d], R[d]);
  solve(execution, of_step(dt), s.velocity, s.pressure, flow_.properties().density / dt, 4 * moved);
}

/// From the velocity of the last step, whose dissipation says how near is near.
template <Execution E> void VaryingFlow<E>::stokes(E execution, const FlowState& s, const ConstFacePointers& force) {
  if (!walled_) flow_.take_mean_out(execution, s.velocity);
  const FacePointers R = solver_.residual();
  viscosity_.find_force(execution, as_const(s.velocity), VaryingViscosity::Walls::slide, R);
  for (std::size_t d = 0; d < 3; ++d) varying_flow::add_force(execution, faces(d), force[d], flow_.properties().body_force[d], R[d]);
  flow_.stop_at_walls(execution, R);
  const double scale = viscosity_.work(execution, as_const(s.velocity)).dissipated / domain_.grid().cell_volume();
  solve(execution, equation(0, 1), s.velocity, s.pressure, 1, scale);
}

template <Execution E> void VaryingFlow<E>::respond(E execution, const FacePointers& field, double mass) {
  const FacePointers R = solver_.residual();
  for (std::size_t d = 0; d < 3; ++d) varying_flow::take(execution, faces(d), field[d], R[d]);
  solve(execution, equation(mass, 1), field, nullptr, 1, 0);
}

} // namespace corral::fluid
