#pragma once

#include <corral/kernels/kernel.hpp>

#include <corral/host_device.hpp>

namespace corral::kernels {

/// phi(r) = 1 - |r| for |r| <= 1 (trilinear in three dimensions, cloud in cell).
struct Linear {
  static constexpr int support = 2;
  static constexpr std::string_view name = "linear";

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    const T a = r < T(0) ? -r : r;
    return a < T(1) ? T(1) - a : T(0);
  }
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    w[0] = T(1) - r;
    w[1] = r;
  }
  WeightFormula formula() const {
    WeightFormula f{.terms = 1};
    f.even[0][0] = 0.5, f.odd[0][0] = -0.5;
    return f;
  }
};
static_assert(Kernel<Linear>);

} // namespace corral::kernels
