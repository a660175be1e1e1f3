#pragma once

/// The loops of displacement.hpp, for either processor.

#include "mppic/contact/complementarity.t.hpp"
#include "mppic/contact/displacement.hpp"
#include "mppic/contact/displacement_laws.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

template <Execution E>
void Displacement::foresee(E execution, const FaceSums& sums, const Gas& gas, const Contact& contact,
                           const fluid::FaceArrays& carried, double dt, Flow& flow, std::optional<double> lost) {
  report_ = {};
  paid_ = 1;
  given_ = 0;
  const Grid& grid = domain_.grid();
  scratch_.fields.take_cells(grid, spacing_);
  if (!solids_.packing) {
    predict(execution, gas, carried, dt, flow);
    scratch_.share(grid, Staggering::centre, flow.predicted_fraction);
    scratch_.fields.take_faces(grid, dx_);
    for (fluid::FaceArrays* none : {&dx_, &spacing_})
      for (Array<double>& values : *none) fluid::fill(execution, values, 0);
    return;
  }
  scratch_.fields.take_faces(grid, b_);
  scratch_.fields.take_cells(grid, room_);
  scratch_.fields.take_cells(grid, missed_);
  remember_misses(execution, flow);
  predict(execution, gas, carried, dt, flow);
  budget_.weigh(execution, planes(), sums, gas, contact, dt, lost);
  even_out(execution, sums, dt, flow);
  set_room(execution, sums, dt, flow);
  set_mobility(execution, sums, flow);
  scratch_.fields.give_back(missed_);
}

/// What the cells have room for, or too much of, flows off along -grad psi: psi >= 0 and
/// room - div(theta grad psi) >= 0, complementary.
template <Execution E> void Displacement::solve(E execution, Flow& flow) {
  if (!solids_.packing) return;
  report_ = complementarity_.solve(execution, b_, displaced::RoomLaw{room_.data(), give_}, flow.displacement_potential,
                                   solids_.displacement_tolerance);
  scratch_.fields.give_back(room_);
}

template <Execution E>
void Displacement::give_way(E execution, const FaceSums& sums, const Gas& gas, const Contact& contact,
                            const fluid::FaceArrays& carried, double dt, Flow& flow) {
  if (!solids_.packing) return;
  scratch_.fields.take_faces(domain_.grid(), dx_);
  scratch_.fields.take_cells(domain_.grid(), unseen_);
  follow_potential(execution, sums, contact, dt, flow);
  const Lifts lifts = budget_.lift(execution, planes(), sums.box_theta, dx_, flow.solids_fraction, spacing_);
  const Lift lift{lifts.faces.up + lifts.cells, lifts.faces.down};
  const double at_rest = 1 - budget_.blown(dt);
  paid_ = budget_.pay_for_room(lift, at_rest);
  if (paid_ < 1) {
    find_owed(execution, flow);
    given_ = budget_.given(execution, planes(), sums.box_theta, dx_, b_, paid_);
    scale(execution, paid_, paid_ + (1 - paid_) * at_rest);
    predict(execution, gas, carried, dt, flow);
    foresee_spacing(execution, sums, spacing_, flow);
  }
  disperse(execution, sums, dt, flow);
  disperse_unseen(execution, sums, dt, flow);
  const Lifts drift = budget_.lift(execution, planes(), sums.box_theta, b_, flow.solids_fraction, unseen_);
  add_drift(execution, sums, budget_.pay_for_drift(drift.faces.sum() + drift.cells), flow);
  deliver(flow);
  scratch_.fields.give_back(b_, unseen_);
}

template <Execution E, class Flux>
void Displacement::subtract_divergence(E execution, Array<double>& fraction, const Flux& flux_of) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const Flux flux = flux_of;
  double* theta = fraction.data();
  fluid::for_each_cell(execution, domain.grid, planes(), [=] CORRAL_BODY(const fluid::Cell& c) {
    theta[c.index] -= fluid::divergence(domain, c, flux);
  });
}

