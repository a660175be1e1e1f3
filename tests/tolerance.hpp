#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace corral::test {

/// Bound of the relative difference between two ways to compute one sum of `terms` terms, to be multiplied by the
/// sum of absolute terms: each addition errs by at most eps, in either way, and each term by a few eps.
template <class T = double> double round_off(std::int64_t terms) {
  return (static_cast<double>(terms) + 8.0) * 2.0 * std::numeric_limits<T>::epsilon();
}

/// The same terms added in another order: the terms themselves are equal, so only the additions differ.
template <class T = double> double same_in_any_order(std::int64_t terms) {
  return 2.0 * static_cast<double>(terms) * std::numeric_limits<T>::epsilon();
}

/// What a scheme of the given order may err at spacing h (h in units of the solution's length scale).
inline double truncation(int order, double h, double constant = 1.0) { return constant * std::pow(h, order); }

} // namespace corral::test
