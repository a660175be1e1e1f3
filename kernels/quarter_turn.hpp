#pragma once

#include <corral/host_device.hpp>

#include <cmath>
#include <numbers>

namespace corral::kernels {

/// sin(pi x / 2) and cos(pi x / 2) for x in [-1/2, 1/2], where one follows from the other without cancellation: the
/// cosine is at least 0.7.
template <class T> struct QuarterTurn {
  CORRAL_HOST_DEVICE explicit QuarterTurn(T x) {
    using std::cos, std::sqrt;
    sine = cos(T(std::numbers::pi / 2) * (x - T(1)));
    cosine = sqrt(T(1) - sine * sine);
  }
  T sine, cosine;
};

} // namespace corral::kernels
