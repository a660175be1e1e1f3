#pragma once

#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace corral::test {

/// The smallest r that `weights` of a kernel is called with; the largest is 1 more.
template <class K> constexpr double lowest_r = K::support % 2 == 0 ? 0.0 : -0.5;

/// Distance of a particle, r as kernels::Kernel defines it, to point j.
template <class K> double distance(double r, int j) { return r - (j - (K::support - 1) / 2); }

template <class T, class K> std::array<T, K::support> weights_at(const K& kernel, T r) {
  std::array<T, K::support> w;
  w.fill(std::numeric_limits<T>::quiet_NaN());
  kernel.weights(r, w.data());
  return w;
}

/// Calls f(r) for many r of the kernel's range: both ends and their neighbours, the middle, and 1000 in between, at
/// irregular places.
template <class T, class K, class F> void for_each_offset(F f) {
  const T low = T(lowest_r<K>), high = low + T(1);
  for (const T r : {low, std::nextafter(low, high), low + T(0.5), std::nextafter(high, low), high}) f(r);
  double place = 0.5;
  for (int i = 0; i < 1000; ++i) {
    place = std::fmod(place + 0.6180339887498949, 1.0);
    f(low + static_cast<T>(place));
  }
}

/// Of one kernel among many, each of which would take the compiler a second to expand Catch2's macro for.
inline void check_at_most(double value, double limit) { CHECK(value <= limit); }

/// Calls f(kernel) for the shipped kernels that serve every axis alike.
template <class F> void for_each_kernel(F f) {
  kernels::for_each_of(kernels::ShippedKernels{}, [&]<class K>(const K& kernel) {
    INFO(std::string(K::name));
    f(kernel);
  });
}

// What windows of P = 2 to 16 points err by in non-uniform FFTs with twofold oversampling, relative, in the mean over
// modes and particles: measured by tests/engine/maps/transforms.cpp, told by docs/kernels.md.

inline constexpr std::array kaiser_bessel_errors{3.8e-2,  3.7e-3,  4.1e-4,  4.6e-5,  5.1e-6,
                                                 5.8e-7,  5.8e-8,  5.7e-9,  5.8e-10, 6.0e-11,
                                                 6.3e-12, 6.7e-13, 7.7e-14, 1.1e-14, 1.0e-14};
inline constexpr std::array exponential_semicircle_errors{4.8e-2,  4.8e-3,  5.3e-4,  6.7e-5,  7.6e-6,
                                                          9.2e-7,  9.2e-8,  1.0e-8,  1.2e-9,  1.4e-10,
                                                          1.5e-11, 1.5e-12, 1.7e-13, 2.0e-14, 1.0e-14};

} // namespace corral::test
