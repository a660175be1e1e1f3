#pragma once

/// The loops of gas.hpp, for either processor.

#include "fluid/own_sums.hpp"
#include "mppic/gas/conservative.t.hpp"
#include "mppic/gas/gas.hpp"
#include "mppic/gas/gas_measures.t.hpp"

#include <corral/for_each.hpp>
#include <corral/together.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

template <Execution E> void Gas::feel_velocity(E execution, const Flow& flow) {
  filter_.set_weights(execution, planes(), flow.solids_fraction);
  scratch_.fields.give_back(filtered_.velocity);
  scratch_.fields.take_faces(domain_.grid(), filtered_.velocity);
  for (int d = 0; d < 3; ++d)
    filter_.apply(execution, d, flow.view().gas_velocity[d], filtered_.velocity[d].data());
  filter_.give_back_weights();
  deliver(filtered_.velocity);
}

template <Execution E>
void Gas::set_properties(E execution, const Array<double>& density, const Array<double>& viscosity,
                         const run::Components& mass_flux) {
  to_faces(execution, density, varying_.rho);
  to_faces(execution, viscosity, varying_.nu);
  if (conservative_) return conservative_->set_properties(varying_.rho, varying_.nu, density, viscosity, mass_flux);
  Together<E> all(execution);
  for (std::size_t d = 0; d < 3; ++d) {
    const double* rho = varying_.rho[d].data();
    double* nu = varying_.nu[d].data();
    for_each(execution, varying_.nu[d].size(), [=] CORRAL_BODY(std::int64_t f) { nu[f] /= rho[f]; });
    all.maximum(varying_.nu[d].size(), 0, [=] CORRAL_BODY(std::int64_t f) { return nu[f]; });
  }
  const double largest = std::max({0.0, all.values()[0], all.values()[1], all.values()[2]});
  forces_.set_kinematic_viscosity(fluid::pointers(varying_.nu), largest);
}

template <Execution E> void Gas::to_faces(E execution, const Array<double>& cells, fluid::FaceArrays& faces) const {
  const double* in_cells = cells.data();
  for (int d = 0; d < 3; ++d) {
    double* on_faces = faces[d].data();
    fluid::for_each_face(execution, domain_.grid(), d, [=] CORRAL_BODY(const fluid::Face& f) {
      const double below = in_cells[f.below < 0 ? f.above : f.below], above = in_cells[f.above < 0 ? f.below : f.above];
      on_faces[f.index] = 0.5 * (below + above);
    });
  }
}

template <Execution E> void Gas::set_fraction(E execution, const FaceSums& sums, const Flow& flow) {
  filter_.set_weights(execution, planes(), flow.solids_fraction);
  scratch_.fields.give_back(fraction_);
  scratch_.fields.take_faces(domain_.grid(), fraction_);
  const double coupled = solids_.two_way ? 1 : 0;
  for (int d = 0; d < 3; ++d) {
    double* eps = fraction_[d].data();
    filter_.apply(execution, d, sums.theta[d].data(), eps);
    fluid::for_each_face_index(execution, domain_.grid(), planes(), d, [=] CORRAL_BODY(std::int64_t f) { eps[f] = gas_share(coupled * eps[f]); });
  }
  filter_.give_back_weights();
}

template <Execution E> void Gas::predict(E execution, const FaceSums& sums, double dt, const Flow& flow) {
  report_ = {};
  give_back_equation();
  if (gas_.solved && !conservative_) set_forces(execution, dt, flow); // while what it works with is all there is
  filter_sums(execution, sums, flow);
  if (!gas_.solved) return keep_prescribed(execution);
  if (conservative_) {
    fluid::FaceArrays eps;
    for (fluid::FaceArrays* faces : {&equation_.H, &eps}) scratch_.fields.take_faces(domain_.grid(), *faces);
    report_.substeps = conservative_->forces(execution, sums_.theta, dt, flow, eps, equation_.H, report_.books);
    scratch_.fields.give_back(eps);
  }
  set_drive(execution);
  face_coefficients(execution, dt, flow);
  set_right_hand_side(execution);
}

template <Execution E> void Gas::set_forces(E execution, double dt, const Flow& flow) {
  scratch_.fields.take_faces(domain_.grid(), equation_.H);
  const fluid::ConstFacePointers u = fluid::as_const(flow.view().gas_velocity);
  const fluid::FacePointers H = fluid::writable_pointers(equation_.H);
  forces_.share(planes());
  if (!foresees_) {
    report_.substeps = forces_(execution, dt, u, H);
    return;
  }
  report_.substeps = forces_(execution, dt, u, H, {fluid::as_const(run::pointers(rate_)), fluid::as_const(run::pointers(others_))});
  remember_change(execution, dt, flow, false);
}

