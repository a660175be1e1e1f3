#pragma once

/// What contact at rest does: static friction, and what the gas of the next step expects. Loops of contact.hpp, for
/// either processor.

#include "mppic/contact/contact.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::mppic {

template <Execution E>
void StaticFriction::hold(E execution, const fluid::FaceArrays& velocity, const contact::Mixture& of_solids, double dt,
                          fluid::FaceArrays& pushes, Flow& flow) {
  constexpr double relaxation = 0.3; // of what the gas expects: of more of a change, and both would answer each other
  if (coefficient_ <= 0 || weight_ <= 0) return;
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const double coefficient = coefficient_, weighs = weight_ * dt;
  const fluid::FacePointers push = fluid::writable_pointers(pushes);
  const contact::Mixture solids = of_solids;
  scratch_.fields.take_cells(domain.grid, most_);
  double* stopped = most_.data();
  fluid::for_each_cell(execution, domain.grid, scratch_.planes(), [=] CORRAL_BODY(const fluid::Cell& c) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double mean = 0.5 * (push[d][c.low[d]] + push[d][c.high[d]]);
      square += mean * mean;
    }
    stopped[c.index] = coefficient * std::min(std::sqrt(square), weighs);
  });
  fluid::fill_beside(domain.grid, scratch_.planes(), Staggering::centre, stopped);
  for (int d = 0; d < 3; ++d) {
    const double* u_s = velocity[d].data();
    double *du = push[d], *expected = flow.friction_acceleration[d]->data();
    fluid::for_each_face(execution, domain.grid, scratch_.planes(), d, [=] CORRAL_BODY(const fluid::Face& face) {
      const std::int64_t f = face.index;
      if (domain.kind(d, f) != fluid::FaceKind::interior) return;
      const double most = 0.5 * (stopped[face.below] + stopped[face.above]), u = u_s[f] + du[f];
      const double held = most > 0 ? -std::clamp(2 - std::abs(u) / most, 0.0, 1.0) * u : 0;
      du[f] += held;
      const double m = solids.mobility(static_cast<std::size_t>(d), f);
      expected[f] += relaxation * answered(m) * (held / (m * dt) - expected[f]);
    });
  }
  scratch_.fields.give_back(most_);
}

namespace contact {

inline constexpr double steepest = 1.05; ///< slope of the pressure that the gas is told of, over that of packed weight [-]
inline constexpr double relaxation = 0.5; ///< of what the gas expects: of more of a change, and both would answer each other
inline constexpr int limiting_sweeps = 3;

/// What acts on solids at a wall: a push only where it leads away.
CORRAL_HOST_DEVICE inline double inward(const fluid::Face& f, double push) {
  return f.below < 0 ? std::max(push, 0.0) : std::min(push, 0.0);
}

} // namespace contact

template <Execution E> void Contact::remember(E execution, const FaceSums& sums, Gas& gas, Flow& flow) {
  if (!solids_.packing) return;
  limit(execution, sums, flow);
  const fluid::Planes& planes = scratch_.planes();
  gas.filter().set_weights(execution, planes, flow.solids_fraction);
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const contact::Weight weight = this->weight(sums);
  const contact::Mixture mixture = this->mixture(sums);
  const double* limited = limited_.data();
  fluid::FaceArrays at_rest, smooth; // w, before and after it is smoothed
  for (fluid::FaceArrays* faces : {&at_rest, &smooth}) scratch_.fields.take_faces(domain.grid, *faces);
  for (int d = 0; d < 3; ++d) {
    const double scale = 1 / (solids_.rho * domain.grid.axis(d).spacing);
    const auto i = static_cast<std::size_t>(d);
    double *w = at_rest[d].data(), *smooth_w = smooth[d].data();
    fluid::for_each_face(execution, domain.grid, planes, d, [=] CORRAL_BODY(const fluid::Face& f) {
      w[f.index] = 0;
      if (domain.kind(d, f.index) != fluid::FaceKind::interior) return;
      const double rise = limited[f.above] - limited[f.below];
      const double most = contact::steepest * weight(d, f.index);
      w[f.index] = std::clamp(-scale * rise / mixture.pushed(i, f.index), -most, most);
    });
    fluid::for_each_face(execution, domain.grid, planes, d, [=] CORRAL_BODY(const fluid::Face& f) {
      if (domain.kind(d, f.index) != fluid::FaceKind::fixed) return;
      const std::int64_t inner = fluid::inner_face(domain.grid, d, f);
      if (inner >= 0) w[f.index] = contact::inward(f, w[inner]);
    });
    const double* friction = flow.friction_acceleration[d]->data();
    fluid::for_each_face_index(execution, domain.grid, planes, d, [=] CORRAL_BODY(std::int64_t f) { w[f] += friction[f]; });
    if (d == 2) fluid::fill_beside(domain.grid, planes, Staggering::face_z, w);
    double* expected = flow.contact_acceleration[d]->data();
    gas.filter().apply(execution, d, w, smooth_w);
    fluid::for_each_face_index(execution, domain.grid, planes, d, [=] CORRAL_BODY(std::int64_t f) {
      expected[f] += contact::relaxation * StaticFriction::answered(mixture.mobility(i, f)) * (smooth_w[f] - expected[f]);
    });
  }
  share_memory(flow);
  gas.filter().give_back_weights();
  scratch_.fields.give_back(at_rest, smooth, limited_);
}

/// pi, no steeper between neighbours than packed weight makes it. Limiting pi, not its gradient, keeps the sum of the
/// forces.
template <Execution E> void Contact::limit(E execution, const FaceSums& sums, const Flow& flow) {
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const double *pi = flow.contact_pressure.data(), rho_p = solids_.rho;
  const contact::Weight weight = this->weight(sums);
  const contact::Mixture mixture = this->mixture(sums);
  for (Array<double>* cells : {&limited_, &next_}) scratch_.fields.take_cells(domain.grid, *cells);
  double* first = limited_.data();
  const fluid::Planes& planes = scratch_.planes();
  const fluid::OwnRange own = fluid::own_cells(domain.grid, planes);
  for_each(execution, own.count, [=] CORRAL_BODY(std::int64_t k) { first[own.first + k] = pi[own.first + k]; });
  for (int sweep = 0; sweep < contact::limiting_sweeps; ++sweep) {
    const double* limited = limited_.data();
    double* next = next_.data();
    fluid::fill_beside(domain.grid, planes, Staggering::centre, limited_.data());
    fluid::for_each_cell(execution, domain.grid, planes, [=] CORRAL_BODY(const fluid::Cell& c) {
      double least = limited[c.index];
      for (int d = 0; d < 3 && least > 0; ++d) {
        for (const bool above : {false, true}) {
          const std::int64_t f = above ? c.high[d] : c.low[d], beside = fluid::neighbour(domain.grid, c, d, above);
          const double rise = contact::steepest * weight(d, f) * rho_p * domain.grid.axis(d).spacing;
          if (beside >= 0 && domain.kind(d, f) == fluid::FaceKind::interior)
            least = std::min(least, limited[beside] + rise * mixture.pushed(static_cast<std::size_t>(d), f));
        }
      }
      next[c.index] = least;
    });
    std::swap(limited_, next_);
  }
  fluid::fill_beside(domain.grid, planes, Staggering::centre, limited_.data());
  scratch_.fields.give_back(next_);
}

} // namespace corral::mppic
