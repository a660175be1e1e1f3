#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

/// Two spheres of the radius a, r apart: the flow of a force that is spread over the one's surface, averaged over the
/// other's (Rotne and Prager 1969; Yamakawa 1970). It is
///   u = across f + (along - across) (f.r) r/r^2,
/// at any distance, where they overlap, too, and it has no factor 1/(8 pi mu).
///
/// Both averages, of a radial function F(r), come to a second difference: with P'' = r F(r)
///   r F'(r) = (P(r + 2 a) - 2 P(r) + P(r - 2 a))/(4 a^2).
/// The stokeslet is (I div grad - grad grad) r, and what Hasimoto's screening leaves of it has F' = erfc(xi r) for r.
namespace corral::stokes {

template <class T> struct SpherePair {
  T across, along; ///< [1/m]
};

/// What it is made of: in_place + slope r where they overlap, r < 2 a; else 1/r + square/r^3 across, and along twice
/// 1/r - square/r^3.
template <class T> struct SphereTerms {
  T in_place, across_slope, along_slope; ///< [1/m], [1/m2]
  T square;                              ///< [m2]
};
template <class T> constexpr SphereTerms<T> sphere_terms(T a) {
  const T in_place = 4 / (3 * a);
  return {in_place, -9 * in_place / (32 * a), -3 * in_place / (16 * a), 2 * a * a / 3};
}

/// The whole of it.
template <class T> SpherePair<T> spheres(T a, T r) {
  const SphereTerms<T> terms = sphere_terms(a);
  if (r < 2 * a) return {terms.in_place + terms.across_slope * r, terms.in_place + terms.along_slope * r};
  const T inverse = 1 / r, correction = terms.square * inverse * inverse * inverse;
  return {inverse + correction, 2 * (inverse - correction)};
}

namespace detail {

/// P as above of the near field, for s >= 0, where it decays; and P', P''.
template <class T> std::array<T, 3> screened_potential(T xi, T s) {
  const T x = xi * s, E = std::erfc(x), unit = std::exp(-x * x) / (xi * std::sqrt(std::numbers::pi_v<T>));
  const T square = s * s, length = 1 / (xi * xi);
  return {(square * square / 12 - length * length / 16) * E + (length / 24 - square / 12) * s * unit,
          square * s / 3 * E + (length / 6 - square / 3) * unit, square * E - s * unit};
}

/// The far field of nearby spheres, by powers of r: as differences these would cancel.
template <class T> SpherePair<T> far_spheres_nearby(T xi, T a, T r) {
  // Odd derivatives, the third to the seventh, of P of the far field.
  const auto derivatives = [xi](T s) -> std::array<T, 3> {
    const T x2 = xi * xi * s * s, unit = std::exp(-x2) / std::sqrt(std::numbers::pi_v<T>);
    return {2 * s * std::erf(xi * s) + unit / xi, xi * (6 - 4 * x2) * unit,
            xi * xi * xi * (-20 + x2 * (64 - 16 * x2)) * unit};
  };
  const auto there = derivatives(2 * a), here = derivatives(0);
  std::array<T, 3> D{};
  for (std::size_t i = 0; i < 3; ++i) D[i] = (there[i] - here[i]) / (2 * a * a);
  const T square = r * r, slope = D[0] / 3 + square * (D[1] / 30 + square * D[2] / 840); // F'/r
  const T second = D[0] / 3 + square * (D[1] / 10 + square * D[2] / 168);                // F''
  return {second + slope, 2 * slope};
}

} // namespace detail

/// What its near field is at r >= 0, the sphere's own at 0.
template <class T> SpherePair<T> near_spheres(T xi, T a, T r) {
  if (r < T(0.02) * std::min(a, 1 / xi)) {
    const SpherePair<T> all = spheres(a, r), far = detail::far_spheres_nearby(xi, a, r);
    return {all.across - far.across, all.along - far.along};
  }
  const auto behind = detail::screened_potential(xi, r + 2 * a), here = detail::screened_potential(xi, r);
  auto before = detail::screened_potential(xi, std::abs(r - 2 * a));
  if (r < 2 * a) { // P is odd, but for a constant, P' even
    before[0] = -1 / (8 * xi * xi * xi * xi) - before[0];
    before[2] = -before[2];
  }
  std::array<T, 3> D{};
  for (std::size_t i = 0; i < 3; ++i) D[i] = (behind[i] - 2 * here[i] + before[i]) / (4 * a * a);
  const T inverse = 1 / r, slope = (D[1] - D[0] * inverse) * inverse; // F'
  return {(D[2] - slope) * inverse, 2 * slope * inverse};
}

/// What a mode of wave number k is multiplied by: of one average.
template <class T> T sphere_mode(T ka) { return std::abs(ka) < T(1e-4) ? 1 - ka * ka / 6 : std::sin(ka) / ka; }

} // namespace corral::stokes
