#pragma once

/// The loops of gas.hpp, for either processor.

#include "mppic/gas/conservative.t.hpp"
#include "mppic/gas/gas.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

template <Execution E> void Gas::begin(E execution, const Flow& flow) {
  filter_.set_weights(execution, flow.solids_fraction);
  for (int d = 0; d < 3; ++d)
    filter_.apply(execution, d, flow.view().gas_velocity[static_cast<std::size_t>(d)],
                  felt_u_[static_cast<std::size_t>(d)].data());
}

template <Execution E>
void Gas::set_properties(E execution, const Array<double>& density, const Array<double>& viscosity,
                         const run::Components& mass_flux) {
  to_faces(execution, density, rho_f_);
  to_faces(execution, viscosity, nu_f_);
  if (conservative_) return conservative_->set_properties(rho_f_, nu_f_, density, viscosity, mass_flux);
  double largest = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double* rho = rho_f_[d].data();
    double* nu = nu_f_[d].data();
    for_each(execution, nu_f_[d].size(), [=] CORRAL_BODY(std::int64_t f) { nu[f] /= rho[f]; });
    largest = std::max(largest, maximum(execution, nu_f_[d].size(), 0, [=] CORRAL_BODY(std::int64_t f) { return nu[f]; }));
  }
  forces_.set_kinematic_viscosity(fluid::pointers(nu_f_), largest);
}

template <Execution E> void Gas::to_faces(E execution, const Array<double>& cells, fluid::FaceArrays& faces) const {
  const double* in_cells = cells.data();
  for (int d = 0; d < 3; ++d) {
    double* on_faces = faces[static_cast<std::size_t>(d)].data();
    fluid::for_each_face(execution, domain_.grid(), d, [=] CORRAL_BODY(const fluid::Face& f) {
      const double below = in_cells[f.below < 0 ? f.above : f.below], above = in_cells[f.above < 0 ? f.below : f.above];
      on_faces[f.index] = 0.5 * (below + above);
    });
  }
}

template <Execution E> void Gas::set_fraction(E execution, const FaceSums& sums, const Flow& flow) {
  filter_.set_weights(execution, flow.solids_fraction);
  const double coupled = solids_.two_way ? 1 : 0;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    filter_.apply(execution, d, sums.theta[i].data(), theta_[i].data());
    const double* theta = theta_[i].data();
    double* eps = eps_[i].data();
    for_each(execution, eps_[i].size(), [=] CORRAL_BODY(std::int64_t f) { eps[f] = gas_share(coupled * theta[f]); });
  }
}

template <Execution E> void Gas::predict(E execution, const FaceSums& sums, double dt, const Flow& flow) {
  filter_sums(execution, sums, flow);
  if (!gas_.solved) return keep_prescribed(execution);
  if (conservative_)
    report_.substeps = conservative_->forces(execution, theta_, dt, flow, eps_, H_, report_.books);
  else
    report_.substeps = forces_(execution, dt, fluid::as_const(flow.view().gas_velocity), fluid::writable_pointers(H_));
  face_coefficients(execution, dt, flow);
  set_right_hand_side(execution);
}

template <Execution E> void Gas::correct(E execution, const FaceSums& sums, double dt, Flow& flow) {
  if (gas_.solved) {
    correct_velocity(execution, flow);
    continue_gradient(execution);
  }
  feel(execution, sums, dt, flow);
  if (gas_.solved) report_.mixture_residual = measure_residual(execution, dt, flow);
  if (conservative_) close_books(execution, sums, dt, flow);
}

