#pragma once

#include <corral/kernels/arithmetic.hpp>
#include <corral/kernels/kernel.hpp>

#include <corral/host_device.hpp>

#include <cmath>

namespace corral::kernels {

/// The 4-point kernel of Peskin (2002), equation 6.27: even and odd points sum to 1/2 each, first moment 0, sum of
/// squares 3/8.
/// phi(r) = (3 - 2 |r| + sqrt(1 + 4 |r| - 4 r^2)) / 8       for |r| <= 1,
///          (5 - 2 |r| - sqrt(-7 + 12 |r| - 4 r^2)) / 8     for |r| <= 2.
struct Peskin4 {
  static constexpr int support = 4;
  static constexpr std::string_view name = "peskin4";

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    using std::sqrt;
    const T a = absolute(r);
    if (a <= T(1)) return (T(3) - T(2) * a + sqrt(T(1) + T(4) * a - T(4) * a * a)) / T(8);
    return a < T(2) ? (T(5) - T(2) * a - sqrt(T(-7) + T(12) * a - T(4) * a * a)) / T(8) : T(0);
  }
  /// One square root: all four weights are a line in r plus or minus the same root.
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    using std::sqrt;
    const T below = T(0.375) - T(0.25) * r, above = T(0.5) - below;
    const T root = T(0.125) * sqrt(T(1) + T(4) * r * (T(1) - r));
    w[0] = below - root;
    w[1] = below + root;
    w[2] = above + root;
    w[3] = above - root;
  }
  WeightFormula formula() const {
    WeightFormula f{.terms = 1, .of_root = {-0.125, 0.125}, .under_root = {2, -1}};
    for (int j = 0; j < 2; ++j) f.even[j][0] = 0.25, f.odd[j][0] = -0.125;
    return f;
  }
};
static_assert(Kernel<Peskin4>);

} // namespace corral::kernels