template <Execution E> void Gas::solve_pressure(E execution, double dt, Flow& flow) {
  if (!gas_.solved) return;
  solver_.set_coefficients(execution, {fluid::pointers(equation_.b), nullptr});
  report_solved(solver_.solve(execution, equation_.rhs.data(), flow.pressure.data(),
                              {.absolute_max = gas_.tolerance / dt, .max_iterations = 500, .whole = !scratch_.own_sums}),
                dt);
  if (scratch_.own_sums) scratch_.share(domain_.grid(), Staggering::centre, flow.pressure);
  scratch_.fields.give_back(equation_.b, equation_.rhs);
}

template <Execution E> void Gas::correct(E execution, const FaceSums& sums, double dt, Flow& flow) {
  if (gas_.solved) {
    filter_.set_weights(execution, planes(), flow.solids_fraction);
    filter_fluxes(execution, sums); // again: the equation had their places
    filter_.give_back_weights();
    scratch_.fields.take_faces(domain_.grid(), gradient_);
    correct_velocity(execution, dt, flow);
    if (foresees_) remember_change(execution, dt, flow, true);
    continue_gradient(execution);
    fill_velocity(flow);
  }
  if (conservative_) close_books(execution, sums, dt, flow);
  measure(execution, sums, dt, flow);
  give_back_coefficients();
  feel(execution, sums, dt, flow);
}

/// In two parts, before and after the velocity is changed.
template <Execution E> void Gas::remember_change(E execution, double dt, const Flow& flow, bool after) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const double rho = gas_.laws.vary() ? 1 : gas_.rho;
  for (int d = 0; d < 3; ++d) {
    const double *u = flow.gas_velocity[d]->data(), *H = equation_.H[d].data();
    double *rate = rate_[d]->data(), *others = others_[d]->data();
    for_each(execution, rate_[d]->size(), [=] CORRAL_BODY(std::int64_t f) {
      const bool fixed = domain.kind(d, f) == fluid::FaceKind::fixed;
      const double by = fixed ? 0 : u[f] / dt;
      rate[f] = after ? rate[f] + by : -by;
      others[f] = after ? others[f] + by : fixed ? 0 : -by - H[f] / rho;
    });
  }
}

template <Execution E> void Gas::filter_sums(E execution, const FaceSums& sums, const Flow& flow) {
  const auto take = [this](bool needed, auto&... faces) {
    if (needed) (scratch_.fields.take_faces(domain_.grid(), faces), ...);
  };
  filter_.set_weights(execution, planes(), flow.solids_fraction);
  take(true, sums_.theta, sums_.P);
  take(mixed_, sums_.Pm, sums_.Qm, sums_.N);
  take(joint_, sums_.PJ, sums_.NJ);
  filter_fluxes(execution, sums);
  for (int d = 0; d < 3; ++d) {
    filter_.apply(execution, d, std::array<const double*, 2>{sums.theta[d].data(), sums.P[d].data()},
                  std::array{sums_.theta[d].data(), sums_.P[d].data()});
    if (!mixed_) continue;
    filter_.apply(execution, d, sums.Pm[d].data(), sums_.Pm[d].data());
    if (solids_.frozen) {
      for (fluid::FaceArrays* none : {&sums_.Qm, &sums_.N}) fluid::fill(execution, (*none)[d], 0);
      continue;
    }
    filter_.apply(execution, d, std::array{sums.Qm[d].data(), sums.N[d].data()},
                  std::array{sums_.Qm[d].data(), sums_.N[d].data()});
    if (!joint_) continue;
    filter_.apply(execution, d, std::array{sums.view().PJ[d], sums.view().NJ[d]},
                  std::array{sums_.PJ[d].data(), sums_.NJ[d].data()});
  }
  filter_.give_back_weights();
}

/// U and Q.
template <Execution E> void Gas::filter_fluxes(E execution, const FaceSums& sums) {
  for (fluid::FaceArrays* faces : {&sums_.U, &sums_.Q}) scratch_.fields.take_faces(domain_.grid(), *faces);
  for (int d = 0; d < 3; ++d) {
    if (solids_.frozen)
      for (fluid::FaceArrays* none : {&sums_.U, &sums_.Q}) fluid::fill(execution, (*none)[d], 0);
    else
      filter_.apply(execution, d, std::array<const double*, 2>{sums.U[d].data(), sums.Q[d].data()},
                    std::array{sums_.U[d].data(), sums_.Q[d].data()});
  }
}