template <Execution E> void Gas::filter_sums(E execution, const FaceSums& sums, const Flow& flow) {
  set_fraction(execution, sums, flow);
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double* P = sums.P[i].data();
    if (mixed_) filter_.apply(execution, d, sums.Pm[i].data(), Pm_[i].data());
    if (solids_.frozen) filter_.apply(execution, d, P, P_[i].data());
    if (solids_.frozen) continue;
    filter_.apply(execution, d, std::array{P, sums.U[i].data(), sums.Q[i].data()},
                  std::array{P_[i].data(), U_[i].data(), Q_[i].data()});
    if (!mixed_) continue;
    filter_.apply(execution, d, std::array{sums.Qm[i].data(), sums.N[i].data()}, std::array{Qm_[i].data(), N_[i].data()});
    if (PJ_[i].empty()) continue;
    filter_.apply(execution, d, std::array{sums.view().PJ[i], sums.view().NJ[i]}, std::array{PJ_[i].data(), NJ_[i].data()});
  }
}

/// A = rho_p P/dt, Sc, Us, R, a, u* and b of the step, and the mixture's flux without pressure.
template <Execution E> void Gas::face_coefficients(E execution, double dt, const Flow& state) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const FlowView flow = state.view();
  const double rho_all = gas_.rho, rho_p = solids_.rho, floor = eps_floor;
  const double coupled = solids_.two_way ? 1 : 0, mobile = solids_.two_way && !solids_.frozen ? 1 : 0;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double g = gravity_[i], h = domain.grid.axis(d).spacing;
    const SolidsOnFaces solids = filtered_solids(d);
    const double *th = theta_[i].data(), *P = P_[i].data();
    const double *u = flow.gas_velocity[i], *w = flow.contact_acceleration[i], *H = H_[i].data();
    const double* inflow = solids_flux_[i].data();
    const double* eps_f = eps_[i].data();
    double *a_f = a_[i].data(), *u_star_f = u_star_[i].data();
    double *b_f = b_[i].data(), *flux = flux_[i].data();
    const double* rho_f = rho_f_[i].data(); // where it varies; H is then per mass
    fluid::for_each_face(execution, domain.grid, d, [=] CORRAL_BODY(const fluid::Face& face) {
      const std::int64_t f = face.index;
      const double rho = rho_f ? rho_f[f] : rho_all, force = rho_f ? rho * H[f] : H[f];
      const double Pm = mobile * P[f];
      const double eps = eps_f[f];
      const double A = coupled * rho_p * solids.Pm[f] / dt;
      const double Sc = mobile * rho_p / dt * solids.taken(f, dt, g, w[f]);
      const double Us = mobile * solids.free_flux(f, dt, g, w[f]);
      const double R = mobile * dt / rho_p * solids.freely(f);
      const double a = eps * rho / dt + A;
      const double u_star = (eps * rho * u[f] / dt + eps * force + eps * rho * g + Sc) / a;
      a_f[f] = a;
      u_star_f[f] = u_star;
      const fluid::FaceKind kind = domain.kind(d, f);
      const bool fixed = kind == fluid::FaceKind::fixed;
      const double b = (eps + Pm) * (eps + Pm) / a + R;
      b_f[f] = fixed ? 0 : domain.aperture(d, f) * b / (h * h) * (kind == fluid::FaceKind::outlet ? 2 : 1);
      flux[f] = fixed ? domain.given_velocity(d, f) + inflow[f] : (eps + Pm) * u_star + Us;
    });
    const auto clipped = [=] CORRAL_BODY(std::int64_t f) { return coupled * th[f] > 1 - floor ? 1.0 : 0.0; };
    report_.clipped += static_cast<std::int64_t>(sum(execution, theta_[i].size(), clipped));
  }
}

template <Execution E> void Gas::set_right_hand_side(E execution) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const fluid::ConstFacePointers flux = fluid::pointers(flux_);
  const double* source = source_ ? source_->data() : nullptr;
  double* rhs = rhs_.data();
  fluid::for_each_cell(execution, domain.grid, [=] CORRAL_BODY(const fluid::Cell& c) {
    rhs[c.index] = -fluid::divergence(domain, c, fluid::ValueOnFace{flux});
    if (source) rhs[c.index] += source[c.index];
  });
}

