#pragma once

#include "fluid/domain.hpp"
#include "mppic/contact/complementarity.hpp"
#include "mppic/gas/gas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace corral::mppic {

/// What displacement asks of one face or one cell (docs/models/displacement.md).
namespace displaced {

inline constexpr double response = 1.2;    ///< displacement asked for over what psi would need: maps pass on less where it is not smooth
inline constexpr double largest = 0.2;     ///< displacement of a step, over the cell size
inline constexpr double least_share = 0.25; ///< of the cells' solids fraction that a box counts with, at least
inline constexpr double missed = 0.4;      ///< of theta_c: what fluxes miss of a cell whose solids cross a cell in the step
inline constexpr double usual = 0.015;     ///< by which fluxes may miss theta_c, and nobody expects it again
inline constexpr double pace = 4;          ///< times as fast as the bed moves on the spare part is worked off
inline constexpr double loose_band = 0.003; ///< by which a cell may be denser than its load asks for: contact feels no less
inline constexpr double stirring = 0.5;    ///< of a ripple that is taken back while the bed shears by 1
inline constexpr double unpacking = 0.5;   ///< of a face's excess over close packing that is taken back in a step, at most
inline constexpr double in_time = 8;       ///< the same, over the share of a cell that the bed crosses in the step
inline constexpr double steepness = 3;     ///< -d ln(gas velocity that carries a bed)/d ln(theta), over eps: 1.5 to 3.8
inline constexpr double gap_band = 0.01;   ///< by which the floor's face may be lighter than the next, over its cell
inline constexpr double falling = 0.05;    ///< of the terminal velocity: what sinks no faster lies
inline constexpr double sparse = 1e-3;     ///< theta_c below which nothing is dispersed that cells cannot see
inline constexpr double peclet = 2;        ///< of cells, for kinematic waves and the dispersal of mixtures [-]
inline constexpr double unlike = 0.25;     ///< of the range of densities: by which cells differ that nothing is dispersed between
inline constexpr double overfull_from = 1.048, overfull_by = 1.05; ///< theta_c over close packing: what parts whoever pays

/// Share of what is asked for next to a cell that is overfull that is given though nothing pays for it.
CORRAL_HOST_DEVICE inline double owed(double theta, double theta_cp) {
  return std::clamp((theta / theta_cp - overfull_from) / (overfull_by - overfull_from), 0.0, 1.0);
}

/// Rate of drag on what a face carries [1/s].
CORRAL_HOST_DEVICE inline double drag_rate(double theta, double P, double dt) {
  return P > 0 ? P / std::max(theta - P, 1e-3 * theta) / dt : 0;
}

/// Share of t_e = 4 sqrt(d/g), the time in which grains fall by their own size, that a step lasts.
CORRAL_HOST_DEVICE inline double fallen(double g, double radius, double dt) {
  return g > 0 && radius > 0 ? -std::expm1(-dt / (4 * std::sqrt(2 * radius / g))) : 0;
}

/// How far contact keeps a bed even that gas carries (Wallis 1969): 1 where its waves, whose speed squared is `stiffness`
/// [m2/s2], outrun kinematic ones, 0 where those are faster by 1.4. Such a bed bubbles, and loosened it could not.
CORRAL_HOST_DEVICE inline double evens(double stiffness, double theta, double g, double D) {
  const double kinematic = steepness * theta * g / std::max(D, 1e-9);
  return std::clamp(2 - kinematic * kinematic / stiffness, 0.0, 1.0);
}

/// How solids of several densities are dispersed (docs/models/solids.md). Layers of two solids differ in theta where both
/// rest: dispersed by contact's drift they would mix.
struct MixtureDispersal {
  double range;       ///< of the solids' densities [kg/m3]; 0 where all have one
  double g;           ///< [m/s2]
  double gas_density; ///< [kg/m3]

  CORRAL_HOST_DEVICE bool several() const { return range > 0; }
  /// 1 between cells of like solids, 0 where their mean densities [kg/m3] differ by a quarter of the range.
  CORRAL_HOST_DEVICE double alike(double one, double other) const {
    return std::clamp(1 - std::abs(one - other) / (unlike * range), 0.0, 1.0);
  }
  /// What a drift by `contact` [m2/s] is multiplied by, so that it disperses as cells of length h ask for where no wave
  /// grows; `stiffness` as of `evens`, rho [kg/m3] of the solids.
  CORRAL_HOST_DEVICE double over_contact(double contact, double stiffness, double theta, double rho, double D, double h) const {
    const double weight = g * std::abs(1 - gas_density / rho), kinematic = steepness * theta * weight / std::max(D, 1e-9);
    return 1 + evens(stiffness, theta, weight, D) * (h * kinematic / (peclet * contact) - 1);
  }
};

/// Share of a lift that is for creep. A layer that falls and is lifted as fast would hover, gas carrying what drag takes:
/// so nothing is lifted that falls, where drag lets it reach its terminal velocity within a cell.
CORRAL_HOST_DEVICE inline double lies(double g, double height, double u, double D) {
  const double terminal = g / std::max(D, 1e-9), freely = std::sqrt(g * height);
  return 1 - std::clamp(std::abs(u) / (falling * terminal) - 1, 0.0, 1.0) * std::clamp(freely / terminal - 1, 0.0, 1.0);
}

/// Room in a cell: how much its solids fraction may still rise; below 0, by how much it has to fall.
struct RoomLaw {
  const double* room;
  double give; ///< [1/m2] next to nothing, so that a box that is overfull everywhere has a solution, too

  CORRAL_HOST_DEVICE Complementarity::Value at(std::int64_t c, double psi) const { return {room[c] + give * psi, give}; }
  CORRAL_HOST_DEVICE double root(std::int64_t c, double a, double s) const {
    return std::max(0.0, (s - room[c]) / (a + give));
  }
  CORRAL_HOST_DEVICE double beyond(std::int64_t, double x, double e, double) const { return x + e; }
};

/// What displacement moves over a face.
struct FluxOfBoxes {
  fluid::ConstFacePointers theta, dx;
  CORRAL_HOST_DEVICE double operator()(int d, std::int64_t f) const {
    return theta[d][f] * dx[d][f];
  }
};

/// What velocities carry over a face, and what enters through inlets.
struct CarriedFlux {
  fluid::DomainView domain;
  SolidsInflow inflow;
  fluid::ConstFacePointers carried;
  double dt;
  CORRAL_HOST_DEVICE double operator()(int d, std::int64_t f) const {
    return domain.kind(d, f) == fluid::FaceKind::fixed ? dt * inflow(d, f) : carried[d][f];
  }
};

} // namespace displaced

} // namespace corral::mppic
