#pragma once

#include "stokes/sums/kind.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

/// The functions of r = |target - source| that near fields are made of. With psi_0 = erfc(xi r)/r and
/// psi_(n+1) = -psi_n'/r they are what is left of 1/r and its derivatives. Each is a power of 1/r less a function without
/// a singularity, which Boys' functions F_n(t) = integral over [0, 1] of y^(2n) exp(-t y^2), t = (xi r)^2, give:
///   psi_n = (2n-1)!!/r^(2n+1) - (2 xi^2)^n (2 xi/sqrt(pi)) F_n(t),    B = (2 xi/sqrt(pi)) exp(-t).
namespace corral::stokes {

enum class Radial : std::uint8_t {
  hasimoto, ///< psi_0 - B: what a stokeslet's near field has along its force
  psi_0, psi_1, psi_2, psi_3,
  gauss ///< 2 xi^2 B
};
inline constexpr std::size_t radial_functions = 6;
using RadialSet = std::array<bool, radial_functions>;

/// The power n of the singularity c/r^n; 0 where there is none.
constexpr int singular_power(Radial f) {
  constexpr std::array<int, radial_functions> powers{1, 1, 3, 5, 7, 0};
  return powers[static_cast<std::size_t>(f)];
}
constexpr double singular_factor(Radial f) {
  constexpr std::array<double, radial_functions> factors{1, 1, 1, 3, 15, 0};
  return factors[static_cast<std::size_t>(f)];
}

/// Which of them the near field of a sum is made of: of its velocity alone, or of all its results.
constexpr RadialSet radial_set(Sum sum, bool all) {
  switch (sum) {
    case Sum::stokeslet: return {true, false, true, all, false, all};
    case Sum::stresslet: return {false, false, all, true, all, true};
    case Sum::rotlet: return {false, false, true, all, false, false};
    case Sum::laplace: return {false, true, all, false, false, false};
  }
  return {};
}

/// Sets F[n] = F_n(t), t in [0, 600], to round-off: the last by a series of positive terms, the others downwards.
template <class T> void boys(T t, std::span<T> F) {
  const T e = std::exp(-t);
  const std::size_t last = F.size() - 1;
  T term = 1 / static_cast<T>(2 * last + 1), sum = term;
  for (std::size_t i = 1; term > T(1e-21) * sum; ++i) sum += term *= 2 * t / static_cast<T>(2 * (last + i) + 1);
  F[last] = e * sum;
  for (std::size_t n = last; n-- > 0;) F[n] = (2 * t * F[n + 1] + e) / static_cast<T>(2 * n + 1);
}

/// A regular part is unit (boys F_order(t) + gauss exp(-t)).
template <class T> struct RegularPart {
  T unit, boys, gauss;
  std::size_t order;
};
template <class T> RegularPart<T> regular_part(Radial f, T xi) {
  const T unit = 2 * xi / std::sqrt(std::numbers::pi_v<T>), square = 2 * xi * xi;
  switch (f) {
    case Radial::hasimoto: return {unit, 1, 1, 0};
    case Radial::psi_0: return {unit, 1, 0, 0};
    case Radial::psi_1: return {unit * square, 1, 0, 1};
    case Radial::psi_2: return {unit * square * square, 1, 0, 2};
    case Radial::psi_3: return {unit * square * square * square, 1, 0, 3};
    case Radial::gauss: return {unit * square, 0, -1, 0};
  }
  return {};
}

/// The functions themselves, accurate also where they are small; at r = 0 without their singularities.
template <class T> std::array<T, radial_functions> radial(T xi, T r) {
  std::array<T, radial_functions> f{};
  if (!(r > 0)) {
    for (std::size_t i = 0; i < radial_functions; ++i) {
      const RegularPart<T> part = regular_part(static_cast<Radial>(i), xi);
      f[i] = -part.unit * (part.boys / static_cast<T>(2 * part.order + 1) + part.gauss);
    }
    return f;
  }
  const T x = xi * r, square = 2 * xi * xi, B = 2 * xi / std::sqrt(std::numbers::pi_v<T>) * std::exp(-x * x);
  const T inverse = 1 / (r * r);
  f[1] = std::erfc(x) / r;
  f[0] = f[1] - B;
  f[2] = (f[1] + B) * inverse;
  f[3] = (3 * f[2] + square * B) * inverse;
  f[4] = (5 * f[3] + square * square * B) * inverse;
  f[5] = square * B;
  return f;
}

} // namespace corral::stokes