/// A bed that is hit, or where bubbles close, is compressed through several steps: what fluxes have just missed of it
/// they will miss again.
template <Execution E> void Displacement::remember_misses(E execution, const Flow& state) {
  const FlowView flow = state.view();
  double* missed = missed_.data();
  const fluid::OwnRange own = fluid::own_cells(domain_.grid(), planes());
  for_each(execution, own.count, [=] CORRAL_BODY(std::int64_t k) {
    const std::int64_t c = own.first + k;
    missed[c] = std::max(0.0, flow.solids_fraction[c] - flow.predicted_fraction[c] - displaced::usual);
  });
}

/// theta_c as the parcels' velocities change it. What comes through inlets is there before the next spread.
template <Execution E>
void Displacement::predict(E execution, const Gas& gas, const fluid::FaceArrays& carried, double dt, Flow& state) {
  const FlowView flow = state.view();
  const fluid::OwnRange own = fluid::own_cells(domain_.grid(), planes());
  for_each(execution, own.count, [=] CORRAL_BODY(std::int64_t k) {
    flow.predicted_fraction[own.first + k] = flow.solids_fraction[own.first + k];
  });
  subtract_divergence(execution, state.predicted_fraction,
                      displaced::CarriedFlux{domain_.view(memory_for<E>), gas.solids_inflow(), fluid::pointers(carried), dt});
}

/// Packed parcels fill cells unevenly in ways that theta_c does not show, until they have moved on by half a cell. The
/// solids fraction of the faces shows it: parcels leave a face that is overfull as far as the bed moves on, and one that
/// holds more than its neighbours as far as it is sheared, so that a bed at rest stays as it lies.
template <Execution E>
void Displacement::even_out(E execution, const FaceSums& face_sums, double dt, Flow& flow) {
  const SumsView sums = face_sums.view();
  const double *theta = flow.solids_fraction.data(), g = budget_.g();
  const double theta_cp = solids_.stress.theta_cp, touching = solids_.stress.touching();
  const std::array<double, 3> gravity = gravity_;
  const std::array<double*, 3> spacing = fluid::writable_pointers(spacing_);
  fluid::for_each_cell(execution, sums.grid, planes(), [=] CORRAL_BODY(const fluid::Cell& c) {
    for (double* s : spacing) s[c.index] = 0;
    if (theta[c.index] < touching) return;
    const double sheared = displaced::stirring * std::min(1.0, dt * sums.shear(c));
    const double crossed = displaced::in_time * dt * sums.crossing(c.index);
    const double moved = crossed < displaced::unpacking ? crossed : displaced::unpacking;
    for (int d = 0; d < 3; ++d) {
      if (sums.grid.axis(d).thin()) continue;
      const std::int64_t below = fluid::neighbour(sums.grid, c, d, false), above = fluid::neighbour(sums.grid, c, d, true);
      const double low = sums.theta[d][c.low[d]], high = sums.theta[d][c.high[d]];
      const double ripple = sums.ripple(c, d, theta);
      const auto part = [&](double difference) { return std::clamp(difference / theta[c.index], -0.5, 0.5); };
      const double excess = std::max(high - theta_cp, 0.0) - std::max(low - theta_cp, 0.0);
      double share = std::max(sheared, 0.5 * moved) * part(ripple) + moved * part(excess);
      // On the floor grains fall into gaps, as they do in loose beds.
      const double pulled = gravity[d] < 0 && below < 0 ? 1 : gravity[d] > 0 && above < 0 ? -1 : 0;
      const double gap = pulled * part(ripple) - displaced::gap_band;
      if (gap > 0) share += 0.5 * pulled * displaced::fallen(g, sums.sauter_radius[c.index], dt) * gap;
      spacing[d][c.index] = -sums.grid.axis(d).spacing * share;
    }
  });
  foresee_spacing(execution, face_sums, spacing_, flow);
}

/// What displacements of cells change of theta_c, half of it by each of a box's two cells.
template <Execution E>
void Displacement::foresee_spacing(E execution, const FaceSums& sums, std::array<Array<double>, 3>& spacings,
                                   Flow& flow) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  fluid::fill_beside(domain.grid, planes(), Staggering::centre, spacings[2].data());
  for (int d = 0; d < 3; ++d) {
    const double *box_theta = sums.box_theta[d].data(), *spacing = spacings[d].data();
    double* b = b_[d].data();
    fluid::for_each_face(execution, domain.grid, planes(), d, [=] CORRAL_BODY(const fluid::Face& f) {
      const bool interior = domain.kind(d, f.index) == fluid::FaceKind::interior;
      b[f.index] = interior ? 0.5 * box_theta[f.index] * (spacing[f.below] + spacing[f.above]) : 0;
    });
  }
  subtract_divergence(execution, flow.predicted_fraction, fluid::ValueOnFace{fluid::pointers(b_)});
}

