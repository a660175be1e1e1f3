#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace corral::stokes {

/// Coefficients of Chebyshev polynomials T_n(s), s in [-1, 1], or of powers.
using Series = std::vector<long double>;

/// Chebyshev coefficients of f(s) from its values at the zeros of the polynomial after the last of so many terms.
template <class F> Series chebyshev(std::size_t terms, const F& f) {
  const auto angle = [terms](std::size_t i) {
    return std::numbers::pi_v<long double> * (static_cast<long double>(i) + 0.5L) / static_cast<long double>(terms);
  };
  Series values, series;
  for (std::size_t i = 0; i < terms; ++i) values.push_back(f(std::cos(angle(i))));
  for (std::size_t n = 0; n < terms; ++n) {
    long double sum = 0;
    for (std::size_t i = 0; i < terms; ++i) sum += values[i] * std::cos(static_cast<long double>(n) * angle(i));
    series.push_back(sum * (n == 0 ? 1 : 2) / static_cast<long double>(terms));
  }
  return series;
}

/// In powers of s/scale, from the lowest up.
Series powers(const Series& chebyshev, long double scale);

} // namespace corral::stokes
