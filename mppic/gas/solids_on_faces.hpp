#pragma once

#include "mppic/gas/sums_view.hpp"

#include <corral/host_device.hpp>

#include <cstdint>

namespace corral::mppic {

/// How the solids on the faces of an axis answer the gas within a step, of one density or of several (docs/models/solids.md):
/// pressure acts on all particles by their volume, and accelerates them by 1/rho_p; drag takes hold by q.
struct SolidsOnFaces {
  const double *theta, *U, *P, *Q;
  const double *Pm, *Qm; ///< P and Q by mass, over rho; P and Q themselves where all have one density
  const double* N;       ///< rho <V (1-q)/rho_p>; null where that is theta - P
  const double *PJ, *NJ; ///< P and N of contact's push; null likewise

  CORRAL_HOST_DEVICE double freely(std::int64_t f) const { return N ? N[f] : theta[f] - P[f]; }
  /// What drag takes from them, over rho: of what they come with, and of what gravity g and contact w give in dt.
  CORRAL_HOST_DEVICE double taken(std::int64_t f, double dt, double g, double w) const {
    return N ? Qm[f] + dt * (Pm[f] * g + PJ[f] * w) : Q[f] + P[f] * (dt * (g + w));
  }
  /// Their flux without gas and pressure.
  CORRAL_HOST_DEVICE double free_flux(std::int64_t f, double dt, double g, double w) const {
    const double left = theta[f] - P[f];
    return U[f] - Q[f] + (N ? dt * (left * g + NJ[f] * w) : left * (dt * (g + w)));
  }
  /// Their flux in a gas of velocity u, `pressed` the acceleration of particles of density rho by its pressure.
  CORRAL_HOST_DEVICE double flux(std::int64_t f, double dt, double g, double w, double pressed, double u) const {
    const double left = theta[f] - P[f];
    return U[f] - Q[f] + (N ? dt * (left * g + NJ[f] * w + N[f] * pressed) : left * dt * (g + w + pressed)) + P[f] * u;
  }
};

/// Of the parcels' own sums.
CORRAL_HOST_DEVICE inline SolidsOnFaces solids_on_faces(const SumsView& sums, int d) {
  return {sums.theta[d], sums.U[d], sums.P[d], sums.Q[d], sums.Pm[d], sums.Qm[d], sums.N[d], sums.PJ[d], sums.NJ[d]};
}

} // namespace corral::mppic