/// Excess over close packing goes within t_r. Where the bed moves on it packs a little less, as far as it has moved: a longer
/// step would throw it apart at once. What is lifted or has just been hit is loosened to what carries its load
/// within t_e, unless it is to bubble.
template <Execution E>
void Displacement::set_room(E execution, const FaceSums& face_sums, double dt, const Flow& state) {
  const SumsView sums = face_sums.view();
  const FlowView flow = state.view();
  const HarrisCrighton stress = solids_.stress;
  const double released = release_time_ > 0 ? 1 - std::exp(-dt / release_time_) : 1, g = budget_.g();
  const double rho_p = solids_.rho;
  const double loosened = budget_.loosened(dt), *missed = missed_.data();
  double* room = room_.data();
  fluid::for_each_cell(execution, sums.grid, planes(), [=] CORRAL_BODY(const fluid::Cell& cell) {
    const std::int64_t c = cell.index;
    const double theta = flow.predicted_fraction[c] + missed[c], pi = flow.contact_pressure[c];
    const double crossed = std::min(dt * sums.crossing(c), 0.25);
    const double excess = theta - stress.theta_cp;
    const double spare = displaced::missed * crossed * stress.theta_cp;
    const double asked = released * std::max(excess, 0.0) +
                         std::min(released, displaced::pace * crossed) * std::min(excess + spare, spare);
    const double carries = std::max(stress.touching(), pi > 0 ? stress.inverse(pi).theta : 0.0);
    const double loose = loosened * (std::min(theta, stress.theta_cp) - carries - displaced::loose_band);
    room[c] = excess + spare > 0 ? -asked : -excess - spare;
    if (loose <= 0) return;
    const double even = displaced::evens(stress.derivative(std::min(theta, stress.theta_cp)) / rho_p, theta, g,
                                         sums.drag_rate(cell, dt));
    room[c] = std::min(room[c], 0.0) - displaced::fallen(g, sums.sauter_radius[c], dt) * even * loose;
  });
}

/// What theta counts with on the faces, over h^2.
template <Execution E> void Displacement::set_mobility(E execution, const FaceSums& sums, const Flow& state) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const double* theta = state.solids_fraction.data();
  for (int d = 0; d < 3; ++d) {
    const double h = domain.grid.axis(d).spacing, *box_theta = sums.box_theta[d].data();
    double* b = b_[d].data();
    fluid::for_each_face(execution, domain.grid, planes(), d, [=] CORRAL_BODY(const fluid::Face& f) {
      const bool interior = domain.kind(d, f.index) == fluid::FaceKind::interior;
      const double cells = interior ? 0.5 * (theta[f.below] + theta[f.above]) : 0;
      b[f.index] = interior ? domain.aperture(d, f.index) / (h * h) *
                                  std::max(box_theta[f.index], displaced::least_share * cells)
                            : 0;
    });
  }
}

/// dx = -grad psi times the response.
template <Execution E>
void Displacement::follow_potential(E execution, const FaceSums& face_sums, const Contact& contact, double dt,
                                    const Flow& state) {
  const SumsView sums = face_sums.view();
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const double *psi = state.displacement_potential.data(), g = budget_.g(), height = budget_.height();
  for (int d = 0; d < 3; ++d) {
    const double h = domain.grid.axis(d).spacing, pull = gravity_[d];
    const double *u_s = contact.velocity()[d].data(), *du = contact.push()[d].data();
    const double *M = sums.M[d], *P = sums.Pm[d];
    double* dx = dx_[d].data();
    fluid::for_each_face(execution, domain.grid, planes(), d, [=] CORRAL_BODY(const fluid::Face& f) {
      dx[f.index] = 0;
      if (domain.kind(d, f.index) != fluid::FaceKind::interior) return;
      const double x = std::clamp(-displaced::response * (psi[f.above] - psi[f.below]) / h, -displaced::largest * h,
                                  displaced::largest * h);
      const double u = u_s[f.index] + du[f.index];
      const double D = displaced::drag_rate(M[f.index], P[f.index], dt);
      dx[f.index] = x * pull < 0 && u * pull > 0 ? x * displaced::lies(g, height, u, D) : x;
    });
  }
}

