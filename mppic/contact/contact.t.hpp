#pragma once

/// The loops of contact.hpp, for either processor.

#include "mppic/contact/complementarity.t.hpp"
#include "mppic/contact/contact.hpp"
#include "mppic/contact/contact_at_rest.t.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace corral::mppic {

namespace contact {

inline constexpr double empty = 1e-9;    ///< solids fraction of a face that holds nothing [-]

/// What the trilinear map makes of a packed cell at a surface: less than what packs it. `ratio` is the solids fraction of
/// the next cell over the cell's own. A surface `depth` cells above the cell's centre leaves 1/2 + depth - depth^2/2 in it
/// and depth^2/2 in the next.
CORRAL_HOST_DEVICE inline double coverage_beside(double ratio) {
  const double depth = std::min((ratio + std::sqrt(ratio * (1 + 2 * ratio))) / (1 + ratio), 1.0);
  return 1 - 0.5 * (1 - depth) * (1 - depth);
}

/// Velocity of the solids on the faces, at inlets that of what comes in.
struct VelocityOnFace {
  fluid::DomainView domain;
  fluid::ConstFacePointers u_s;
  SolidsInflow inflow;
  double theta_cp;
  CORRAL_HOST_DEVICE double operator()(int d, std::int64_t f) const {
    return domain.kind(d, f) == fluid::FaceKind::fixed ? inflow(d, f) / theta_cp : u_s[d][f];
  }
};

/// What the push that the gas expects of contact changes of that velocity.
struct ExpectedOnFace {
  fluid::DomainView domain;
  Mixture solids;
  fluid::ConstFacePointers w;
  double dt;
  CORRAL_HOST_DEVICE double operator()(int d, std::int64_t f) const {
    return domain.kind(d, f) == fluid::FaceKind::interior ? dt * solids.mobility(static_cast<std::size_t>(d), f) * w[d][f] : 0;
  }
};

/// Both, and what boxes carry with that push.
struct FluxesWithPush {
  VelocityOnFace velocity;
  ExpectedOnFace push;
  fluid::ConstFacePointers before, theta;
  CORRAL_HOST_DEVICE std::array<double, 3> operator()(int d, std::int64_t f) const {
    const double pushed = push(d, f);
    return {velocity(d, f), pushed, before[d][f] + theta[d][f] * pushed};
  }
};

/// r(pi) of a cell: what the step does to its volume without contact, and how far pi lets it be compressed.
struct ContactLaw {
  HarrisCrighton stress;
  double low;                                   ///< solids fraction below which there is no contact [-]
  const double *theta, *advected, *compression; ///< theta_c, theta_a, dt div u_s
  double precision;                             ///< of a root, over it [-]

  /// The pressure from which on pi lets the solids be compressed further; infinite where nothing does.
  CORRAL_HOST_DEVICE double kink(std::int64_t c) const {
    const double from = std::max(low, advected[c]);
    return from < stress.theta_cp ? stress.tau(from) : 1e300;
  }
  CORRAL_HOST_DEVICE double below_kink(std::int64_t c) const { return compression[c] + std::max(0.0, low - advected[c]) / theta[c]; }

  CORRAL_HOST_DEVICE Complementarity::Value at(std::int64_t c, double pi) const {
    if (theta[c] <= dilute) return {1e3, 0};
    if (pi < kink(c)) return {below_kink(c), 0};
    const PackedFraction packed = stress.inverse(pi);
    return {compression[c] + (packed.theta - advected[c]) / theta[c], packed.dtheta_dpi / theta[c]};
  }

  CORRAL_HOST_DEVICE double root(std::int64_t c, double a, double s) const {
    if (theta[c] <= dilute || below_kink(c) >= s) return 0;
    const double flat = (s - below_kink(c)) / a, from = kink(c);
    if (flat <= from) return flat;
    // Beyond the kink a pi + r rises and is concave: Newton's iterates rise towards the root and never cross it.
    double pi = from;
    for (int i = 0; i < 8; ++i) {
      const Complementarity::Value v = at(c, pi);
      const double step = (s - a * pi - v.r) / (a + v.slope);
      pi += step;
      if (step <= precision * pi) break;
    }
    return pi;
  }

  CORRAL_HOST_DEVICE double beyond(std::int64_t c, double pi, double e, double a) const {
    const double from = kink(c), over = pi + e - from;
    return pi < from && over > 0 ? from + over * a / (a + at(c, from).slope) : pi + e;
  }
};

} // namespace contact

