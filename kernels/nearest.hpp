#pragma once

#include <corral/kernels/kernel.hpp>

#include <corral/host_device.hpp>

namespace corral::kernels {

/// The one point of the support cell, with weight 1 (nearest grid point). Midway between two points it is the map's
/// choice which of them that is: the upper one, but on the last face of an axis the last cell.
struct Nearest {
  static constexpr int support = 1;
  static constexpr std::string_view name = "nearest";
  static constexpr bool first_moment_vanishes = false;

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const { return r >= T(-0.5) && r <= T(0.5) ? T(1) : T(0); }
  template <class T> CORRAL_HOST_DEVICE void weights(T, T* w) const { w[0] = T(1); }
  WeightFormula formula() const {
    WeightFormula f{.terms = 1};
    f.even[0][0] = 1;
    return f;
  }
};
static_assert(Kernel<Nearest>);

} // namespace corral::kernels
