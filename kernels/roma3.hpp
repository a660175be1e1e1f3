#pragma once

#include <corral/kernels/arithmetic.hpp>
#include <corral/kernels/kernel.hpp>

#include <corral/host_device.hpp>

#include <cmath>

namespace corral::kernels {

/// The 3-point kernel of Roma, Peskin and Berger (1999): first moment 0, sum of squares 1/2.
/// phi(r) = (1 + sqrt(1 - 3 r^2)) / 3                       for |r| <= 1/2,
///          (5 - 3 |r| - sqrt(1 - 3 (1 - |r|)^2)) / 6       for |r| <= 3/2.
struct Roma3 {
  static constexpr int support = 3;
  static constexpr std::string_view name = "roma3";

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    using std::sqrt;
    const T a = absolute(r), b = T(1) - a;
    if (a <= T(0.5)) return (T(1) + sqrt(T(1) - T(3) * a * a)) / T(3);
    return a < T(1.5) ? (T(5) - T(3) * a - sqrt(T(1) - T(3) * b * b)) / T(6) : T(0);
  }
  /// One square root: the sum and the first moment give the outer weights.
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    using std::sqrt;
    const T middle = T(1. / 3) * (T(1) + sqrt(T(1) - T(3) * r * r));
    const T outer = T(0.5) * (T(1) - middle), shift = T(0.5) * r;
    w[0] = outer - shift;
    w[1] = middle;
    w[2] = outer + shift;
  }
  WeightFormula formula() const {
    WeightFormula f{.terms = 1, .of_root = {-1. / 6, 1. / 3}, .under_root = {1, -0.75}};
    f.even[0][0] = f.even[1][0] = 1. / 3;
    f.odd[0][0] = -0.25;
    return f;
  }
};
static_assert(Kernel<Roma3>);

} // namespace corral::kernels