template <Execution E>
void Contact::prepare(E execution, const FaceSums& sums, const Gas& gas, double dt, const Flow& flow) {
  report_ = {};
  give_back();
  for (fluid::FaceArrays* faces : {&u_s_, &box_flux_}) scratch_.fields.take_faces(domain_.grid(), *faces);
  set_velocity(execution, sums, gas, dt);
  if (solids_.packing) set_law(execution, sums, gas, dt, flow);
  scratch_.fields.give_back(box_flux_);
  if (solids_.packing) return set_coefficients(execution, sums, dt);
  scratch_.fields.take_faces(domain_.grid(), du_);
  for (Array<double>& none : du_) fluid::fill(execution, none, 0);
}

/// u_s, and with it the flux of the boxes: that of the parcels as they came, and what the step has added since.
template <Execution E> void Contact::set_velocity(E execution, const FaceSums& face_sums, const Gas& gas, double dt) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const SumsView sums = face_sums.view();
  const contact::Mixture mixture = this->mixture(face_sums);
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double *Fs = gas.solids_flux()[i].data();
    const SolidsInflow inflow = gas.solids_inflow();
    const double* w = gas.filtered_contact()[i].data();
    double *u_s = u_s_[i].data(), *box_flux = box_flux_[i].data();
    fluid::for_each_face_index(execution, domain.grid, scratch_.planes(), d, [=] CORRAL_BODY(std::int64_t f) {
      const double theta = sums.theta[i][f];
      const bool filled = theta > contact::empty;
      double flux = Fs[f];
      if (filled && mixture.several()) {
        const double push = dt * w[f];
        flux += sums.NJ[i][f] * push + mixture.s(i, f) * mixture.given(i, f, 0, push);
      }
      u_s[f] = filled ? flux / theta : 0;
      if (domain.kind(d, f) == fluid::FaceKind::fixed)
        box_flux[f] = inflow(d, f);
      else
        box_flux[f] = sums.box_U[i][f] + (filled ? sums.box_theta[i][f] * (flux - sums.U[i][f]) / theta : 0);
    });
  }
}

/// Of the inequality's operator: dt^2 m/(rho_p theta_m h^2).
template <Execution E> void Contact::set_coefficients(E execution, const FaceSums& sums, double dt) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const contact::Mixture mixture = this->mixture(sums);
  scratch_.fields.take_faces(domain.grid, b_);
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double h = domain.grid.axis(d).spacing, scale = dt * dt / (solids_.rho * h * h);
    double* b = b_[d].data();
    fluid::for_each_face(execution, domain.grid, scratch_.planes(), d, [=] CORRAL_BODY(const fluid::Face& face) {
      const std::int64_t f = face.index;
      const bool interior = domain.kind(d, f) == fluid::FaceKind::interior;
      b[f] = interior ? scale * domain.aperture(d, f) * mixture.mobility(i, f) / mixture.pushed(i, f) : 0;
    });
  }
}

/// What contact gives beside what the gas expected of it and gave already: to all parcels of a face alike, to each by its
/// mass, rho_m X, or to all as one body, which has what was expected in it. One density, whose s is theta, goes without the
/// mixture's divisions: they would round.
template <Execution E>
void Contact::share_push(E execution, const FaceSums& sums, const Gas& gas, double dt, fluid::FaceArrays& shares) const {
  const contact::Mixture mixture = this->mixture(sums);
  const double rho = solids_.rho, together = blended_ ? 1 : 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double *du = du_[i].data(), *w = gas.filtered_contact()[i].data();
    double* share = shares[i].data();
    fluid::for_each_face_index(execution, domain_.grid(), scratch_.planes(), static_cast<int>(i), [=] CORRAL_BODY(std::int64_t f) {
      const double push = dt * w[f];
      if (!mixture.several()) {
        const double theta = mixture.theta[i][f];
        const double given = theta > contact::empty ? du[f] - (1 - mixture.Pm[i][f] / theta) * dt * w[f] : du[f];
        share[f] = given + together * dt * w[f];
        return;
      }
      const bool empty = mixture.empty(i, f);
      const double given = empty ? du[f] : mixture.given(i, f, du[f], push);
      if (mixture.blended) share[f] = given + (mixture.M[i][f] > 0 ? mixture.expected(i, f, push) : 0);
      else share[f] = empty ? rho * du[f] : rho * given * mixture.M[i][f] / mixture.theta[i][f];
    });
  }
}

