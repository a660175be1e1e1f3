#pragma once

#include <corral/array.hpp>

namespace corral::stokes {

/// erfc(x) exp(x^2) and 2^f as polynomials, of which near fields are made to a relative accuracy that is asked for:
///   erfc(x) exp(x^2) = p(y),  y = stretch - pull/(x + centre),  0 <= x <= most,  -1 <= y <= 1;    2^f = q(f),  |f| <=
///   1/2.
/// The map draws the long tail together: the polynomial in y needs half as many powers as one in x. Both have one
/// degree.
class Screening {
public:
  /// `most` > 0, and `error`, of the functions, relative to them.
  Screening(double most, double error);

  int degree() const { return degree_; }
  double centre() const { return centre_; }
  double stretch() const { return stretch_; }
  double pull() const { return pull_; }
  /// [power][p, q], the highest power first.
  const double* coefficients() const { return coefficients_.data(); }

private:
  int degree_ = 0;
  double centre_, stretch_, pull_;
  Array<double> coefficients_;
};

} // namespace corral::stokes
