#pragma once

#include "mppic/case/setup.hpp"

#include <corral/host_device.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::mppic {

/// Rates [1/s] at which particles that collide lose their fluctuations (O'Rourke and Snider 2010) and share them among
/// the directions (O'Rourke and Snider 2012), with velocities in equilibrium, from sigma^2 = mean |u - ubar|^2, or far
/// from it, from the frequency nu = sum n_p nu_p^2/sum n_p nu_p of `approach`. Of hard spheres they are Haff's rate and
/// that of pressure over viscosity.
struct CollisionRates {
  double theta_cp;    ///< close packing [-]
  double restitution; ///< e, the share of their relative velocity that particles keep, where solids have one [-]

  explicit CollisionRates(const SolidsModel& solids) : theta_cp(solids.stress.theta_cp), restitution(solids.restitution) {}

  /// g_0: how much more often particles meet for the room that others take.
  CORRAL_HOST_DEVICE double crowding(double theta) const {
    return std::min(1000.0, theta_cp / std::max(theta_cp - theta, 1e-3 * theta_cp));
  }
  /// 1/t_D in equilibrium and far from it, then 1/t_G likewise; `radius` is r_32.
  CORRAL_HOST_DEVICE double collision(double e, double theta, double sigma, double radius) const {
    const double eta = 0.5 * (1 + e);
    return 16 / std::sqrt(3 * std::numbers::pi) * theta * sigma / radius * crowding(theta) * eta * (1 - eta);
  }
  CORRAL_HOST_DEVICE double collision_far(double e, double theta, double nu) const {
    const double eta = 0.5 * (1 + e);
    return 8 * std::numbers::sqrt2 / (3 * std::numbers::pi) * nu * crowding(theta) * eta * (1 - eta);
  }
  CORRAL_HOST_DEVICE double isotropy(double e, double theta, double sigma, double radius) const {
    const double eta = 0.5 * (1 + e);
    return 48 / (5 * std::sqrt(3 * std::numbers::pi)) * theta * sigma / radius * crowding(theta) * eta * (2 - eta);
  }
  CORRAL_HOST_DEVICE double isotropy_far(double e, double theta, double nu) const {
    const double eta = 0.5 * (1 + e);
    return 8 * std::numbers::sqrt2 / (5 * std::numbers::pi) * nu * crowding(theta) * eta * (2 - eta);
  }
  /// nu_p r_32^3/theta of a particle of radius r whose velocity differs by `slip` from the mean [m3/s].
  CORRAL_HOST_DEVICE static double approach(double r, double r32, double slip) { return (r + r32) * (r + r32) * slip; }
};

} // namespace corral::mppic