/// dt div u_s, and theta_a: what the flow makes of theta without compressing it, over the cell's coverage. Faces carry what
/// they do with the push that contact is expected to give: of a bed that lies, nothing, however fast it would fall.
template <Execution E>
void Contact::set_law(E execution, const FaceSums& sums, const Gas& gas, double dt, const Flow& flow) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const contact::FluxesWithPush fluxes{.velocity = {domain, fluid::pointers(u_s_), gas.solids_inflow(), solids_.stress.theta_cp},
                                       .push = {domain, mixture(sums), fluid::pointers(gas.filtered_contact()), dt},
                                       .before = fluid::pointers(box_flux_),
                                       .theta = sums.view().box_theta};
  const double* theta = flow.solids_fraction.data();
  for (Array<double>* cells : {&compression_, &advected_}) scratch_.fields.take_cells(domain.grid, *cells);
  double *compression = compression_.data(), *advected = advected_.data();
  fluid::for_each_cell(execution, domain.grid, scratch_.planes(), [=] CORRAL_BODY(const fluid::Cell& c) {
    const std::array<double, 3> out = fluid::divergences<3>(domain, c, fluxes);
    compression[c.index] = dt * out[0];
    advected[c.index] = theta[c.index] * (1 + compression[c.index] + dt * out[1]) - dt * out[2];
    if (theta[c.index] <= contact::dilute) return;
    double least = 1;
    for (int d = 0; d < 3; ++d)
      for (const bool above : {false, true}) {
        const std::int64_t beside = fluid::neighbour(domain.grid, c, d, above);
        if (beside >= 0) least = std::min(least, theta[beside] / theta[c.index]);
      }
    advected[c.index] /= contact::coverage_beside(least);
  });
}

template <Execution E> void Contact::solve(E execution, Flow& flow) {
  if (!solids_.packing) return;
  const contact::ContactLaw law{solids_.stress, solids_.stress.touching(), flow.solids_fraction.data(), advected_.data(),
                                compression_.data(), std::min(1e-3, 1e3 * solids_.contact_tolerance)};
  report_ = complementarity_.solve(execution, b_, law, flow.contact_pressure, solids_.contact_tolerance);
  scratch_.fields.give_back(compression_, advected_, b_);
}

template <Execution E>
void Contact::apply(E execution, const FaceSums& sums, const Gas& gas, double dt, Flow& flow) {
  if (!solids_.packing) return;
  set_push(execution, sums, gas, dt, flow);
  friction_.hold(execution, u_s_, mixture(sums), dt, du_, flow);
  set_floor_load(execution, sums, gas, dt);
}

template <Execution E>
void Contact::set_push(E execution, const FaceSums& sums, const Gas& gas, double dt, const Flow& flow) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const contact::Mixture mixture = this->mixture(sums);
  const SolidsInflow inflow = gas.solids_inflow();
  scratch_.fields.take_faces(domain.grid, du_);
  const double* pi = flow.contact_pressure.data();
  for (int d = 0; d < 3; ++d) {
    const double scale = dt / (solids_.rho * domain.grid.axis(d).spacing);
    const auto i = static_cast<std::size_t>(d);
    const double* u_s = u_s_[d].data();
    double* du = du_[d].data();
    fluid::for_each_face(execution, domain.grid, scratch_.planes(), d, [=] CORRAL_BODY(const fluid::Face& face) {
      const std::int64_t f = face.index;
      du[f] = 0;
      if (domain.kind(d, f) == fluid::FaceKind::interior) {
        du[f] = -mixture.mobility(i, f) * scale * (pi[face.above] - pi[face.below]) / mixture.pushed(i, f);
      } else if (domain.kind(d, f) == fluid::FaceKind::fixed && inflow(d, f) == 0) {
        // The wall's own contact: the half cell beside it does not move into it where the cell is packed.
        if (pi[face.below < 0 ? face.above : face.below] > 0) du[f] = contact::inward(face, -u_s[f]);
      }
    });
  }
}

/// What the push and what the gas expected of it gave a column: between cells the parts of pi cancel, what is left is
/// the floor's, its friction and the weight of the lowest half cell included.
template <Execution E>
void Contact::set_floor_load(E execution, const FaceSums& sums, const Gas& gas, double dt) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const Axis axis = domain.grid.axis(2);
  const std::int64_t plane = floor_load_.size(), last = axis.cells * plane;
  const fluid::OwnRange own = fluid::own_faces(domain.grid, scratch_.planes(), 2);
  const contact::Mixture mixture = this->mixture(sums);
  const double *theta = sums.theta[2].data(), *P = sums.P[2].data(), *w = gas.filtered_contact()[2].data();
  const double *du = du_[2].data(), rho_p = solids_.rho;
  double* floor_load = floor_load_.data();
  for_each(execution, plane, [=] CORRAL_BODY(std::int64_t floor) {
    floor_load[floor] = 0;
    if (domain.kind(2, floor) != fluid::FaceKind::fixed) return;
    double load = 0;
    for (std::int64_t f = own.first + floor; f < own.first + own.count; f += plane) {
      const double part = f == floor || f >= last ? 0.5 : 1;
      load += part * (mixture.several() ? mixture.momentum(2, f, du[f], dt * w[f]) / dt : theta[f] * du[f] / dt + P[f] * w[f]);
    }
    floor_load[floor] = rho_p * axis.spacing * load;
  });
}

} // namespace corral::mppic
