#pragma once

#include <corral/kernels/arithmetic.hpp>
#include <corral/kernels/kernel.hpp>
#include <corral/kernels/linear.hpp>

#include <corral/host_device.hpp>

namespace corral::kernels {

/// The centred B-spline of N points (degree N - 1): N - 2 times continuously differentiable, positive, first moment 0,
/// second moment N/12. BSpline<2> would be Linear; BSpline<3> is Linear smoothed as in Yang et al. (2009).
template <int N> struct BSpline {
  static_assert(N >= 3 && N <= 6, "B-splines of 3 to 6 points (two points: Linear)");
  static constexpr int support = N;
  static constexpr auto label = numbered("bspline", N);
  static constexpr std::string_view name{label.data()};

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const { return value<N - 1>(r); }

  /// De Boor's triangle, N (N - 1) products: from degree d - 1 to d each weight is handed on to two points, in parts
  /// that sum to d times it; all divisions are in the first weights. Nothing is subtracted: small weights keep their
  /// digits.
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    const T u = N % 2 == 0 ? r : r + T(0.5); // place within the cell of the spline's knots
    const T v = T(1) - u;
    T b[N];
    b[0] = T(1. / factorial) * v;
    b[1] = T(1. / factorial) * u;
    for (int d = 2; d < N; ++d) {
      b[d] = u * b[d - 1];
      for (int j = d - 1; j > 0; --j) b[j] = multiply_add(u + T(d - j), b[j - 1], (v + T(j)) * b[j]);
      b[0] = v * b[0];
    }
    for (int j = 0; j < N; ++j) w[j] = b[j];
  }

private:
  static constexpr int factorial = N == 3 ? 2 : N == 4 ? 6 : N == 5 ? 24 : 120; ///< (N - 1)!

  /// B_n(r) = (b + a) B_{n-1}(r + 1/2) + (b - a) B_{n-1}(r - 1/2), a = r/n, b = (n + 1) / (2 n), degree n. It starts
  /// from degree 1 because rounding r -+ 1/2 across a jump would do harm.
  template <int n, class T> CORRAL_HOST_DEVICE static T value(T r) {
    if constexpr (n == 1) {
      return Linear{}(r);
    } else {
      const T a = r / T(n), b = T(n + 1) / T(2 * n);
      return (b + a) * value<n - 1>(r + T(0.5)) + (b - a) * value<n - 1>(r - T(0.5));
    }
  }
};

} // namespace corral::kernels
