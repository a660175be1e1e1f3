#include "mppic/gas/gas.t.hpp"

#include "run/formatted.hpp"

namespace corral::mppic {

namespace {

fluid::FaceArrays zeros(const fluid::Domain& domain, Memory memory) {
  return fluid::make_face_arrays(domain.grid(), 0, memory);
}

} // namespace

Gas::Gas(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : domain_(domain), gas_(setup.gas), solids_(setup.solids), gravity_(setup.gravity),
      forces_(domain, setup.gas.laws.vary() ? 1 : setup.gas.rho, setup.gas.mu, setup.gas.advection, memory),
      solver_(setup.cells, {domain.grid().axis(0).periodic(), domain.grid().axis(1).periodic(),
                            domain.grid().axis(2).periodic()}),
      filter_(domain, setup.solids.stress.theta_cp, memory), mixed_(setup.solids.densities_differ()),
      theta_(zeros(domain, memory)), U_(theta_), P_(theta_), Q_(theta_), Pm_(where(mixed_, theta_)), Qm_(Pm_), N_(Pm_),
      PJ_(where(mixed_ && setup.answers_jointly(), theta_)), NJ_(PJ_),
      rho_f_(where(setup.gas.laws.vary(), theta_)), nu_f_(rho_f_),
      H_(theta_), eps_(theta_), a_(theta_), u_star_(theta_), flux_(theta_), b_(theta_), G_(theta_),
      Fs_(theta_), solids_flux_(theta_), felt_u_(theta_), felt_G_(theta_), felt_w_(theta_),
      rhs_(domain.grid().cells(), 0.0, memory) {
  if (gas_.carries_conservatively()) conservative_.emplace(domain, setup, memory);
}

void Gas::lend_state(run::Registry& registry) {
  if (conservative_) conservative_->lend_state(registry);
}

void Gas::advance(Cpu cpu, const FaceSums& sums, double dt, Flow& flow) {
  report_ = {};
  predict(cpu, sums, dt, flow);
  if (gas_.solved) solve_pressure(cpu, dt, flow);
  correct(cpu, sums, dt, flow);
}

void Gas::solve_pressure(Cpu cpu, double dt, Flow& flow) {
  solver_.set_coefficients(cpu, {fluid::pointers(b_), nullptr});
  const auto result = solver_.solve(cpu, rhs_.data(), flow.pressure.data(),
                                    {.absolute_max = gas_.tolerance / dt, .max_iterations = 500});
  report_.iterations = result.iterations;
  // Where velocities are extreme the tolerance may lie below round-off; mixture_residual then says what was reached.
  constexpr double round_off = 1e-12;
  report_.converged = result.converged || result.residual_relative < round_off;
  if (!report_.converged)
    throw Error(run::formatted(
        "the pressure solver did not converge in %d iterations of a step of %.3g s (%.2g of a cell's volume "
        "is left over: the flow is blowing up) set time.step = adaptive, or time.dt to a shorter step",
        result.iterations, dt, result.residual_max * dt));
}

double Gas::mixture_gradient(int d, std::int64_t f, const Flow& flow) const {
  const auto i = static_cast<std::size_t>(d);
  if (!gas_.solved || solids_.frozen || domain_.kind(d, f) != fluid::FaceKind::fixed) return G_[i][f];
  const double coupled = solids_.two_way ? 1 : 0;
  return a_[i][f] * (u_star_[i][f] - (*flow.gas_velocity[i])[f]) + coupled * (theta_[i][f] - P_[i][f]) * G_[i][f];
}

SolidsOnFaces Gas::filtered_solids(int d) const {
  const auto i = static_cast<std::size_t>(d);
  const double *P = P_[i].data(), *Q = Q_[i].data();
  const bool joint = !PJ_[i].empty();
  return {theta_[i].data(), U_[i].data(), P, Q, mixed_ ? Pm_[i].data() : P, mixed_ ? Qm_[i].data() : Q, N_[i].data(),
          joint ? PJ_[i].data() : P, joint ? NJ_[i].data() : N_[i].data()};
}

std::int64_t Gas::bytes() const {
  std::int64_t total = solver_.bytes() + filter_.bytes() + rhs_.bytes() + (conservative_ ? conservative_->bytes() : 0);
  for (const fluid::FaceArrays* arrays : {&theta_, &U_, &P_, &Q_, &Pm_, &Qm_, &N_, &PJ_, &NJ_, &rho_f_, &nu_f_, &H_, &eps_, &a_, &u_star_, &flux_, &b_, &G_, &Fs_,
                                          &solids_flux_, &felt_u_, &felt_G_, &felt_w_})
    for (const Array<double>& a : *arrays) total += a.bytes();
  return total;
}

template void Gas::begin(Cpu, const Flow&);
template void Gas::set_properties(Cpu, const Array<double>&, const Array<double>&, const run::Components&);
template void Gas::set_fraction(Cpu, const FaceSums&, const Flow&);
template std::array<double, 3> Gas::momentum_from_parcels(Cpu, const FaceSums&, double, const Flow&) const;

} // namespace corral::mppic