/// Below packing Harris and Crighton's pressure drives parcels apart against drag, as a drift: a force would have
/// given energy. D/(D^2 + omega^2) is the drift of an oscillator that drag damps, omega of a wave of a cell's length.
template <Execution E> void Displacement::disperse(E execution, const FaceSums& face_sums, double dt, const Flow& state) {
  const SumsView sums = face_sums.view();
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const HarrisCrighton stress = solids_.stress;
  const double touching = stress.touching(), rho_p = solids_.rho, still = 1 - budget_.blown(dt);
  const double* theta_c = state.solids_fraction.data();
  const displaced::MixtureDispersal mixture{density_range_, budget_.g(), gas_density_};
  for (int d = 0; d < 3; ++d) {
    const double h = domain.grid.axis(d).spacing, *theta_f = sums.theta[d], *M = sums.M[d], *P = sums.Pm[d];
    double* b = b_[d].data();
    fluid::for_each_face(execution, domain.grid, planes(), d, [=] CORRAL_BODY(const fluid::Face& f) {
      b[f.index] = 0;
      if (domain.kind(d, f.index) != fluid::FaceKind::interior) return;
      const double below = theta_c[f.below], above = theta_c[f.above], theta = theta_f[f.index];
      const double mean = 0.5 * (below + above), D = displaced::drag_rate(M[f.index], P[f.index], dt);
      if (theta < 1e-4 || D <= 0 || std::min(below, above) > touching) return;
      const double rho = rho_p * (M[f.index] / theta);
      const double slope = stress.derivative(mean), omega2 = slope / (rho * h * h);
      double drift = -dt * slope / rho * D / (D * D + omega2) * (above - below) / (h * std::max(theta, mean));
      if (mixture.several()) {
        const double contact = slope / rho * D / (D * D + omega2);
        drift *= mixture.over_contact(contact, slope / rho, mean, rho, D, h);
        if (std::min(below, above) > displaced::sparse)
          drift *= mixture.alike(rho_p * sums.density(f.below), rho_p * sums.density(f.above));
      }
      // From a packed surface that gas is blown through what falls would be dispersed as fast, and gas would carry it.
      const double free = std::max(below, above) > touching ? 0.5 * still : 1;
      b[f.index] = std::clamp(free * drift, -0.1 * h, 0.1 * h);
    });
  }
}

/// The same of what cells cannot see: boxes that are full and empty by turns look to them as if all were even. Where no wave
/// stirs them drag and drift would keep such boxes for ever, and pile solids up below a surface.
template <Execution E>
void Displacement::disperse_unseen(E execution, const FaceSums& face_sums, double dt, const Flow& state) {
  const SumsView sums = face_sums.view();
  const HarrisCrighton stress = solids_.stress;
  const double touching = stress.touching(), rho_p = solids_.rho, g = budget_.g(), gas = gas_density_;
  const double* theta = state.solids_fraction.data();
  const displaced::MixtureDispersal mixture{density_range_, g, gas};
  const std::array<double*, 3> unseen = fluid::writable_pointers(unseen_);
  fluid::for_each_cell(execution, sums.grid, planes(), [=] CORRAL_BODY(const fluid::Cell& cell) {
    const std::int64_t c = cell.index;
    for (double* s : unseen) s[c] = 0;
    const double D = sums.drag_rate(cell, dt);
    if (theta[c] < displaced::sparse || theta[c] > touching || D <= 0) return;
    const double rho = rho_p * sums.density(c), stiffness = stress.derivative(theta[c]) / rho;
    const double unstirred = displaced::evens(stiffness, theta[c], g * std::abs(1 - gas / rho), D);
    if (unstirred <= 0) return;
    for (int d = 0; d < 3; ++d) {
      if (sums.grid.axis(d).thin()) continue;
      // The surface of a packed bed is a ripple, too, and stays.
      const std::int64_t below = fluid::neighbour(sums.grid, cell, d, false), above = fluid::neighbour(sums.grid, cell, d, true);
      if ((below >= 0 && theta[below] > touching) || (above >= 0 && theta[above] > touching)) continue;
      const double h = sums.grid.axis(d).spacing, omega2 = stiffness / (h * h);
      double drift = -dt * stiffness * D / (D * D + omega2) * sums.ripple(cell, d, theta) / (h * theta[c]);
      if (mixture.several()) {
        drift *= mixture.over_contact(stiffness * D / (D * D + omega2), stiffness, theta[c], rho, D, h);
        double alike = 1;
        for (const std::int64_t beside : {below, above})
          if (beside >= 0 && theta[beside] > displaced::sparse)
            alike = std::min(alike, mixture.alike(rho, rho_p * sums.density(beside)));
        drift *= alike;
      }
      unseen[d][c] = std::clamp(unstirred * drift, -0.1 * h, 0.1 * h);
    }
  });
}

