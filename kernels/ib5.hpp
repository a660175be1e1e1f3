#pragma once

#include "kernels/arithmetic.hpp"
#include "kernels/kernel.hpp"

#include <corral/host_device.hpp>

#include <cmath>

namespace corral::kernels {

/// The 5-point kernel of Bao, Kaye and Peskin (2016), three times continuously differentiable: first and third moment
/// 0, second moment K = (38 - sqrt(69)) / 60, sum of squares 0.392548.
struct Ib5 {
  static constexpr int support = 5;
  static constexpr std::string_view name = "ib5";
  static constexpr double K = 0.49488960228469875;

  /// phi for |r| <= 1/2 from its root; further out from the moments, s being the distance to the nearest point.
  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    const T a = absolute(r), k = T(K);
    if (a <= T(0.5)) return middle(a);
    if (a < T(1.5)) {
      const T s = a - T(1);
      return (T(4) - T(4) * middle(s) - k - T(4) * s + T(3) * k * s - s * s + s * s * s) / T(6);
    }
    if (a >= T(2.5)) return T(0);
    const T s = a - T(2);
    return (T(-2) + T(2) * middle(s) + T(2) * k + s - T(3) * k * s + T(2) * s * s - s * s * s) / T(12);
  }
  /// One square root. Points at equal distance from the nearest one share an even and an odd part.
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    using std::sqrt;
    const T square = r * r;
    const T root = sqrt(polynomial(square, R * (3123 - 6840 * K + 3600 * K * K),
                                   R * (-12440 + 25680 * K - 12600 * K * K), R * (8080 - 8400 * K), R * -1400));
    const T phi = polynomial(square, (136 - 40 * K) / 280, -1. / 7) + root;
    const T near = polynomial(square, (4 - K) / 6, -1. / 6) - T(2. / 3) * phi;
    const T far = polynomial(square, (K - 1) / 6, 1. / 6) + T(1. / 6) * phi;
    const T near_odd = r * polynomial(square, (4 - 3 * K) / 6, -1. / 6);
    const T far_odd = r * polynomial(square, (1 - 3 * K) / 12, -1. / 12);
    w[0] = far + far_odd;
    w[1] = near - near_odd;
    w[2] = phi;
    w[3] = near + near_odd;
    w[4] = far - far_odd;
  }

private:
  static constexpr double R = 2. / (280 * 280); ///< sqrt(2) / 280, drawn into the root

  template <class T> CORRAL_HOST_DEVICE static T middle(T r) {
    using std::sqrt;
    const T k = T(K), s = r * r;
    const T root = T(3123) - T(6840) * k + T(3600) * k * k - T(12440) * s + T(25680) * k * s - T(12600) * k * k * s +
                   T(8080) * s * s - T(8400) * k * s * s - T(1400) * s * s * s;
    return (T(136) - T(40) * k - T(40) * s + sqrt(T(2)) * sqrt(root)) / T(280);
  }
};
static_assert(Kernel<Ib5>);

} // namespace corral::kernels
