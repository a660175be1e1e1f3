#pragma once

#include "fluid/transport/padded_velocity.hpp"

#include <array>
#include <cmath>
#include <cstdint>

namespace corral::fluid {

/// How the advected velocity is found on the sides of a face's control volume.
enum class Advection : std::uint8_t {
  upwind,   ///< first order, the upstream value
  van_leer, ///< second order where the profile is smooth (van Leer 1974), upwind at extrema: no new ones
  central   ///< second order, the mean (Harlow and Welch 1965); waves from cell to cell where |u| h/nu is above 2
};

/// Adds -rho (u . grad) u_d [N/m3] to `force`, grid.points(face(d)) values per direction.
///
/// Upwind and van Leer: u_e times the difference of the two values along e, u_e the mean of the faces around. Central:
/// with F the mean of aperture times velocity on what parts two control volumes, as the pressure's divergence has it,
/// [F (u_next - u)/2]_high + [F (u - u_last)/2]_low. That is, less u div F, the form in which what leaves a control
/// volume enters the next: where the divergence of F is 0, momentum and kinetic energy are kept, and no F crosses a
/// wall or a closed face. On fixed faces it is part of what holds them; closed faces get nothing.
template <Execution E>
void add_advection(E, const PaddedVelocity& u, Advection scheme, double rho, const std::array<double*, 3>& force);

/// The velocity that carries a face's value along an axis: the face's own along its normal, else the mean of the four
/// faces of that axis around it.
CORRAL_HOST_DEVICE inline double carrying(const RowAlong& r, std::int64_t i) {
  const double* v = r.v + i;
  return r.along_normal ? v[0] : 0.25 * (v[0] + v[r.axis] + v[-r.normal] + v[r.axis - r.normal]);
}

/// The flux through the sides of a face's control volume along an axis [m/s].
struct ControlFluxes {
  double low, high;
};

CORRAL_HOST_DEVICE inline ControlFluxes control_fluxes(const RowAlong& r, std::int64_t i) {
  const double* v = r.v + i;
  if (r.along_normal) return {0.5 * (v[-r.axis] + v[0]), 0.5 * (v[0] + v[r.axis])};
  return {0.5 * (v[0] + v[-r.normal]), 0.5 * (v[r.axis] + v[r.axis - r.normal])};
}

/// The value between `centre` and `downstream` from the three values in the direction of the flow.
template <Advection scheme>
CORRAL_HOST_DEVICE double advected(double upstream, double centre, double downstream) {
  if constexpr (scheme == Advection::upwind) return centre;
  const double behind = centre - upstream, ahead = downstream - centre, product = behind * ahead;
  return product > 0 ? centre + product / (behind + ahead) : centre; // half of van Leer's harmonic slope
}

/// rho u_e du/dx_e at face i of the row [N/m3]; `scale` is rho/h.
template <Advection scheme, bool closed>
CORRAL_HOST_DEVICE double advection_along(const RowAlong& r, std::int64_t i, double scale) {
  if constexpr (scheme == Advection::central) {
    const double* u = r.u + i; // no wall needs to be seen here: nothing flows through it
    const ControlFluxes F = control_fluxes(r, i);
    return scale * 0.5 * (F.high * (u[r.step] - u[0]) + F.low * (u[0] - u[-r.step]));
  } else {
    const Surroundings n = surroundings<closed>(r, i);
    const double speed = carrying(r, i);
    const double difference =
        speed > 0 ? advected<scheme>(n.low, n.centre, n.high) - advected<scheme>(n.low2, n.low, n.centre)
                  : advected<scheme>(n.high2, n.high, n.centre) - advected<scheme>(n.high, n.centre, n.low);
    return scale * speed * difference;
  }
}

/// Calls f<scheme, closed>() for a scheme and a field as they are at run time.
template <class F> void with_scheme(Advection scheme, bool closed, F f) {
  const auto call = [&]<Advection s>() {
    closed ? f.template operator()<s, true>() : f.template operator()<s, false>();
  };
  switch (scheme) {
  case Advection::upwind: return call.template operator()<Advection::upwind>();
  case Advection::van_leer: return call.template operator()<Advection::van_leer>();
  case Advection::central: return call.template operator()<Advection::central>();
  }
}

/// Adds mu lap u_d [N/m3] to `force`, grid.points(face(d)) values per direction.
///
/// What a face gives to its neighbour along an axis the neighbour takes, through the open share of what parts them; the
/// rest goes to a wall half a cell away. On fixed faces it is part of what holds them; closed faces get nothing.
template <Execution E>
void add_viscosity(E, const PaddedVelocity& u, double mu, const std::array<double*, 3>& force);

/// mu d2u/dx_e2 at face i of the row [N/m3]; `scale` is mu/h^2.
template <bool closed> CORRAL_HOST_DEVICE double viscosity_along(const RowAlong& r, std::int64_t i, double scale) {
  const Surroundings n = surroundings<closed>(r, i);
  return scale * (n.high - 2 * n.centre + n.low);
}

} // namespace corral::fluid
