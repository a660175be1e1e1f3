#pragma once

#include <corral/host_device.hpp>

#include <cmath>

namespace corral::mppic {

/// A solids fraction as a function of contact pressure, with its slope.
struct PackedFraction {
  double theta;      ///< [-]
  double dtheta_dpi; ///< [1/Pa]
};

/// Ps [Pa] of a case that does not say it, for solids that are heavier than the fluid by `buoyed` [kg/m3]: what contact may
/// carry of light solids is little beside what they weigh.
inline double usual_contact_pressure(double buoyed) {
  constexpr double most = 10, least = 0.01; // [Pa]
  constexpr double heavy = 800;             // [kg/m3] from which on it is the most: of any solid but foam in gas
  const double share = std::abs(buoyed) / heavy;
  return share < 1 ? std::fmax(most * share, least) : most;
}

/// Contact pressure of packed particles, tau(theta) = Ps theta^beta/(theta_cp - theta) (Harris and Crighton 1994,
/// as Snider 2001 uses it), and its inverse, which contact is solved with: tau has a pole at theta_cp,
/// where the inverse is smooth.
struct HarrisCrighton {
  double ps = 10;        ///< [Pa], positive
  double beta = 2;       ///< [-], 1 or more
  double theta_cp = 0.6; ///< solids fraction at close packing [-], in (0, 1)

  /// Solids fraction below which contact does not stop anything: there particles collide and drift apart, no more.
  CORRAL_HOST_DEVICE double touching() const { return 0.7 * theta_cp; }

  /// Contact pressure [Pa] at theta >= 0. Finite beyond theta_cp, too: the gap is at least 1e-7 (1 - theta).
  CORRAL_HOST_DEVICE double tau(double theta) const { return ps * power(theta, beta) / gap(theta); }

  /// dtau/dtheta = tau (beta/theta + 1/gap) [Pa], theta in [0, theta_cp).
  CORRAL_HOST_DEVICE double derivative(double theta) const {
    const double g = gap(theta);
    return ps * power(theta, beta - 1.0) * (beta + theta / g) / g;
  }

  /// The fraction in (0, theta_cp) whose tau is pi > 0 [Pa].
  /// The slope uses theta_cp - theta = Ps theta^beta/pi: the difference itself has no digits left at high pressures.
  CORRAL_HOST_DEVICE PackedFraction inverse(double pi) const {
    if (beta == 2.0) {
      const double r = 0.5 * (pi + std::sqrt(pi * (pi + 4.0 * ps * theta_cp))) / theta_cp; // pi/theta
      return {pi / r, ps / (r * (2.0 * ps + r))};
    }
    const double theta = newton(pi);
    return {theta, 1.0 / (beta * pi / theta + pi * pi / (ps * power(theta, beta)))};
  }

private:
  CORRAL_HOST_DEVICE static double power(double theta, double exponent) {
    return exponent == 2.0 ? theta * theta : exponent == 1.0 ? theta : std::pow(theta, exponent);
  }

  CORRAL_HOST_DEVICE double gap(double theta) const {
    const double least = 1e-7 * (1.0 - theta);
    return theta_cp - theta > least ? theta_cp - theta : least;
  }

  /// Root of Ps theta^beta - pi (theta_cp - theta), convex and rising: from any point above the root Newton's
  /// iterates fall towards it, and they end where round-off stops the fall.
  CORRAL_HOST_DEVICE double newton(double pi) const {
    const double dilute = std::pow(pi * theta_cp / ps, 1.0 / beta); // the root without the term pi theta
    double theta = dilute < theta_cp ? dilute : theta_cp;
    for (int iteration = 0; iteration < 60; ++iteration) {
      const double t = ps * power(theta, beta);
      const double next = theta - (t - pi * (theta_cp - theta)) / (beta * t / theta + pi);
      if (!(next < theta)) break;
      theta = next;
    }
    return theta;
  }
};

} // namespace corral::mppic