/// G_0: what the case gives and, where the weight of the box is borne, as much as keeps the mixture's momentum: over the box
/// G acts on what gas and parcels fill.
template <Execution E> void Gas::set_drive(E execution) {
  if (!drive_.on()) return;
  uniform_ = drive_.gradient;
  if (!drive_.bears_weight) return;
  Together<E> all(execution);
  std::array<std::array<int, 2>, 3> numbers{}; // mass of the gas, and its share, along each axis
  for (int d = 0; d < 3; ++d) {
    if (!domain_.grid().axis(d).periodic()) continue;
    const GasOnFaces gas = gas_on_faces(d, 0);
    const fluid::OwnRange own = fluid::own_faces(domain_.grid(), planes(), d);
    numbers[d][0] = fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) { return gas.eps(f) * gas.density(f); });
    numbers[d][1] = fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) { return gas.eps(f); });
  }
  const auto found = planes().totals(all.values());
  const bool moved = solids_.two_way && !solids_.frozen;
  for (int d = 0; d < 3; ++d) {
    if (!domain_.grid().axis(d).periodic()) continue;
    const auto n = static_cast<double>(sums_.theta[d].size());
    const double of_gas = found[numbers[d][0]], gas = found[numbers[d][1]];
    uniform_[d] += gravity_[d] * (of_gas / n + moved * solids_mean_.density) / (gas / n + moved * solids_mean_.fraction);
  }
}

/// Sc, Us, R, u* and b of the step, and the mixture's flux without pressure. What a face has of H, U and Q is read before u*,
/// that flux and b are written in their places.
template <Execution E> void Gas::face_coefficients(E execution, double dt, const Flow& state) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const FlowView flow = state.view();
  const double rho_p = solids_.rho, mobile = solids_.two_way && !solids_.frozen ? 1 : 0;
  const SolidsInflow inflow = solids_inflow();
  for (int d = 0; d < 3; ++d) {
    const double g = gravity_[d], h = domain.grid.axis(d).spacing, G_0 = uniform_[d];
    const SolidsOnFaces solids = filtered_solids(d);
    const GasOnFaces gas = gas_on_faces(d, dt);
    const double *P = sums_.P[d].data(), *u = flow.gas_velocity[d], *w = flow.contact_acceleration[d];
    double *u_star_f = equation_.H[d].data(), *flux = sums_.U[d].data(), *b_f = sums_.Q[d].data();
    const double* H = u_star_f;
    fluid::for_each_face(execution, domain.grid, planes(), d, [=] CORRAL_BODY(const fluid::Face& face) {
      const std::int64_t f = face.index;
      const double rho = gas.density(f), force = gas.rho_f ? rho * H[f] : H[f]; // per mass where density varies
      const double Pm = mobile * P[f];
      const double eps = gas.eps(f), a = gas.a(f);
      const double Sc = mobile * rho_p / dt * solids.taken(f, dt, g, w[f]);
      const double Us = mobile * solids.free_flux(f, dt, g, w[f]);
      const double R = mobile * dt / rho_p * solids.freely(f);
      const double u_star = (eps * rho * u[f] / dt + eps * force + eps * rho * g + Sc) / a;
      u_star_f[f] = u_star;
      const fluid::FaceKind kind = domain.kind(d, f);
      const bool fixed = kind == fluid::FaceKind::fixed;
      const double b = (eps + Pm) * (eps + Pm) / a + R;
      b_f[f] = fixed ? 0 : domain.aperture(d, f) * b / (h * h) * (kind == fluid::FaceKind::outlet ? 2 : 1);
      flux[f] = fixed ? domain.given_velocity(d, f) + inflow(d, f) : (eps + Pm) * u_star + Us - b * G_0;
    });
  }
  equation_.u_star.swap(equation_.H);
  mixture_flux_.swap(sums_.U);
  equation_.b.swap(sums_.Q);
}