template <Execution E> void Gas::correct_velocity(E execution, Flow& state) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const double coupled = solids_.two_way && !solids_.frozen ? 1 : 0;
  const double* p = state.pressure.data();
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double h = domain.grid.axis(d).spacing;
    const double *eps = eps_[i].data(), *P = P_[i].data(), *a = a_[i].data(), *u_star = u_star_[i].data();
    double *u = state.gas_velocity[i]->data(), *G = G_[i].data();
    fluid::for_each_face(execution, domain.grid, d, [=] CORRAL_BODY(const fluid::Face& face) {
      const std::int64_t f = face.index;
      const double response = (eps[f] + coupled * P[f]) / a[f];
      if (domain.kind(d, f) == fluid::FaceKind::fixed) {
        u[f] = domain.given_velocity(d, f) / eps[f];
        G[f] = (u_star[f] - u[f]) / response; // the force of the wall is known
      } else {
        const double above = face.above < 0 ? 0 : p[face.above], below = face.below < 0 ? 0 : p[face.below];
        G[f] = (above - below) / (face.boundary() ? 0.5 * h : h);
        u[f] = u_star[f] - response * G[f];
      }
    });
  }
}

/// Solids at walls and inlets feel the gradient of the next face: the force that holds the gas of the half cell there
/// at its given velocity would let them fall, or throw them up, by what the two differ.
template <Execution E> void Gas::continue_gradient(E execution) {
  if (solids_.frozen) return;
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  for (int d = 0; d < 3; ++d) {
    double* G = G_[static_cast<std::size_t>(d)].data();
    fluid::for_each_face(execution, domain.grid, d, [=] CORRAL_BODY(const fluid::Face& f) {
      if (domain.kind(d, f.index) != fluid::FaceKind::fixed) return;
      const std::int64_t inner = fluid::inner_face(domain.grid, d, f);
      if (inner >= 0 && domain.kind(d, inner) != fluid::FaceKind::fixed) G[f.index] = G[inner];
    });
  }
}

/// The gas is given: its pressure gradient is its own weight, and the parcels feel both.
template <Execution E> void Gas::keep_prescribed(E execution) {
  for (std::size_t d = 0; d < 3; ++d) {
    fluid::fill(execution, eps_[d], 1);
    fluid::fill(execution, G_[d], gas_.rho * gravity_[d]);
  }
}

/// What the parcels feel of the gas, and the flux that this makes of theirs: with the parcels' own sums, not filtered.
template <Execution E> void Gas::feel(E execution, const FaceSums& face_sums, double dt, const Flow& state) {
  const FlowView flow = state.view();
  const SumsView sums = face_sums.view();
  const double rho_p = solids_.rho;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double g = gravity_[i];
    if (solids_.frozen) filter_.apply(execution, d, flow.gas_velocity[i], felt_u_[i].data());
    if (solids_.frozen) continue;
    filter_.apply(execution, d,
                  std::array<const double*, 3>{flow.gas_velocity[i], G_[i].data(), flow.contact_acceleration[i]},
                  std::array{felt_u_[i].data(), felt_G_[i].data(), felt_w_[i].data()});
    const double *felt_u = felt_u_[i].data(), *felt_w = felt_w_[i].data();
    const SolidsOnFaces solids = solids_on_faces(sums, d);
    double *Fs = Fs_[i].data(), *felt_G = felt_G_[i].data();
    for_each(execution, Fs_[i].size(), [=] CORRAL_BODY(std::int64_t f) {
      Fs[f] = solids.flux(f, dt, g, 0, -felt_G[f] / rho_p, felt_u[f]);
      felt_G[f] -= rho_p * felt_w[f];
    });
  }
}

