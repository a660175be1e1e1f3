#pragma once

#include "fluid/spectral/real_transform.hpp"
#include "fluid/spectral/symbols.hpp"
#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include <corral/array.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace corral::test {

using fluid::spectral::RealTransform;
using fluid::spectral::SpectrumShape;

inline std::string said(const SpectrumShape& s) {
  return std::to_string(s.nx) + "x" + std::to_string(s.rows) + "x" + std::to_string(s.planes);
}
inline std::int64_t values_of(const SpectrumShape& s) { return s.nx * s.rows * s.planes; }

/// Between -1 and 1.
inline Array<double> random_values(std::int64_t n, unsigned seed) {
  std::mt19937_64 generator(seed);
  Array<double> values(n);
  for (double& v : values) v = static_cast<double>(generator() >> 11) * 0x1p-52 - 1;
  return values;
}

inline double norm(const Array<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum);
}

/// What a mode may err by: each of the log2 N levels rounds numbers of the size of the field's norm, in two ways to
/// compute it.
inline double mode_error(const SpectrumShape& s, double field_norm) {
  return round_off(static_cast<std::int64_t>(std::log2(static_cast<double>(values_of(s))) + 1)) * field_norm;
}

/// 1 to 36 and some more, as far as they are transformed.
inline std::vector<std::int64_t> lengths() {
  std::vector<std::int64_t> all;
  for (std::int64_t n = 1; n <= 36; ++n)
    if (fluid::spectral::is_transformed(n)) all.push_back(n);
  for (const std::int64_t n : {48, 49, 60, 63, 70, 96, 105, 128}) all.push_back(n);
  return all;
}

} // namespace corral::test
