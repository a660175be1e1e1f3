#include "mppic/gas/gas.t.hpp"

#include "mppic/gas/ripple_filter.t.hpp"
#include "run/case/values.hpp"

#include <algorithm>

namespace corral::mppic {
namespace {

VaryingOnFaces make_varying(const fluid::Domain& domain, const Setup& setup, Memory memory) {
  if (!setup.gas.laws.vary()) return {};
  const fluid::FaceArrays varying = fluid::make_face_arrays(domain.grid(), 0, memory);
  return {varying, varying};
}

fluid::FaceArrays make_solids_inflow(const fluid::Domain& domain, const Setup& setup, Memory memory) {
  return setup.solids_inlets.empty() ? fluid::FaceArrays{} : fluid::make_face_arrays(domain.grid(), 0, memory);
}

} // namespace

Gas::Gas(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch)
    : domain_(domain), scratch_(scratch), gas_(setup.gas), solids_(setup.solids), gravity_(setup.gravity), drive_(setup.drive),
      forces_(domain, setup.gas.laws.vary() ? 1 : setup.gas.rho, setup.gas.mu, setup.gas.advection, scratch.fields),
      foresees_(setup.foresees_gas()), solver_(scratch.pressure),
      filter_(domain, setup.solids.stress.theta_cp, scratch.fields), mixed_(setup.solids.densities_differ()),
      joint_(mixed_ && setup.answers_jointly()), varying_(make_varying(domain, setup, scratch.memory)),
      solids_inflow_(make_solids_inflow(domain, setup, scratch.memory)) {
  if (gas_.carries_conservatively()) conservative_.emplace(domain, setup, scratch.memory);
}

/// All but what others ask for.
void Gas::give_back_coefficients() {
  scratch_.fields.give_back(sums_.theta, sums_.U, sums_.P, sums_.Q, sums_.Pm, sums_.Qm, sums_.N, sums_.PJ, sums_.NJ);
  scratch_.fields.give_back(equation_.H, equation_.u_star, equation_.b, equation_.rhs, mixture_flux_);
}

void Gas::give_back_equation() {
  give_back_coefficients();
  scratch_.fields.give_back(fraction_, gradient_);
}

/// Where ranks share planes, what advection of the next step and `feel` read beside their own.
void Gas::fill_velocity(Flow& flow) {
  static_assert(fluid::PaddedShape::layers <= StepScratch::beside);
  const Grid& grid = domain_.grid();
  for (int d = 0; d < 3; ++d) fluid::fill_beside(grid, planes(), face(d), flow.gas_velocity[d]->data(), StepScratch::beside);
  fluid::fill_beside(grid, planes(), Staggering::face_z, gradient_[2].data(), StepScratch::beside);
}

void Gas::bind_state(run::Registry& registry) {
  if (conservative_) conservative_->bind_state(registry);
  if (!foresees_) return;
  rate_ = registry.declare_vector_field("gas_acceleration", "m/s2", "of the gas on faces in the last step", run::on_faces,
                                        run::Use::saved);
  others_ = registry.declare_vector_field("gas_acceleration_by_pressure", "m/s2", "likewise, but by advection and viscosity",
                                          run::on_faces, run::Use::saved);
}

/// Throws Error where it did not converge.
void Gas::report_solved(const fluid::SolveResult& result, double dt) {
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

GasOnFaces Gas::gas_on_faces(int d, double dt) const {
  return {.theta = sums_.theta[d].data(),
          .Pm = mixed_ ? sums_.Pm[d].data() : sums_.P[d].data(),
          .rho_f = varying_.rho[d].data(),
          .rho = gas_.rho,
          .rho_p = solids_.rho,
          .coupled = gas_.solved && solids_.two_way ? 1.0 : 0.0,
          .dt = dt};
}

MixtureGradient Gas::mixture_gradient(double dt, const Flow& flow) const {
  return {.domain = domain_.view(scratch_.memory),
          .holds = gas_.solved && !solids_.frozen,
          .gas = {gas_on_faces(0, dt), gas_on_faces(1, dt), gas_on_faces(2, dt)},
          .G = fluid::pointers(gradient_),
          .u_star = fluid::pointers(equation_.u_star),
          .u = fluid::as_const(run::pointers(flow.gas_velocity)),
          .P = fluid::pointers(sums_.P)};
}

SolidsOnFaces Gas::filtered_solids(int d) const {
  const double *P = sums_.P[d].data(), *Q = sums_.Q[d].data();
  const bool joint = joint_;
  return {sums_.theta[d].data(), sums_.U[d].data(), P, Q, mixed_ ? sums_.Pm[d].data() : P, mixed_ ? sums_.Qm[d].data() : Q, sums_.N[d].data(),
          joint ? sums_.PJ[d].data() : P, joint ? sums_.NJ[d].data() : sums_.N[d].data()};
}

template void Gas::feel_velocity(Cpu, const Flow&);
template void Gas::set_properties(Cpu, const Array<double>&, const Array<double>&, const run::Components&);
template void Gas::set_fraction(Cpu, const FaceSums&, const Flow&);
template void Gas::predict(Cpu, const FaceSums&, double, const Flow&);
template void Gas::solve_pressure(Cpu, double, Flow&);
template void Gas::correct(Cpu, const FaceSums&, double, Flow&);
template std::array<int, 3> Gas::add_momentum_from_parcels(Together<Cpu>&, const FaceSums&, double, const Flow&) const;

RippleFilter::RippleFilter(const fluid::Domain& domain, double theta_cp, fluid::Scratch& scratch)
    : grid_(domain.grid()), theta_cp_(theta_cp), scratch_(scratch) {}

template void RippleFilter::set_weights(Cpu, const fluid::Planes&, const Array<double>&);
template void RippleFilter::apply(Cpu, int, const std::array<const double*, 1>&, const std::array<double*, 1>&) const;
template void RippleFilter::apply(Cpu, int, const std::array<const double*, 2>&, const std::array<double*, 2>&) const;
template void RippleFilter::apply(Cpu, int, const std::array<const double*, 3>&, const std::array<double*, 3>&) const;
template void RippleFilter::apply(Cpu, int, const std::array<const double*, 4>&, const std::array<double*, 4>&) const;

void GasBooks::close() {
  const std::array terms{&sides, &viscosity, &drift, &gravity, &pressure, &parcels, &walls};
  double worst = 0, exchanged = carried;
  for (std::size_t d = 0; d < 3; ++d) {
    double missing = after[d] - before[d];
    for (const auto* term : terms) {
      missing -= (*term)[d];
      exchanged += std::abs((*term)[d]);
    }
    worst = std::max(worst, std::abs(missing));
  }
  residual = exchanged > 0 ? worst / exchanged : 0;
}

ConservativeGas::ConservativeGas(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : domain_(domain), varies_(setup.gas.laws.vary()), rho_(varies_ ? 1 : setup.gas.rho),
      per_density_(varies_ ? 1 / setup.gas.rho : 1), coupled_(setup.solids.two_way ? 1 : 0),
      carried_(domain, rho_, varies_ ? 1 : setup.gas.mu, setup.gas.advection, memory, setup.gas.viscous_force,
               setup.gas.smagorinsky),
      cell_eps_(setup.gas.viscous_force == fluid::Viscosity::stress ? domain.grid().cells() : 0, 1.0, memory),
      cell_mass_(varies_ ? cell_eps_.size() : 0, 1.0, memory),
      mass_(only_if(varies_, fluid::make_face_arrays(domain.grid(), 0, memory))), rubbed_(mass_) {}

void ConservativeGas::bind_state(run::Registry& registry) {
  if (varies_)
    last_eps_ = registry.declare_vector_field("gas_mass_around_faces", "kg/m3", "of the gas, per volume around faces, in the "
                                              "last step", run::on_faces, run::Use::saved);
  else
    last_eps_ = registry.declare_vector_field("gas_fraction", "", "share of the volume around faces that the gas had in the "
                                              "last step", run::on_faces, run::Use::saved);
  registry.bind("gas_fraction_dt", "s", "length of the step of gas_fraction", last_dt_);
}

} // namespace corral::mppic
