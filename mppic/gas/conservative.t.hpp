#pragma once

/// The loops of conservative.hpp, and those of gas.hpp that keep its books of momentum, for either processor.

#include "fluid/own_sums.hpp"
#include "fluid/transport/carried_momentum.t.hpp"
#include "mppic/gas/conservative.hpp"
#include "mppic/gas/gas.hpp"

#include <corral/for_each.hpp>
#include <corral/together.hpp>

#include <cmath>

namespace corral::mppic {

template <Execution E>
int ConservativeGas::forces(E execution, const fluid::FaceArrays& theta, double dt, const Flow& flow,
                            fluid::FaceArrays& eps, fluid::FaceArrays& H, GasBooks& books) {
  set_carrier(execution, theta, flow, eps, H);
  fluid::Carrier carrier{fluid::pointers(H), fluid::pointers(eps), last_dt_, cell_eps_.data()};
  if (varies_) weigh(execution, eps, H, carrier);
  const fluid::ConstFacePointers u = fluid::as_const(flow.view().gas_velocity);
  const int n = carried_.advance(execution, carrier, dt, u, fluid::writable_pointers(H)); // F has been read when H is written
  books = {};
  add_before(execution, flow, books);
  books.sides = carried_.through_sides(execution);
  books.viscosity = carried_.by_viscosity(execution);
  books.drift = carried_.by_drift(execution, last_eps(), u, fluid::pointers(H));
  books.largest_drift = per_density_ * carried_.largest_drift(execution, last_eps());
  return n;
}

/// eps of this step and F of the last.
template <Execution E>
void ConservativeGas::set_carrier(E execution, const fluid::FaceArrays& theta, const Flow& flow, fluid::FaceArrays& eps,
                                  fluid::FaceArrays& F) {
  const double coupled = coupled_;
  const bool first = last_dt_ == 0;
  const double* theta_c = flow.solids_fraction.data();
  double* const eps_c = cell_eps_.data();
  for_each(execution, cell_eps_.size(),
           [=] CORRAL_BODY(std::int64_t c) { eps_c[c] = gas_share(coupled * theta_c[c]); });
  for (std::size_t d = 0; d < 3; ++d) {
    const double *th = theta[d].data(), *u = flow.view().gas_velocity[d];
    double *eps_f = eps[d].data(), *flux = F[d].data(), *last = last_eps_[d]->data();
    for_each(execution, eps[d].size(), [=] CORRAL_BODY(std::int64_t f) {
      eps_f[f] = gas_share(coupled * th[f]);
      if (first) last[f] = eps_f[f];
      flux[f] = last[f] * u[f];
    });
  }
}

/// By the mass of the gas in place of its volume: what carries momentum, and what viscosity acts on.
template <Execution E>
void ConservativeGas::weigh(E execution, const fluid::FaceArrays& eps, fluid::FaceArrays& F, fluid::Carrier& carrier) {
  const bool first = last_dt_ == 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double *share = eps[d].data(), *rho = properties_.rho[d], *mu = properties_.mu[d], *carried = properties_.mass_flux[d];
    double *mass = mass_[d].data(), *rubbed = rubbed_[d].data(), *flux = F[d].data(), *last = last_eps_[d]->data();
    for_each(execution, mass_[d].size(), [=] CORRAL_BODY(std::int64_t f) {
      mass[f] = share[f] * rho[f];
      rubbed[f] = share[f] * mu[f];
      flux[f] = carried[f];
      if (first) last[f] = mass[f];
    });
  }
  const double *rho = properties_.cell_rho, *mu = properties_.cell_mu;
  double *eps_c = cell_eps_.data(), *mass_c = cell_mass_.data();
  for_each(execution, cell_eps_.size(), [=] CORRAL_BODY(std::int64_t c) {
    mass_c[c] = eps_c[c] * rho[c];
    eps_c[c] *= mu[c];
  });
  carrier.share = fluid::pointers(mass_);
  carrier.rubbed = fluid::pointers(rubbed_);
  carrier.cell_mass = mass_c;
}

template <Execution E> void ConservativeGas::add_before(E execution, const Flow& flow, GasBooks& books) const {
  for (int d = 0; d < 3; ++d) {
    const double *last = last_eps_[d]->data(), *u = flow.view().gas_velocity[d];
    const fluid::DualVolume volume = fluid::dual_volume(domain_, d);
    books.before[d] = rho_ * sum(execution, last_eps_[d]->size(), [=] CORRAL_BODY(std::int64_t f) {
      return volume(f) * last[f] * u[f];
    });
  }
}

