#pragma once

#include "fluid/domain.hpp"

#include <corral/host_device.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace corral::mppic {

/// What loops see of FaceSums: a value, good while they live.
struct SumsView {
  Grid grid;
  fluid::ConstFacePointers theta, U, P, Q, box_theta, box_U;
  /// By mass, over the density rho that mixtures are counted by: <V rho_p>, <V rho_p q>, <V rho_p q u>; and <V/rho_p>,
  /// <V (1-q)/rho_p> times it. Where all parcels have one density theta, P, Q, theta, and null for theta - P.
  fluid::ConstFacePointers M, Pm, Qm, L, N;
  /// P and N of contact's push, which packed solids that answer jointly have in common; P and N themselves where none do.
  fluid::ConstFacePointers PJ, NJ;
  fluid::InverseVolumes inverse_volume; ///< 1/V_f [1/m3]
  std::array<const double*, 3> mean_velocity;
  const double *mean_square, *sauter_radius;
  const double* relative_density; ///< of the cells' solids, over rho; null where all parcels have one density
  const double* restitution;      ///< of the cells' solids, the mean by surface [-]; null where all have one

  /// Density of a cell's solids over rho [-].
  CORRAL_HOST_DEVICE double density(std::int64_t cell) const { return relative_density ? relative_density[cell] : 1; }

  /// Squares of the differences of the mean velocity between neighbouring cells [m2/s2], per axis; where a neighbour is
  /// empty or missing, to the other one. What a smooth gradient adds to mean_square is a sixth of each.
  CORRAL_HOST_DEVICE std::array<double, 3> differences(const fluid::Cell& c) const;
  /// sigma [m/s], sigma^2 = mean |u - ubar|^2 without what a smooth gradient of ubar adds.
  CORRAL_HOST_DEVICE double fluctuation(const fluid::Cell& c) const;
  /// |grad ubar| [1/s].
  CORRAL_HOST_DEVICE double shear(const fluid::Cell& c) const;
  /// Rate of drag on the solids of a cell, the mean over its faces by solids fraction [1/s]; dt > 0.
  CORRAL_HOST_DEVICE double drag_rate(const fluid::Cell& c, double dt) const;
  /// sum_d |ubar_d|/h_d, the cells that the solids of a cell cross per time [1/s].
  CORRAL_HOST_DEVICE double crossing(std::int64_t cell) const;
  /// How much more the upper face of a cell holds along axis d than the lower one, beside what its neighbours' solids
  /// fractions make of them [-].
  CORRAL_HOST_DEVICE double ripple(const fluid::Cell& c, int d, const double* solids_fraction) const;

private:
  CORRAL_HOST_DEVICE bool filled(std::int64_t cell) const { return cell >= 0 && sauter_radius[cell] > 0; }
};

CORRAL_HOST_DEVICE inline std::array<double, 3> SumsView::differences(const fluid::Cell& c) const {
  std::array<double, 3> squares{};
  for (int d = 0; d < 3; ++d) {
    const std::int64_t below = fluid::neighbour(grid, c, d, false), above = fluid::neighbour(grid, c, d, true);
    const std::int64_t low = filled(below) ? below : c.index, high = filled(above) ? above : c.index;
    const int apart = (low != c.index) + (high != c.index);
    for (std::size_t e = 0; e < 3 && apart > 0; ++e) {
      const double difference = (mean_velocity[e][high] - mean_velocity[e][low]) / apart;
      squares[d] += difference * difference;
    }
  }
  return squares;
}

CORRAL_HOST_DEVICE inline double SumsView::fluctuation(const fluid::Cell& c) const {
  double square = mean_square[c.index];
  for (const double* mean : mean_velocity) square -= mean[c.index] * mean[c.index];
  for (const double difference : differences(c)) square -= difference / 6;
  return std::sqrt(std::max(square, 0.0));
}

CORRAL_HOST_DEVICE inline double SumsView::shear(const fluid::Cell& c) const {
  const std::array<double, 3> squares = differences(c);
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    const double h = grid.axis(d).spacing;
    sum += squares[d] / (h * h);
  }
  return std::sqrt(sum);
}

CORRAL_HOST_DEVICE inline double SumsView::drag_rate(const fluid::Cell& c, double dt) const {
  double solids = 0, dragged = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    solids += theta[d][c.low[d]] + theta[d][c.high[d]];
    dragged += P[d][c.low[d]] + P[d][c.high[d]];
  }
  return dragged > 0 ? dragged / std::max(solids - dragged, 1e-3 * solids) / dt : 0;
}

CORRAL_HOST_DEVICE inline double SumsView::crossing(std::int64_t cell) const {
  double rate = 0;
  for (int d = 0; d < 3; ++d)
    rate += std::abs(mean_velocity[d][cell]) / grid.axis(d).spacing;
  return rate;
}

CORRAL_HOST_DEVICE inline double SumsView::ripple(const fluid::Cell& c, int d, const double* solids_fraction) const {
  const std::int64_t below = fluid::neighbour(grid, c, d, false), above = fluid::neighbour(grid, c, d, true);
  const double smooth = 0.5 * (solids_fraction[above < 0 ? c.index : above] - solids_fraction[below < 0 ? c.index : below]);
  return theta[d][c.high[d]] - theta[d][c.low[d]] - smooth;
}

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
