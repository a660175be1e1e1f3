#pragma once

#include <corral/array.hpp>

#include <cstdint>

namespace corral::stokes {

/// The near field of two spheres of one radius (sums/spheres.hpp) as polynomials of u = (r/(2 a))^2: bins are
/// sixteenths of doublings of u, so that a number's leading bits tell its bin, the rest where it lies in it, and
/// spheres that touch lie between two of them, where the functions bend.
class SphereTable {
public:
  static constexpr int shift = 48;         ///< bits below those of a bin's number
  static constexpr double least = 0x1p-60; ///< u of spheres that count as being in one place
  /// Of polynomials: eight or sixteen numbers a bin, to 1e-7 and to 1e-13 of the functions.
  enum class Degree : std::uint8_t { three = 3, seven = 7 };

  /// Up to that cut-off, of at most 1,000 radii: beyond that, digits are lost. `error`: of the functions.
  SphereTable(double xi, double radius, double cut_off, double error);

  Degree degree() const { return degree_; }
  /// [bin][across 1/m, (along - across)/r^2 1/m3][power, the highest first], of y, -1 <= y < 1 across the bin.
  const double* coefficients() const { return coefficients_.data(); }
  std::int64_t first_bin() const { return first_bin_; } ///< its leading bits
  std::int64_t bytes() const { return coefficients_.bytes(); }

private:
  Degree degree_;
  std::int64_t first_bin_;
  Array<double> coefficients_;
};

} // namespace corral::stokes
