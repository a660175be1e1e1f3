#pragma once

#include "kernels/arithmetic.hpp"
#include "kernels/kernel.hpp"

#include <corral/host_device.hpp>

#include <cmath>

namespace corral::kernels {

/// The 6-point kernel of Bao, Kaye and Peskin (2016), three times continuously differentiable: even and odd points sum
/// to 1/2 each, first and third moment 0, second moment K = 59/60 - sqrt(29)/20, sum of squares 0.325778.
struct Ib6 {
  static constexpr int support = 6;
  static constexpr std::string_view name = "ib6";
  static constexpr double K = 0.71407509297660813;

  /// phi(r), phi(r + 1) and phi(r + 2) for r in [0, 1], from m = phi(r - 3).
  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    const T a = absolute(r), k = T(K);
    if (a >= T(3)) return T(0);
    const T whole = a < T(1) ? T(0) : a < T(2) ? T(1) : T(2);
    const T s = a - whole, m = smallest(s);
    if (a < T(1)) return T(2) * m + T(0.625) - (k + s * s) / T(4);
    if (a < T(2)) return T(-3) * m + T(0.25) - (T(4) - T(3) * k) * s / T(6) + s * s * s / T(6);
    return m - T(0.0625) + (k + s * s) / T(8) - (T(3) * k - T(1)) * s / T(12) - s * s * s / T(12);
  }
  /// One square root; everything else is a polynomial in r.
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    using std::sqrt;
    const T square = r * r;
    const T b = polynomial(r, (2.25 - 1.5 * K) / 56, (22. / 3 - 7 * K) / 56, -1.5 / 56, -1. / 24);
    const T c =
        square * polynomial(square, (161. / 36 - 59 * K / 6 + 5 * K * K) / 224, (-109. / 24 + 5 * K) / 336, 5. / 2016);
    const T m = sqrt(b * b - c) - b;
    const T far = polynomial(square, (K - 0.5) / 8, 0.125), far_odd = r * polynomial(square, (3 * K - 1) / 12, 1. / 12);
    const T near_odd = r * polynomial(square, (4 - 3 * K) / 6, -1. / 6);
    const T two = T(2) * m, three = T(3) * m;
    w[0] = m + far - far_odd;
    w[1] = T(0.25) - near_odd - three;
    w[2] = T(0.5) - T(2) * far + two;
    w[3] = T(0.25) + near_odd + two;
    w[4] = far + far_odd - three;
    w[5] = m;
  }

private:
  /// The root of the quadratic equation that the sum of squares gives.
  template <class T> CORRAL_HOST_DEVICE static T smallest(T r) {
    using std::sqrt;
    const T k = T(K), s = r * r;
    const T beta = T(2.25) - T(1.5) * (k + s) + (T(22) / T(3) - T(7) * k) * r - T(7) * r * s / T(3);
    const T gamma = T(0.25) * (T(0.5) * (T(161) / T(36) - T(59) * k / T(6) + T(5) * k * k) * s +
                               (T(-109) / T(24) + T(5) * k) * s * s / T(3) + T(5) * s * s * s / T(18));
    return (sqrt(beta * beta - T(112) * gamma) - beta) / T(56);
  }
};
static_assert(Kernel<Ib6>);

} // namespace corral::kernels
