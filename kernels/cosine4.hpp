#pragma once

#include <corral/kernels/arithmetic.hpp>
#include <corral/kernels/kernel.hpp>

#include <corral/host_device.hpp>

#include <cmath>
#include <numbers>

namespace corral::kernels {

/// phi(r) = (1 + cos(pi r / 2)) / 4 for |r| <= 2 (Peskin 2002, equation 6.28): even and odd points sum to 1/2 each, sum
/// of squares 3/8; the first moment is not 0 but up to 0.0213, so that linear fields are not read exactly.
struct Cosine4 {
  static constexpr int support = 4;
  static constexpr std::string_view name = "cosine4";
  static constexpr bool first_moment_vanishes = false;

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    using std::cos;
    return absolute(r) < T(2) ? T(0.25) * (T(1) + cos(T(std::numbers::pi / 2) * r)) : T(0);
  }
  /// One cosine and one square root: points two apart see angles half a turn apart, points one apart a quarter.
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    const QuarterTurn<T> middle(r - T(0.5)); // an eighth of a turn below r, so that the square root is harmless
    const T scale = T(std::numbers::sqrt2 / 8);
    const T cosine = scale * (middle.cosine - middle.sine), sine = scale * (middle.cosine + middle.sine);
    w[0] = T(0.25) - sine;
    w[1] = T(0.25) + cosine;
    w[2] = T(0.25) + sine;
    w[3] = T(0.25) - cosine;
  }
};
static_assert(Kernel<Cosine4>);

} // namespace corral::kernels
