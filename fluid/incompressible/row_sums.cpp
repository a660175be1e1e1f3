#include "fluid/incompressible/row_sums.hpp"

#include <array>
#include <cmath>
#include <cstddef>

// Compiled once per instruction set and chosen at run time. No multiply-add is fused: the same bits on all of them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/incompressible/row_sums.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::HWY_NAMESPACE {

constexpr std::int64_t lanes = 8;

/// Sum of f(i) over [0, n).
template <class F> HWY_INLINE double sum_along(std::int64_t n, F f) {
  double part[lanes] = {};
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::int64_t l = 0; l < lanes; ++l) part[l] += f(i + l);
  for (; i < n; ++i) part[0] += f(i);
  return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

inline double sum(std::int64_t n, const double* a) {
  return sum_along(n, [=](std::int64_t i) { return a[i]; });
}
inline double products(std::int64_t n, const double* a, const double* b) {
  return sum_along(n, [=](std::int64_t i) { return a[i] * b[i]; });
}
inline double squares(std::int64_t n, const double* a, const double* b) {
  return sum_along(n, [=](std::int64_t i) { return (a[i] - b[i]) * (a[i] - b[i]); });
}
inline double largest(std::int64_t n, const double* a) {
  double most[lanes] = {};
  std::int64_t i = 0;
  const auto look = [&](std::int64_t at, std::int64_t l) {
    const double x = std::abs(a[at]);
    most[l] = x > most[l] ? x : most[l];
  };
  for (; i + lanes <= n; i += lanes)
    for (std::int64_t l = 0; l < lanes; ++l) look(i + l, l);
  for (; i < n; ++i) look(i, 0);
  double all = most[0];
  for (const double x : most) all = x > all ? x : all;
  // A comparison passes over NaN; 0 times it is NaN.
  return all + sum_along(n, [=](std::int64_t k) { return 0 * a[k]; });
}

} // namespace corral::fluid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::fluid {

HWY_EXPORT(sum);
HWY_EXPORT(products);
HWY_EXPORT(squares);
HWY_EXPORT(largest);

double sum_of_row(std::int64_t n, const double* a) { return HWY_DYNAMIC_DISPATCH(sum)(n, a); }
double sum_of_products(std::int64_t n, const double* a, const double* b) { return HWY_DYNAMIC_DISPATCH(products)(n, a, b); }
double sum_of_squared_differences(std::int64_t n, const double* a, const double* b) {
  return HWY_DYNAMIC_DISPATCH(squares)(n, a, b);
}
double largest_of_row(std::int64_t n, const double* a) { return HWY_DYNAMIC_DISPATCH(largest)(n, a); }

} // namespace corral::fluid
#endif