/// Cells beyond what sampling and motion explain: a bed that fell in too long steps, say. Left as they are until
/// something pays for it, they would stay so for ever.
template <Execution E> void Displacement::find_owed(E execution, const Flow& state) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const double *theta = state.solids_fraction.data(), theta_cp = solids_.stress.theta_cp;
  for (int d = 0; d < 3; ++d) {
    double* b = b_[d].data();
    fluid::for_each_face(execution, domain.grid, planes(), d, [=] CORRAL_BODY(const fluid::Face& f) {
      const bool interior = domain.kind(d, f.index) == fluid::FaceKind::interior;
      b[f.index] = interior ? displaced::owed(std::max(theta[f.below], theta[f.above]), theta_cp) : 0;
    });
  }
}

/// What makes room aside or down costs nothing: in a bed at rest it need not wait until what rises is paid for. In one that
/// gas is blown through all of it waits: there what sinks and cannot go on upward would pile up. Evening out keeps its
/// balance: of its halves that sink alone, the lowest layer would get denser and denser.
template <Execution E> void Displacement::scale(E execution, double rising, double others) {
  const fluid::OwnRange own = fluid::own_cells(domain_.grid(), planes());
  for (std::size_t d = 0; d < 3; ++d) {
    double *dx = dx_[d].data(), *spacing = spacing_[d].data();
    const double lifts = budget_.pull()[d], *owed = b_[d].data();
    fluid::for_each_face_index(execution, domain_.grid(), planes(), static_cast<int>(d), [=] CORRAL_BODY(std::int64_t f) {
      const double paid = lifts * dx[f] > 0 ? rising : others;
      dx[f] *= paid + (1 - paid) * owed[f];
    });
    for_each(execution, own.count, [=] CORRAL_BODY(std::int64_t k) { spacing[own.first + k] *= rising; });
  }
}

/// Room's displacement and `drift` of the drift, and what they change of theta_c.
template <Execution E> void Displacement::add_drift(E execution, const FaceSums& sums, double drift, Flow& flow) {
  const fluid::OwnRange own = fluid::own_cells(domain_.grid(), planes());
  for (std::size_t d = 0; d < 3; ++d) {
    double* dx = dx_[d].data();
    const double* b = b_[d].data();
    fluid::for_each_face_index(execution, domain_.grid(), planes(), static_cast<int>(d),
                               [=] CORRAL_BODY(std::int64_t f) { dx[f] += drift * b[f]; });
    double *spacing = spacing_[d].data(), *unseen = unseen_[d].data();
    for_each(execution, own.count, [=] CORRAL_BODY(std::int64_t k) {
      const std::int64_t c = own.first + k;
      unseen[c] *= drift;
      spacing[c] += unseen[c];
    });
  }
  subtract_divergence(execution, flow.predicted_fraction,
                      displaced::FluxOfBoxes{fluid::pointers(sums.box_theta), fluid::pointers(dx_)});
  foresee_spacing(execution, sums, unseen_, flow);
}

} // namespace corral::mppic