template <Execution E> void Gas::set_right_hand_side(E execution) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const fluid::ConstFacePointers flux = fluid::pointers(mixture_flux_);
  const double* source = source_ ? source_->data() : nullptr;
  scratch_.fields.take_cells(domain.grid, equation_.rhs);
  double* rhs = equation_.rhs.data();
  fluid::for_each_cell(execution, domain.grid, planes(), [=] CORRAL_BODY(const fluid::Cell& c) {
    rhs[c.index] = -fluid::divergence(domain, c, fluid::ValueOnFace{flux});
    if (source) rhs[c.index] += source[c.index];
  });
  scratch_.fields.give_back(mixture_flux_);
}

template <Execution E> void Gas::correct_velocity(E execution, double dt, Flow& state) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const double coupled = solids_.two_way && !solids_.frozen ? 1 : 0;
  const double* p = state.pressure.data();
  for (int d = 0; d < 3; ++d) {
    const double h = domain.grid.axis(d).spacing, G_0 = uniform_[d];
    const GasOnFaces gas = gas_on_faces(d, dt);
    const double *P = sums_.P[d].data(), *u_star = equation_.u_star[d].data();
    double *u = state.gas_velocity[d]->data(), *G = gradient_[d].data();
    fluid::for_each_face(execution, domain.grid, planes(), d, [=] CORRAL_BODY(const fluid::Face& face) {
      const std::int64_t f = face.index;
      const double share = gas.eps(f), response = (share + coupled * P[f]) / gas.a(f);
      if (domain.kind(d, f) == fluid::FaceKind::fixed) {
        u[f] = domain.given_velocity(d, f) / share;
        G[f] = (u_star[f] - u[f]) / response; // the force of the wall is known
      } else {
        const double above = face.above < 0 ? 0 : p[face.above], below = face.below < 0 ? 0 : p[face.below];
        G[f] = (above - below) / (face.boundary() ? 0.5 * h : h) + G_0;
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
    double* G = gradient_[d].data();
    fluid::for_each_face(execution, domain.grid, planes(), d, [=] CORRAL_BODY(const fluid::Face& f) {
      if (domain.kind(d, f.index) != fluid::FaceKind::fixed) return;
      const std::int64_t inner = fluid::inner_face(domain.grid, d, f);
      if (inner >= 0 && domain.kind(d, inner) != fluid::FaceKind::fixed) G[f.index] = G[inner];
    });
  }
}

/// The gas is given: its pressure gradient is its own weight, and the parcels feel both.
template <Execution E> void Gas::keep_prescribed(E execution) {
  scratch_.fields.take_faces(domain_.grid(), gradient_);
  for (std::size_t d = 0; d < 3; ++d) fluid::fill(execution, gradient_[d], gas_.rho * gravity_[d]);
}

/// What the parcels feel of the gas, and the flux that this makes of theirs: with the parcels' own sums, not filtered.
template <Execution E> void Gas::feel(E execution, const FaceSums& face_sums, double dt, const Flow& state) {
  const FlowView flow = state.view();
  const SumsView sums = face_sums.view();
  const double rho_p = solids_.rho;
  filter_.set_weights(execution, planes(), state.solids_fraction);
  give_back_felt();
  give_back_flux();
  scratch_.fields.take_faces(domain_.grid(), filtered_.velocity);
  if (!solids_.frozen)
    for (fluid::FaceArrays* faces : {&filtered_.force, &filtered_.contact, &solids_flux_}) scratch_.fields.take_faces(domain_.grid(), *faces);
  for (int d = 0; d < 3; ++d) {
    const double g = gravity_[d];
    if (solids_.frozen) filter_.apply(execution, d, flow.gas_velocity[d], filtered_.velocity[d].data());
    if (solids_.frozen) continue;
    filter_.apply(execution, d,
                  std::array<const double*, 3>{flow.gas_velocity[d], gradient_[d].data(), flow.contact_acceleration[d]},
                  std::array{filtered_.velocity[d].data(), filtered_.force[d].data(), filtered_.contact[d].data()});
    const double *u = filtered_.velocity[d].data(), *w = filtered_.contact[d].data();
    const SolidsOnFaces solids = solids_on_faces(sums, d);
    double *Fs = solids_flux_[d].data(), *G = filtered_.force[d].data();
    fluid::for_each_face_index(execution, domain_.grid(), planes(), d, [=] CORRAL_BODY(std::int64_t f) {
      Fs[f] = solids.flux(f, dt, g, 0, -G[f] / rho_p, u[f]);
      G[f] -= rho_p * w[f];
    });
  }
  filter_.give_back_weights();
  deliver(solids_.frozen ? filtered_.velocity : filtered_.force);
}

} // namespace corral::mppic
