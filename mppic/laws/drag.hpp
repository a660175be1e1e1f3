#pragma once

#include <corral/error.hpp>
#include <corral/host_device.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace corral::mppic {

/// x^(1/3) for normal x > 0, within 4 units of round-off. Unlike std::cbrt it is inlined, and loops that call it
/// vectorise: half the time of a Plessis-Masliyah drag.
CORRAL_HOST_DEVICE inline double cube_root(double x) {
  // A third of the exponent, with the first bits of the fraction, is a third of the logarithm within 5 % (Kahan).
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = ((((bits >> 32) * 0x55555556u) >> 32) + 715094163u) << 32; // the product's upper half is a third
  double y;
  std::memcpy(&y, &bits, sizeof y);
  for (int halley = 0; halley < 3; ++halley) { // 5e-2 -> 3e-5 -> 7e-15 -> round-off
    const double y3 = y * y * y;
    y = y * (y3 + 2.0 * x) / (2.0 * y3 + x);
  }
  return y;
}

/// Gas-solid drag laws. `drag_laws()` says of each what it is for and where it comes from.
enum class DragLaw : std::uint8_t {
  stokes,
  stokes_hindered,
  constant,
  constant_hindered,
  single_sphere,
  single_sphere_hindered,
  wen_yu,
  ergun,
  gidaspow,
  gidaspow_blended,
  beetstra,
  beetstra_polydisperse,
  tang,
  tang_polydisperse,
  syamlal_obrien,
  plessis_masliyah, // the last one, for `with_law`
};

/// A law and the gas it is used in.
struct DragModel {
  DragLaw law = DragLaw::gidaspow_blended;
  double rho = 1.2;   ///< gas density [kg/m3]
  double mu = 1.8e-5; ///< gas viscosity [Pa s], positive
  double cd = 0.44;   ///< drag coefficient of the laws `constant` [-]

  bool operator==(const DragModel&) const = default;
};

struct DragLawEntry {
  DragLaw law;
  std::string_view name; ///< as case files write it
  std::string_view meaning;
  std::string_view source;
};

/// Every law, in the order of the enumerators.
std::span<const DragLawEntry> drag_laws();

/// The names of `drag_laws()`.
std::vector<std::string> drag_law_names();

std::string_view name(DragLaw);

/// The law of that name. Throws Error, listing the names, where there is none.
DragLaw drag_law(std::string_view name);

