#pragma once

/// The loops of static_friction.hpp, for either processor.

#include "mppic/contact/static_friction.hpp"

#include <algorithm>
#include <cmath>

namespace corral::mppic {

template <Execution E>
void StaticFriction::hold(E execution, const fluid::FaceArrays& velocity, const fluid::FaceArrays& mobility, double dt,
                          fluid::FaceArrays& pushes, Flow& flow) {
  constexpr double relaxation = 0.3; // of what the gas expects: of more of a change, and both would answer each other
  if (coefficient_ <= 0 || weight_ <= 0) return;
  const fluid::DomainView domain = domain_.view(memory_for<E>);
  const double coefficient = coefficient_, weighs = weight_ * dt;
  const fluid::FacePointers push = fluid::writable_pointers(pushes);
  double* stopped = most_.data();
  fluid::for_each_cell(execution, domain.grid, [=] CORRAL_BODY(const fluid::Cell& c) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double mean = 0.5 * (push[d][c.low[d]] + push[d][c.high[d]]);
      square += mean * mean;
    }
    stopped[c.index] = coefficient * std::min(std::sqrt(square), weighs);
  });
  for (int d = 0; d < 3; ++d) {
    const double *u_s = velocity[d].data(), *m = mobility[d].data();
    double *du = push[d], *expected = flow.friction_acceleration[d]->data();
    fluid::for_each_face(execution, domain.grid, d, [=] CORRAL_BODY(const fluid::Face& face) {
      const std::int64_t f = face.index;
      if (domain.kind(d, f) != fluid::FaceKind::interior) return;
      const double most = 0.5 * (stopped[face.below] + stopped[face.above]), u = u_s[f] + du[f];
      const double held = most > 0 ? -std::clamp(2 - std::abs(u) / most, 0.0, 1.0) * u : 0;
      du[f] += held;
      expected[f] += relaxation * answered(m[f]) * (held / (m[f] * dt) - expected[f]);
    });
  }
}

} // namespace corral::mppic
