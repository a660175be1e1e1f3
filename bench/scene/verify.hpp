#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace corral::bench {

/// How far numbers are from those that are expected.
class Comparison {
public:
  template <class T> void add(T value, T expected) {
    const double difference = std::abs(static_cast<double>(value) - static_cast<double>(expected));
    if (difference > difference_ || std::isnan(difference)) difference_ = difference; // a NaN counts, and stays
    largest_ = std::max(largest_, std::abs(static_cast<double>(expected)));
  }

  /// The largest difference, in units of the largest number expected; NaN where a number is.
  double relative() const { return difference_ == 0 ? 0 : difference_ / largest_; }

private:
  double difference_ = 0, largest_ = 0;
};

/// What round-off explains of `Comparison::relative` between two ways to map on a grid of at most `cells` cells along
/// an axis, where a result is the sum of at most `terms` numbers of one sign: a position in index space is known to
/// eps * cells, in either way; each addition errs by at most eps of the sum.
template <class T> double round_off(std::int64_t cells, std::int64_t terms) {
  constexpr double eps = std::numeric_limits<T>::epsilon();
  return 2 * eps * (8 + 4 * static_cast<double>(cells) + static_cast<double>(terms));
}

} // namespace corral::bench
