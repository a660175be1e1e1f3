#pragma once

/// The sums of gas.hpp that keep books of momentum, for either processor.

#include "mppic/gas/conservative.t.hpp"
#include "mppic/gas/gas.hpp"

#include <corral/for_each.hpp>

#include <cmath>

namespace corral::mppic {

/// What gravity, pressure, parcels and walls gave the gas, and what is left unexplained.
template <Execution E> void Gas::close_books(E execution, const FaceSums& sums, double dt, const Flow& state) {
  GasBooks& books = report_.books;
  conservative_->remember(execution, equation_.eps, varying_.rho, dt);
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const FlowView flow = state.view();
  const double rho = varying_.rho[0].empty() ? gas_.rho : 1, mobile = solids_.two_way && !solids_.frozen ? 1 : 0;
  books.parcels = momentum_from_parcels(execution, sums, dt, state);
  for (int d = 0; d < 3; ++d) {
    const double *eps = equation_.eps[d].data(), *u = flow.gas_velocity[d];
    const double *G = gradient_[d].data(), *P = sums_.P[d].data();
    const double *a = equation_.a[d].data(), *u_star = equation_.u_star[d].data();
    const double* inverse_volume = sums.view().inverse_volume[d];
    const auto add_up = [&](auto value) { return sum(execution, equation_.eps[d].size(), value); };
    const double* rho_f = varying_.rho[d].data();
    const auto held = [=] CORRAL_BODY(std::int64_t f) { return rho_f ? rho_f[f] * eps[f] : eps[f]; };
    books.after[d] = rho * add_up([=] CORRAL_BODY(std::int64_t f) { return held(f) * u[f] / inverse_volume[f]; });
    books.gravity[d] = dt * rho * gravity_[d] *
                       add_up([=] CORRAL_BODY(std::int64_t f) { return held(f) / inverse_volume[f]; });
    books.pressure[d] = -dt * add_up([=] CORRAL_BODY(std::int64_t f) {
      return domain.kind(d, f) == fluid::FaceKind::fixed ? 0 : eps[f] * G[f] / inverse_volume[f];
    });
    books.walls[d] = dt * add_up([=] CORRAL_BODY(std::int64_t f) {
      const double wall = a[f] * (u[f] - u_star[f]) + mobile * P[f] * G[f];
      return domain.kind(d, f) == fluid::FaceKind::fixed ? wall / inverse_volume[f] : 0;
    });
    books.carried += rho * add_up([=] CORRAL_BODY(std::int64_t f) {
      return held(f) * std::abs(u[f]) / inverse_volume[f];
    });
  }
  books.close();
}

template <Execution E>
std::array<double, 3> Gas::momentum_from_parcels(E execution, const FaceSums& sums, double dt,
                                                 const Flow& state) const {
  const FlowView flow = state.view();
  std::array<double, 3> momentum{};
  for (std::size_t i = 0; i < 3 && solids_.two_way; ++i) {
    const SolidsOnFaces solids = filtered_solids(static_cast<int>(i));
    const double *w = flow.contact_acceleration[i], *u = flow.gas_velocity[i];
    const double *G = gradient_[i].data(), *inverse_volume = sums.view().inverse_volume[i];
    const double rho_p = solids_.rho, g = gravity_[i], mobile = solids_.frozen ? 0 : 1;
    momentum[i] = sum(execution, gradient_[i].size(), [=] CORRAL_BODY(std::int64_t f) {
      const double taken = solids.N ? solids.taken(f, dt, g, w[f]) : solids.Q[f] + solids.P[f] * dt * (g + w[f]);
      const double drag = rho_p * (mobile * taken - solids.Pm[f] * u[f]);
      return (drag - mobile * dt * solids.P[f] * G[f]) / inverse_volume[f];
    });
  }
  return momentum;
}

} // namespace corral::mppic