template <Execution E>
void ConservativeGas::remember(E execution, const fluid::FaceArrays& theta, const fluid::FaceArrays& rho, double dt) {
  last_dt_ = dt;
  const double coupled = coupled_;
  for (std::size_t d = 0; d < 3; ++d) {
    const double *th = theta[d].data(), *weight = rho[d].data();
    double* const to = last_eps_[d]->data();
    for_each(execution, theta[d].size(), [=] CORRAL_BODY(std::int64_t f) {
      const double eps = gas_share(coupled * th[f]);
      to[f] = weight ? eps * weight[f] : eps;
    });
  }
}

/// What gravity, pressure, parcels and walls gave the gas, and what is left unexplained.
template <Execution E> void Gas::close_books(E execution, const FaceSums& sums, double dt, const Flow& state) {
  GasBooks& books = report_.books;
  conservative_->remember(execution, sums_.theta, varying_.rho, dt);
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const FlowView flow = state.view();
  const double rho = varying_.rho[0].empty() ? gas_.rho : 1, mobile = solids_.two_way && !solids_.frozen ? 1 : 0;
  Together<E> all(execution);
  const std::array<int, 3> parcels = solids_.two_way ? add_momentum_from_parcels(all, sums, dt, state) : std::array<int, 3>{};
  std::array<std::array<int, 5>, 3> terms{};
  for (int d = 0; d < 3; ++d) {
    const GasOnFaces gas = gas_on_faces(d, dt);
    const double *u = flow.gas_velocity[d], *u_star = equation_.u_star[d].data();
    const double *G = gradient_[d].data(), *P = sums_.P[d].data();
    const fluid::InverseVolumes::OfAxis inverse_volume = sums.view().inverse_volume[d];
    const auto add_up = [&](auto value) { return all.sum(gradient_[d].size(), value); };
    const auto held = [=] CORRAL_BODY(std::int64_t f) { return gas.rho_f ? gas.rho_f[f] * gas.eps(f) : gas.eps(f); };
    terms[d][0] = add_up([=] CORRAL_BODY(std::int64_t f) { return held(f) * u[f] / inverse_volume[f]; });
    terms[d][1] = add_up([=] CORRAL_BODY(std::int64_t f) { return held(f) / inverse_volume[f]; });
    terms[d][2] = add_up([=] CORRAL_BODY(std::int64_t f) {
      return domain.kind(d, f) == fluid::FaceKind::fixed ? 0 : gas.eps(f) * G[f] / inverse_volume[f];
    });
    terms[d][3] = add_up([=] CORRAL_BODY(std::int64_t f) {
      const double wall = gas.a(f) * (u[f] - u_star[f]) + mobile * P[f] * G[f];
      return domain.kind(d, f) == fluid::FaceKind::fixed ? wall / inverse_volume[f] : 0;
    });
    terms[d][4] = add_up([=] CORRAL_BODY(std::int64_t f) {
      return held(f) * std::abs(u[f]) / inverse_volume[f];
    });
  }
  const auto& found = all.values();
  for (std::size_t d = 0; d < 3; ++d) {
    if (solids_.two_way) books.parcels[d] = found[parcels[d]];
    books.after[d] = rho * found[terms[d][0]];
    books.gravity[d] = dt * rho * gravity_[d] * found[terms[d][1]];
    books.pressure[d] = -dt * found[terms[d][2]];
    books.walls[d] = dt * found[terms[d][3]];
    books.carried += rho * found[terms[d][4]];
  }
  books.close();
}

template <class Sums>
std::array<int, 3> Gas::add_momentum_from_parcels(Sums& all, const FaceSums& sums, double dt, const Flow& state) const {
  const FlowView flow = state.view();
  std::array<int, 3> momentum{};
  for (std::size_t i = 0; i < 3; ++i) {
    const SolidsOnFaces solids = filtered_solids(static_cast<int>(i));
    const double *w = flow.contact_acceleration[i], *u = flow.gas_velocity[i];
    const double* G = gradient_[i].data();
    const fluid::InverseVolumes::OfAxis inverse_volume = sums.view().inverse_volume[i];
    const double rho_p = solids_.rho, g = gravity_[i], mobile = solids_.frozen ? 0 : 1;
    momentum[i] = fluid::add_sum(all, fluid::own_faces(domain_.grid(), planes(), static_cast<int>(i)), [=] CORRAL_BODY(std::int64_t f) {
      const double taken = solids.N ? solids.taken(f, dt, g, w[f]) : solids.Q[f] + solids.P[f] * dt * (g + w[f]);
      const double drag = rho_p * (mobile * taken - solids.Pm[f] * u[f]);
      return (drag - mobile * dt * solids.P[f] * G[f]) / inverse_volume[f];
    });
  }
  return momentum;
}

} // namespace corral::mppic
