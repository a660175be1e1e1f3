#pragma once

#include <corral/host_device.hpp>
#include <corral/kernels/kernel.hpp>

#include <string_view>

/// Kernels that a user might bring: the B-splines of order 2 and 3, of odd and even support, both smooth.
namespace corral::test {

struct Quadratic {
  static constexpr int support = 3;
  static constexpr std::string_view name = "quadratic";

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    const T a = r < T(0) ? -r : r;
    if (a < T(0.5)) return T(0.75) - a * a;
    return a < T(1.5) ? T(0.5) * (T(1.5) - a) * (T(1.5) - a) : T(0);
  }
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    for (int j = 0; j < support; ++j) w[j] = (*this)(r - static_cast<T>(j - 1));
  }
};
static_assert(kernels::Kernel<Quadratic>);

struct Cubic {
  static constexpr int support = 4;
  static constexpr std::string_view name = "cubic";

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    const T a = r < T(0) ? -r : r;
    if (a < T(1)) return T(2) / T(3) - a * a * (T(1) - a / T(2));
    return a < T(2) ? (T(2) - a) * (T(2) - a) * (T(2) - a) / T(6) : T(0);
  }
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    for (int j = 0; j < support; ++j) w[j] = (*this)(r - static_cast<T>(j - 1));
  }
};
static_assert(kernels::Kernel<Cubic>);

/// More points than some methods serve.
struct EighteenPoints {
  static constexpr int support = 18;
  static constexpr std::string_view name = "eighteen_points";

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const { return r > T(-9) && r <= T(9) ? T(1) / 18 : T(0); }
  template <class T> CORRAL_HOST_DEVICE void weights(T, T* w) const {
    for (int j = 0; j < support; ++j) w[j] = T(1) / 18;
  }
};
static_assert(kernels::Kernel<EighteenPoints>);

} // namespace corral::test
