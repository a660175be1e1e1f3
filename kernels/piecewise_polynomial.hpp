#pragma once

#include <corral/kernels/arithmetic.hpp>
#include <corral/kernels/kernel.hpp>

#include <corral/host_device.hpp>

#include <cmath>
#include <numbers>

namespace corral::kernels {

/// An even function phi(r) on [-P/2, P/2], as one polynomial for each of the P stretches of length 1 that the weights
/// of an axis come from. Kept as even and odd parts in z, the place within the stretch from -1 to 1: mirrored stretches
/// share them, so that P weights cost as many multiplications as P/2 polynomials.
template <int P, int Degree> class PiecewisePolynomial {
public:
  static_assert(P >= 2 && Degree >= 1);

  /// Interpolates phi (double to double) at the Degree + 1 Chebyshev points of each stretch.
  template <class F> explicit PiecewisePolynomial(F phi) {
    for (int j = 0; j < stretches; ++j) fit([&](double z) { return phi(distance(j, z)); }, even_[j], odd_[j]);
  }

  /// r as kernels::Kernel defines it.
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    const T z = P % 2 == 0 ? T(2) * r - T(1) : T(2) * r, square = z * z;
    for (int j = 0; j < P / 2; ++j) {
      const T even = horner<even_terms>(square, even_[j]), odd = z * horner<odd_terms>(square, odd_[j]);
      w[j] = even + odd;
      w[P - 1 - j] = even - odd;
    }
    if constexpr (P % 2 == 1) w[P / 2] = horner<even_terms>(square, even_[P / 2]); // an even function
  }

  /// phi(r), 0 beyond P/2. A stretch includes its lower end, as the cell does that r is measured in.
  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    if (absolute(r) > T(0.5 * P)) return T(0);
    int i = static_cast<int>(r + T(0.5 * P));
    if (i == P) --i;
    const T z = T(2) * (r - T(i - 0.5 * (P - 1))), square = z * z;
    if constexpr (P % 2 == 1)
      if (2 * i + 1 == P) return horner<even_terms>(square, even_[P / 2]);
    const int j = i < P / 2 ? i : P - 1 - i;
    const T even = horner<even_terms>(square, even_[j]), odd = z * horner<odd_terms>(square, odd_[j]);
    return i < P / 2 ? even - odd : even + odd;
  }

  WeightFormula formula() const
    requires(P <= 2 * WeightFormula::most_stretches && Degree < 2 * WeightFormula::most_terms)
  {
    WeightFormula f;
    f.terms = even_terms;
    for (int j = 0; j < stretches; ++j) {
      for (int k = 0; k < even_terms; ++k) f.even[j][k] = even_[j][k];
      for (int k = 0; k < odd_terms; ++k) f.odd[j][k] = 2 * j + 1 < P ? odd_[j][k] : 0; // in the middle they are round-off
    }
    return f;
  }

private:
  static constexpr int stretches = (P + 1) / 2; ///< mirror images left out
  static constexpr int even_terms = Degree / 2 + 1, odd_terms = (Degree + 1) / 2;

  static double distance(int j, double z) { return 0.5 * (P - 1 - 2 * j + z); }

  template <int terms, class T> CORRAL_HOST_DEVICE static T horner(T x, const double* coefficient) {
    T sum = T(coefficient[terms - 1]);
    for (int k = terms - 2; k >= 0; --k) sum = multiply_add(sum, x, T(coefficient[k]));
    return sum;
  }

  /// Chebyshev series of f on [-1, 1], its terms then written out in powers of z.
  template <class F> static void fit(F f, double (&even)[even_terms], double (&odd)[odd_terms]) {
    constexpr int n = Degree + 1;
    double value[n], power[n] = {}, before[n] = {}, chebyshev[n] = {1}; // T_{m-1} and T_m in powers of z
    const auto angle = [](int k) { return std::numbers::pi * (k + 0.5) / n; };
    for (int k = 0; k < n; ++k) value[k] = f(std::cos(angle(k)));
    for (int m = 0; m < n; ++m) {
      double c = 0;
      for (int k = 0; k < n; ++k) c += value[k] * std::cos(m * angle(k));
      for (int i = 0; i <= m; ++i) power[i] += (m == 0 ? 1.0 : 2.0) / n * c * chebyshev[i];
      for (int i = n - 1; i >= 0; --i) {
        const double next = (m == 0 ? 1 : 2) * (i > 0 ? chebyshev[i - 1] : 0.0) - before[i];
        before[i] = chebyshev[i];
        chebyshev[i] = next;
      }
    }
    for (int i = 0; i < n; ++i) (i % 2 == 0 ? even[i / 2] : odd[i / 2]) = power[i];
  }

  double even_[stretches][even_terms], odd_[stretches][odd_terms];
};

} // namespace corral::kernels
