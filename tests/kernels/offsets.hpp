#pragma once

#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include "kernels/shipped.hpp"

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

/// Calls f(kernel) for the shipped kernels that serve every axis alike.
template <class F> void for_each_kernel(F f) {
  kernels::for_each_of(kernels::ShippedKernels{}, [&]<class K>(const K& kernel) {
    INFO(std::string(K::name));
    f(kernel);
  });
}

} // namespace corral::test