/// The laws as dimensionless f = K d^2/mu of Model A. `re` is rho |u_r| d/mu, without the gas fraction, which each
/// law puts in where its authors do. eps + theta = 1. All are finite for eps > 0 and at re = 0.
namespace drag_laws_detail {

CORRAL_HOST_DEVICE inline double hindrance(double eps) { return std::pow(eps, -2.65); }

/// 3/4 Cd Re with Cd = 24/Re (1 + .15 Re^.687) below Re = 1000 (Schiller and Naumann 1933), .44 from there on.
CORRAL_HOST_DEVICE inline double single_sphere(double re) {
  return re < 1000.0 ? 18.0 * (1.0 + 0.15 * std::pow(re, 0.687)) : 0.33 * re;
}

CORRAL_HOST_DEVICE inline double wen_yu(double eps, double re) { return single_sphere(eps * re) * hindrance(eps); }

CORRAL_HOST_DEVICE inline double ergun(double eps, double theta, double re) {
  return 150.0 * theta / eps + 1.75 * re;
}

CORRAL_HOST_DEVICE inline double gidaspow_blended(double eps, double theta, double re) {
  const double phi = std::atan(262.5 * (eps - 0.8)) * std::numbers::inv_pi + 0.5;
  return (1.0 - phi) * ergun(eps, theta, re) + phi * wen_yu(eps, re);
}

/// The viscous part that Beetstra et al. and Tang et al. share (van der Hoef, Beetstra and Kuipers 2005).
CORRAL_HOST_DEVICE inline double viscous_force(double eps, double theta) {
  return 10.0 * theta / (eps * eps) + eps * eps * (1.0 + 1.5 * std::sqrt(theta));
}

CORRAL_HOST_DEVICE inline double beetstra(double eps, double theta, double re_0) {
  const double re = eps * re_0;
  // Re^.657 stands for Re Re^-.343, which has no value at rest; the second term's denominator is infinite there.
  const double inertia = re * (1.0 / eps + 3.0 * eps * theta) + 8.4 * std::pow(re, 0.657);
  const double damping = 1.0 + std::pow(10.0, 3.0 * theta) * std::pow(re, -0.5 * (1.0 + 4.0 * theta));
  return 18.0 * eps * (viscous_force(eps, theta) + 0.413 / (24.0 * eps * eps) * inertia / damping);
}

/// What of the drag on particles of the mixture's mean diameter d32 one of y d32 has (Beetstra et al.).
CORRAL_HOST_DEVICE inline double share_in_mixture(double eps, double theta, double y) {
  return y * (eps + y * (theta + 0.064 * eps * y));
}

CORRAL_HOST_DEVICE inline double tang(double eps, double theta, double re_0) {
  const double re = eps * re_0;
  // The fit ends at Re = 1000, and its bracket turns negative beyond: from there on the bracket keeps its value, so
  // that the inertial drag goes on as the square of the velocity. The lower bound only keeps 0 out of the power.
  const double re_fit = re < 1000.0 ? (re > 1e-30 ? re : 1e-30) : 1000.0;
  const double eps_4 = eps * eps * eps * eps;
  const double bracket = 0.11 * theta * (1.0 + theta) - 4.56e-3 / eps_4 +
                         std::pow(re_fit, -0.343) * (0.169 * eps + 0.0644 / eps_4);
  return 18.0 * eps * (viscous_force(eps, theta) + re * bracket);
}

CORRAL_HOST_DEVICE inline double syamlal_obrien(double eps, double re) {
  const double a = std::pow(eps, 4.14);
  const double b = eps <= 0.85 ? 0.8 * std::pow(eps, 1.28) : std::pow(eps, 2.65);
  // The suspension's terminal velocity over that of one sphere: V = (sqrt(x^2 + .24 Re B) - x)/2, x = .06 Re - A.
  const double x = 0.06 * re - a;
  const double root = std::sqrt(x * x + 0.24 * re * b);
  const double v = x > 0.0 ? 0.12 * re * b / (root + x) : 0.5 * (root - x); // without cancellation
  const double s = 0.63 * std::sqrt(re / v) + 4.8;
  return 0.75 * eps * s * s / v;
}

/// A theta/eps + B Re with A = 26.8 eps^3/(c^2 (1-c)(1-c^2)^2), B = eps^2/(1-c^2)^2, c = theta^(1/3). As
/// eps = (1-c)(1+c+c^2), both share the factor B = (1+c+c^2)^2/(1+c)^2, and A theta/eps = 26.8 c/(1-c) B.
CORRAL_HOST_DEVICE inline double plessis_masliyah(double theta, double re) {
  const double c = cube_root(theta > 1e-9 ? theta : 1e-9);
  const double ratio = (1.0 + c * (1.0 + c)) / (1.0 + c);
  return ratio * ratio * (26.8 * c / (1.0 - c) + re);
}

} // namespace drag_laws_detail

/// Whether a law knows of the other particles' sizes.
constexpr bool knows_mixture(DragLaw law) {
  return law == DragLaw::beetstra_polydisperse || law == DragLaw::tang_polydisperse;
}

