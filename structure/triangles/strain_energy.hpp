#pragma once

#include "structure/setup/material.hpp"

#include <corral/host_device.hpp>

namespace corral::structure {

/// Energy per area of the reference shape as a function of I1 and of the squared area ratio J^2 = I2 + 1.
struct StrainEnergy {
  ElasticLaw law = ElasticLaw::none;
  double shear_modulus = 0; ///< [N/m]
  double area_ratio = 0;    ///< C of Skalak's law [-]

  /// J^2 below which the neo-Hookean 1/J^2 goes on as its tangent, so that a triangle without area has a finite force.
  static constexpr double least_square = 1e-4;

  /// dW/dI1 and dW/dI2 [N/m].
  struct Derivatives {
    double by_I1, by_I2;
  };
  CORRAL_HOST_DEVICE Derivatives derivatives(double I1, double square) const {
    const double half = 0.5 * shear_modulus;
    if (law == ElasticLaw::skalak) return {half * (I1 + 1), half * (area_ratio * (square - 1) - 1)};
    if (law == ElasticLaw::none) return {0, 0};
    const double inverse = 1 / (square < least_square ? least_square : square);
    return {half, -half * inverse * inverse};
  }

  /// W [N/m].
  CORRAL_HOST_DEVICE double energy(double I1, double square) const {
    const double I2 = square - 1;
    if (law == ElasticLaw::skalak) return 0.25 * shear_modulus * (I1 * I1 + 2 * I1 - 2 * I2 + area_ratio * I2 * I2);
    if (law == ElasticLaw::none) return 0;
    const double inverse = square < least_square ? (2 - square / least_square) / least_square : 1 / square;
    return 0.5 * shear_modulus * (I1 - 1 + inverse);
  }

};

} // namespace corral::structure
