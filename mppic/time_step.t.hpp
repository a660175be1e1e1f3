#pragma once

/// The loops of time_step.cpp, for either processor.

#include "mppic/time_step.hpp"

#include <corral/for_each.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace corral::mppic {

/// Bins of rates in powers of 2^(1/8), from 2^-32/s to 2^32/s; what lies beyond is in the first or the last.
struct RateBins {
  static constexpr int count = 512, per_octave = 8, lowest = -32;

  /// -1 for 0, which is in none.
  CORRAL_HOST_DEVICE static int of(double rate) {
    if (rate <= 0) return -1;
    const double bin = std::floor((std::log2(rate) - lowest) * per_octave);
    return static_cast<int>(std::clamp(bin, 0.0, count - 1.0));
  }
  static double upper_edge(int bin) { return std::exp2(static_cast<double>(bin + 1) / per_octave + lowest); }
};

/// How many of n parcels cross cells at the rates of each bin, along the axis on which they are fastest.
template <Execution E>
std::vector<std::int64_t> count_rates(E execution, std::int64_t n, std::array<double*, 3> velocity,
                                      std::array<double, 3> cells_per_length) {
  return histogram(execution, n, RateBins::count, [=] CORRAL_BODY(std::int64_t i) {
    double rate = 0;
    for (std::size_t d = 0; d < 3; ++d) rate = std::max(rate, std::abs(velocity[d][i]) * cells_per_length[d]);
    return RateBins::of(rate);
  });
}

/// 0 of none; NaN where one is.
template <Execution E> double largest_magnitude(E execution, std::int64_t n, const double* values) {
  return maximum(execution, n, 0, [=] CORRAL_BODY(std::int64_t i) { return std::abs(values[i]); });
}

/// Of the parcels [m2/s2].
template <Execution E>
double largest_speed_squared(E execution, std::int64_t n, std::array<double*, 3> velocity) {
  return maximum(execution, n, 0, [=] CORRAL_BODY(std::int64_t i) {
    double square = 0;
    for (const double* u : velocity) square += u[i] * u[i];
    return square;
  });
}

} // namespace corral::mppic
