#pragma once

#include "stokes/sums/radial.hpp"

#include <corral/array.hpp>

namespace corral::stokes {

/// The regular parts of those radial functions that a sum needs, as polynomials of s = 2 (r/r_c)^2 - 1: a pair then takes
/// one root, one division and multiply-adds. All have one degree, the least that serves.
class RadialPolynomials {
public:
  /// `error` [1/m]: what a regular part times r^(n - 1) may err by for r <= `cut_off` [m], where its function is singular
  /// as 1/r^n; n is 3 for what is not singular. xi > 0 [1/m].
  RadialPolynomials(const RadialSet& needed, double xi, double cut_off, double error);

  int functions() const { return functions_; }
  int degree() const { return degree_; }
  double xi() const { return xi_; }
  double cut_off() const { return cut_off_; }
  /// [power][function], the highest power first; functions by Radial, of those needed.
  const double* coefficients() const { return coefficients_.data(); }

private:
  int functions_ = 0, degree_ = 0;
  double xi_, cut_off_;
  Array<double> coefficients_;
};

} // namespace corral::stokes
