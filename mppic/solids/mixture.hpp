#pragma once

#include "fluid/faces.hpp"

#include <corral/host_device.hpp>

#include <cstddef>
#include <cstdint>

namespace corral::mppic::contact {

/// How solids of several densities on a face share a push (docs/models/solids.md). M, Pm, L are those of SumsView; with one
/// density they are theta, P and theta, and everything here is 1 or 0.
struct Mixture {
  fluid::ConstFacePointers theta, M, Pm, L, N;
  bool blended; ///< contact pushes all alike, else each by its mass

  CORRAL_HOST_DEVICE bool several() const { return N[0] != nullptr; }
  /// s_m: what a push that changes the mean velocity by mass changes the flux by.
  CORRAL_HOST_DEVICE double s(std::size_t d, std::int64_t f) const {
    return blended ? theta[d][f] : M[d][f] * L[d][f] / theta[d][f];
  }
  /// How much easier than by solids of density rho the mean velocity by volume is changed: s_m rho/(rho_m theta).
  CORRAL_HOST_DEVICE double response(std::size_t d, std::int64_t f) const { return several() ? s(d, f) / M[d][f] : 1; }
  CORRAL_HOST_DEVICE bool empty(std::size_t d, std::int64_t f) const { return theta[d][f] <= 1e-9; }
  /// e_j [m/s], the velocity by mass that the gas expected contact to give; `push` is dt w.
  CORRAL_HOST_DEVICE double expected(std::size_t d, std::int64_t f, double push) const {
    return push * theta[d][f] / M[d][f];
  }
  /// X, the velocity by mass that contact gives beside what the gas expected of it and gave already; `du` is contact's, by
  /// volume.
  CORRAL_HOST_DEVICE double given(std::size_t d, std::int64_t f, double du, double push) const {
    if (empty(d, f)) return 0;
    return du * theta[d][f] / s(d, f) - (1 - Pm[d][f] / M[d][f]) * expected(d, f, push);
  }
  /// M (X + e_j): all of contact's momentum, over rho.
  CORRAL_HOST_DEVICE double momentum(std::size_t d, std::int64_t f, double du, double push) const {
    if (empty(d, f)) return 0;
    return M[d][f] * (given(d, f, du, push) + expected(d, f, push));
  }
};

/// What packed solids weigh in the gas [m/s2], over the density that mixtures are counted by.
struct Weight {
  double all;                      ///< of one density
  fluid::ConstFacePointers faces;  ///< of several, else null
  CORRAL_HOST_DEVICE double operator()(int d, std::int64_t f) const {
    return faces[0] ? faces[d][f] : all;
  }
};

} // namespace corral::mppic::contact
