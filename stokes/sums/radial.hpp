#pragma once

#include "stokes/sums/kind.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

/// The functions of r = |target - source| that near fields are made of, with B = (2 xi/sqrt(pi)) exp(-(xi r)^2):
///   psi_0 = erfc(xi r)/r,  psi_1 = (psi_0 + B)/r^2,  psi_2 = (3 psi_1 + 2 xi^2 B)/r^2,  psi_3 = (5 psi_2 + 4 xi^4
///   B)/r^2.
/// Each is -1/r times the derivative of the last: they are what is left of 1/r and its derivatives.
namespace corral::stokes {

enum class Radial : std::uint8_t {
  hasimoto, ///< psi_0 - B: what a stokeslet's near field has along its force
  psi_0,
  psi_1,
  psi_2,
  psi_3,
  gauss ///< 2 xi^2 B
};
inline constexpr std::size_t radial_functions = 6;
using RadialSet = std::array<bool, radial_functions>;

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

/// At r >= 0. At 0 the singularity, 1/r and its derivatives, is left out: -(2 xi^2)^n (2 xi/sqrt(pi))/(2 n + 1) is
/// left.
template <class T> std::array<T, radial_functions> radial(T xi, T r) {
  const T square = 2 * xi * xi, unit = 2 * xi / std::sqrt(std::numbers::pi_v<T>), B = unit * std::exp(-xi * xi * r * r);
  if (!(r > 0))
    return {-2 * unit, -unit, -unit * square / 3, -unit * square * square / 5, -unit * square * square * square / 7,
            square * B};
  const T inverse = 1 / (r * r), psi_0 = std::erfc(xi * r) / r, psi_1 = (psi_0 + B) * inverse;
  const T psi_2 = (3 * psi_1 + square * B) * inverse, psi_3 = (5 * psi_2 + square * square * B) * inverse;
  return {psi_0 - B, psi_0, psi_1, psi_2, psi_3, square * B};
}

} // namespace corral::stokes
