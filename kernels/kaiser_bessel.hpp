#pragma once

#include <corral/kernels/kernel.hpp>
#include <corral/kernels/piecewise_polynomial.hpp>

#include <corral/host_device.hpp>

#include <cmath>

namespace corral::kernels {

/// Degree of the polynomials whose error is below .3 times the window's own in a twofold oversampled transform
/// (docs/kernels.md), or, where that is smaller, below 1e-14. For the default beta and P = 2 to 16.
constexpr int kaiser_bessel_degree(int P) {
  constexpr int degree[] = {3, 4, 5, 6, 7, 7, 8, 9, 9, 10, 11, 11, 12, 12, 12};
  return degree[P - 2];
}

/// The degree that papers on spectral Ewald summation use: P/2 + 1 to P = 10, min(P/2 + 2, 9) above, P/2 rounded up.
/// Less accurate than the kernel itself; for comparison with their tables.
constexpr int papers_degree(int P) {
  const int half = (P + 1) / 2;
  return P <= 10 ? half + 1 : half + 2 < 9 ? half + 2 : 9;
}

/// The Kaiser-Bessel window of P points (spectral Ewald summation, non-uniform FFT):
/// phi(r) = I0(beta sqrt(1 - (2 r / P)^2)) / I0(beta) for |r| <= P/2, evaluated by polynomials of the given degree.
/// The weights don't sum to 1: fields need deconvolution, that is, division by `transform` in Fourier space.
template <int P, int Degree = kaiser_bessel_degree(P)> class KaiserBessel {
public:
  static_assert(P >= 2 && P <= 16, "Kaiser-Bessel windows of 2 to 16 points");
  static constexpr int support = P;
  static constexpr auto label = numbered("kaiser_bessel", P);
  static constexpr std::string_view name{label.data()};
  static constexpr bool sums_to_one = false, first_moment_vanishes = false;

  /// beta / P that errs least in a non-uniform FFT with twofold oversampling, by trial (docs/kernels.md).
  static constexpr double default_beta = P * (P == 2 ? 2.11 : P == 3 ? 2.24 : P == 4 ? 2.29 : 2.34);

  /// beta > 0: the larger, the smoother the ends and the wider the transform. With another one than the default the
  /// error of the polynomials is another; `exact` tells.
  explicit KaiserBessel(double beta = default_beta) : beta_(beta), table_([beta](double r) { return window(beta, r); }) {}

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
  /// The Fourier transform of `exact`, integral of phi(r) cos(k r) over r, k in radians per grid spacing.
  double transform(double k) const {
    const double square = beta_ * beta_ - 0.25 * P * P * k * k, root = std::sqrt(std::abs(square));
    const double ratio = root == 0 ? 1 : square > 0 ? std::sinh(root) / root : std::sin(root) / root;
    return P * ratio / bessel_i0(0.25 * beta_ * beta_);
  }

private:
  /// I0(2 sqrt(q)), the sum of (q^n / n!^2): all terms are positive.
  static double bessel_i0(double q) {
    double term = 1, sum = 1;
    for (int n = 1; term > 1e-18 * sum; ++n) {
      term *= q / (double(n) * n);
      sum += term;
    }
    return sum;
  }
  static double window(double beta, double r) {
    const double x = 2 * r / P, inside = 1 - x * x;
    return inside < 0 ? 0 : bessel_i0(0.25 * beta * beta * inside) / bessel_i0(0.25 * beta * beta);
  }

  double beta_;
  PiecewisePolynomial<P, Degree> table_;
};
static_assert(Kernel<KaiserBessel<8>>);

} // namespace corral::kernels
