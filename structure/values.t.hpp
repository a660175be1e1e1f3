#pragma once

/// Loops over n values of one array or two, for either processor.

#include <corral/execution.hpp>
#include <corral/for_each.hpp>
#include <corral/host_device.hpp>
#include <corral/together.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace corral::structure::values {

template <Execution E> void copy(E execution, std::int64_t n, const double* from, double* to) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { to[i] = from[i]; });
}
template <Execution E> void fill(E execution, std::int64_t n, double* to, double value) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { to[i] = value; });
}
/// to += by
template <Execution E> void shift(E execution, std::int64_t n, double* to, double by) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { to[i] += by; });
}
/// to *= by
template <Execution E> void scale(E execution, std::int64_t n, double* to, double by) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { to[i] *= by; });
}
/// to = x + by v; `to` may be x.
template <Execution E>
void set_moved(E execution, std::int64_t n, const double* x, const double* v, double by, double* to) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { to[i] = x[i] + by * v[i]; });
}

template <Execution E> double total(E execution, std::int64_t n, const double* x) {
  return sum(execution, n, [=] CORRAL_BODY(std::int64_t i) { return x[i]; });
}
/// Of magnitudes, and of `floor`; NaN where one is.
template <Execution E> double largest(E execution, std::int64_t n, double floor, const double* x) {
  return maximum(execution, n, floor, [=] CORRAL_BODY(std::int64_t i) { return std::abs(x[i]); });
}
/// Of three components, which come to the host together.
template <Execution E>
std::array<double, 3> totals(E execution, std::int64_t n, const std::array<const double*, 3>& of) {
  Together<E> sums(execution);
  for (std::size_t d = 0; d < 3; ++d) {
    const double* const x = of[d];
    sums.sum(n, [=] CORRAL_BODY(std::int64_t i) { return x[i]; });
  }
  const auto& found = sums.values();
  return {found[0], found[1], found[2]};
}

} // namespace corral::structure::values
