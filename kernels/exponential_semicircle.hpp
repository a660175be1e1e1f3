#pragma once

#include <corral/kernels/kernel.hpp>
#include <corral/kernels/piecewise_polynomial.hpp>

#include <corral/host_device.hpp>

#include <cmath>

namespace corral::kernels {

/// As kaiser_bessel_degree.
constexpr int exponential_semicircle_degree(int P) {
  constexpr int degree[] = {4, 4, 5, 6, 7, 7, 8, 8, 9, 10, 11, 11, 12, 12, 12};
  return degree[P - 2];
}

/// The exponential of semicircle of P points (Barnett, Magland and af Klinteberg 2019):
/// phi(r) = exp(beta (sqrt(1 - (2 r / P)^2) - 1)) for |r| <= P/2, evaluated by polynomials of the given degree; for an
/// accuracy eps choose P = ceil(log10(10 / eps)). The weights don't sum to 1: fields need deconvolution.
template <int P, int Degree = exponential_semicircle_degree(P)> class ExponentialSemicircle {
public:
  static_assert(P >= 2 && P <= 16, "exponentials of semicircle of 2 to 16 points");
  static constexpr int support = P;
  static constexpr auto label = numbered("exponential_semicircle", P);
  static constexpr std::string_view name{label.data()};
  static constexpr bool sums_to_one = false, first_moment_vanishes = false;

  /// beta / P for twofold oversampling: from P = 5 on as cuFINUFFT (Shih et al. 2021) has it; below, where its 2.20,
  /// 2.26 and 2.38 err up to twice as much, by trial (docs/kernels.md).
  static constexpr double default_beta = P * (P == 2 ? 2.00 : P == 3 ? 2.10 : P == 4 ? 2.23 : 2.30);

  /// beta > 0. With another one than the default the error of the polynomials is another; `exact` tells.
  explicit ExponentialSemicircle(double beta = default_beta)
      : beta_(beta), table_([beta](double r) { return window(beta, r); }) {}

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const { return table_(r); }
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const { table_.weights(r, w); }

  WeightFormula formula() const
    requires requires(const PiecewisePolynomial<P, Degree>& table) { table.formula(); }
  {
    return table_.formula();
  }
  double beta() const { return beta_; }
  /// phi(r) without polynomials.
  double exact(double r) const { return window(beta_, r); }

private:
  static double window(double beta, double r) {
    const double x = 2 * r / P, inside = 1 - x * x;
    return inside < 0 ? 0 : std::exp(beta * (std::sqrt(inside) - 1));
  }

  double beta_;
  PiecewisePolynomial<P, Degree> table_;
};
static_assert(Kernel<ExponentialSemicircle<8>>);

} // namespace corral::kernels