/// K [kg/(m3 s)]: drag force per particle volume and per unit of slip velocity, Model A (the parcel feels the gas's
/// pressure gradient besides). Finite and not negative for gas fractions eps in (0, 1], slip speeds slip >= 0 [m/s]
/// and diameters d > 0 [m]; continuous in all three, but for the switches that the laws' authors put in. d32 is the
/// Sauter mean diameter of all particles around [m], for laws that know a mixture.
template <DragLaw law>
CORRAL_HOST_DEVICE inline double drag_per_volume(const DragModel& gas, double eps, double slip, double d, double d32) {
  namespace laws = drag_laws_detail;
  const double theta = eps < 1.0 ? 1.0 - eps : 0.0; // interpolation may leave eps a round-off above 1
  const double scale = gas.mu / (d * d);
  const double re = gas.rho * slip * d / gas.mu;
  if constexpr (law == DragLaw::stokes) return scale * 18.0;
  if constexpr (law == DragLaw::stokes_hindered) return scale * 18.0 * laws::hindrance(eps);
  if constexpr (law == DragLaw::constant) return scale * 0.75 * gas.cd * re;
  if constexpr (law == DragLaw::constant_hindered) return scale * 0.75 * gas.cd * re * laws::hindrance(eps);
  if constexpr (law == DragLaw::single_sphere) return scale * laws::single_sphere(re);
  if constexpr (law == DragLaw::single_sphere_hindered) return scale * laws::single_sphere(re) * laws::hindrance(eps);
  if constexpr (law == DragLaw::wen_yu) return scale * laws::wen_yu(eps, re);
  if constexpr (law == DragLaw::ergun) return scale * laws::ergun(eps, theta, re);
  if constexpr (law == DragLaw::gidaspow)
    return scale * (eps < 0.8 ? laws::ergun(eps, theta, re) : laws::wen_yu(eps, re));
  if constexpr (law == DragLaw::gidaspow_blended) return scale * laws::gidaspow_blended(eps, theta, re);
  if constexpr (law == DragLaw::beetstra) return scale * laws::beetstra(eps, theta, re);
  if constexpr (law == DragLaw::beetstra_polydisperse)
    return scale * (laws::share_in_mixture(eps, theta, d / d32) * laws::beetstra(eps, theta, re * (d32 / d)));
  if constexpr (law == DragLaw::tang) return scale * laws::tang(eps, theta, re);
  if constexpr (law == DragLaw::tang_polydisperse)
    return scale * (laws::share_in_mixture(eps, theta, d / d32) * laws::tang(eps, theta, re * (d32 / d)));
  if constexpr (law == DragLaw::syamlal_obrien) return scale * laws::syamlal_obrien(eps, re);
  if constexpr (law == DragLaw::plessis_masliyah) return scale * laws::plessis_masliyah(theta, re);
}

template <DragLaw law>
CORRAL_HOST_DEVICE inline double drag_per_volume(const DragModel& gas, double eps, double slip, double d) {
  return drag_per_volume<law>(gas, eps, slip, d, d);
}

/// Calls f with the law as a compile-time constant, so that the choice stands outside the loop over parcels:
/// `with_law(gas.law, [&](auto law) { move_parcels<law>(gas, ...); })`.
template <int first = 0, class F> decltype(auto) with_law(DragLaw law, F&& f) {
  if (static_cast<int>(law) == first) return f(std::integral_constant<DragLaw, static_cast<DragLaw>(first)>{});
  if constexpr (first < static_cast<int>(DragLaw::plessis_masliyah)) return with_law<first + 1>(law, f);
  else throw Error("drag law number " + std::to_string(static_cast<int>(law)) + " (no such law)");
}

/// K of `gas.law`, the law chosen at run time: for single values; loops over parcels use `with_law`.
inline double drag_per_volume(const DragModel& gas, double eps, double slip, double d, double d32) {
  return with_law(gas.law, [&](auto law) { return drag_per_volume<law>(gas, eps, slip, d, d32); });
}
inline double drag_per_volume(const DragModel& gas, double eps, double slip, double d) {
  return drag_per_volume(gas, eps, slip, d, d);
}

} // namespace corral::mppic