/// Of both fluxes as they are, not as the solver saw them: eps u' and the solids' with the push that the gas expects.
template <Execution E> double Gas::measure_residual(E execution, double dt, const Flow& state) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const FlowView flow = state.view();
  const double mobile = solids_.two_way && !solids_.frozen ? 1 : 0, rho_p = solids_.rho;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double *u = flow.gas_velocity[i], *w = flow.contact_acceleration[i], *G = G_[i].data();
    const SolidsOnFaces solids = filtered_solids(d);
    const double *eps = eps_[i].data(), g = gravity_[i];
    double* flux = flux_[i].data();
    for_each(execution, flux_[i].size(), [=] CORRAL_BODY(std::int64_t f) {
      if (domain.kind(d, f) == fluid::FaceKind::fixed) return;
      flux[f] = eps[f] * u[f] + mobile * solids.flux(f, dt, g, w[f], -G[f] / rho_p, u[f]);
    });
  }
  const fluid::ConstFacePointers flux = fluid::pointers(flux_);
  const double* source = source_ ? source_->data() : nullptr;
  double* residual = rhs_.data(); // its work is done
  fluid::for_each_cell(execution, domain.grid, [=] CORRAL_BODY(const fluid::Cell& c) {
    residual[c.index] =
        domain.volume_fraction(c.index) > 0 ? fluid::divergence(domain, c, fluid::ValueOnFace{flux}) : 0;
    if (source) residual[c.index] -= source[c.index];
  });
  return dt * maximum(execution, rhs_.size(), 0,
                      [=] CORRAL_BODY(std::int64_t c) { return std::abs(residual[c]); });
}

/// What gravity, pressure, parcels and walls gave the gas, and what is left unexplained.
template <Execution E> void Gas::close_books(E execution, const FaceSums& sums, double dt, const Flow& state) {
  GasBooks& books = report_.books;
  conservative_->remember(execution, eps_, rho_f_, dt);
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const FlowView flow = state.view();
  const double rho = rho_f_[0].empty() ? gas_.rho : 1, mobile = solids_.two_way && !solids_.frozen ? 1 : 0;
  books.parcels = momentum_from_parcels(execution, sums, dt, state);
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double *eps = eps_[i].data(), *u = flow.gas_velocity[i], *G = G_[i].data(), *P = P_[i].data();
    const double *a = a_[i].data(), *u_star = u_star_[i].data(), *inverse_volume = sums.view().inverse_volume[i];
    const auto add_up = [&](auto value) { return sum(execution, eps_[i].size(), value); };
    const double* rho_f = rho_f_[i].data();
    const auto held = [=] CORRAL_BODY(std::int64_t f) { return rho_f ? rho_f[f] * eps[f] : eps[f]; };
    books.after[i] = rho * add_up([=] CORRAL_BODY(std::int64_t f) { return held(f) * u[f] / inverse_volume[f]; });
    books.gravity[i] = dt * rho * gravity_[i] *
                       add_up([=] CORRAL_BODY(std::int64_t f) { return held(f) / inverse_volume[f]; });
    books.pressure[i] = -dt * add_up([=] CORRAL_BODY(std::int64_t f) {
      return domain.kind(d, f) == fluid::FaceKind::fixed ? 0 : eps[f] * G[f] / inverse_volume[f];
    });
    books.walls[i] = dt * add_up([=] CORRAL_BODY(std::int64_t f) {
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
    const double *G = G_[i].data(), *inverse_volume = sums.view().inverse_volume[i];
    const double rho_p = solids_.rho, g = gravity_[i], mobile = solids_.frozen ? 0 : 1;
    momentum[i] = sum(execution, G_[i].size(), [=] CORRAL_BODY(std::int64_t f) {
      const double taken = solids.N ? solids.taken(f, dt, g, w[f]) : solids.Q[f] + solids.P[f] * dt * (g + w[f]);
      const double drag = rho_p * (mobile * taken - solids.Pm[f] * u[f]);
      return (drag - mobile * dt * solids.P[f] * G[f]) / inverse_volume[f];
    });
  }
  return momentum;
}

} // namespace corral::mppic
