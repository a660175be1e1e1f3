#include "fluid/incompressible/row_sums.hpp"

#include <algorithm>
#include <cmath>

// Compiled once per instruction set and chosen at run time. No multiply-add is fused: the same bits on all of them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/incompressible/row_sums.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "fluid/incompressible/rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct Values {
  const double* a;
  template <class T> HWY_INLINE T at(std::int64_t i) const { return value_at<T>(a + i); }
};
struct Products {
  const double *a, *b;
  template <class T> HWY_INLINE T at(std::int64_t i) const { return value_at<T>(a + i) * value_at<T>(b + i); }
};
struct SquaredDifferences {
  const double *a, *b;
  template <class T> HWY_INLINE T at(std::int64_t i) const {
    const T difference = value_at<T>(a + i) - value_at<T>(b + i);
    return difference * difference;
  }
};

/// Sum of f.at(i) over [0, n).
template <class F> HWY_INLINE double sum_along(std::int64_t n, const F& f) {
  Eight all(0);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) all = all + f.template at<Eight>(i);
  double part[8];
  all.store_anywhere(part);
  for (; i < n; ++i) part[0] += f.template at<double>(i);
  return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

inline double sum(std::int64_t n, const double* a) { return sum_along(n, Values{a}); }
inline double products(std::int64_t n, const double* a, const double* b) { return sum_along(n, Products{a, b}); }
inline double squares(std::int64_t n, const double* a, const double* b) { return sum_along(n, SquaredDifferences{a, b}); }

/// Neither what is largest nor whether a sum of nothing is a number depends on the order.
inline double largest(std::int64_t n, const double* a) {
  const hn::ScalableTag<double> tag;
  const auto width = static_cast<std::int64_t>(hn::Lanes(tag));
  const auto zero = hn::Zero(tag);
  auto most = zero, more = zero, nothing = zero;
  std::int64_t i = 0;
  for (; i + 2 * width <= n; i += 2 * width) {
    const auto x = hn::LoadU(tag, a + i), y = hn::LoadU(tag, a + i + width);
    most = hn::Max(most, hn::Abs(x)), more = hn::Max(more, hn::Abs(y));
    nothing = hn::Add(nothing, hn::Add(hn::Mul(zero, x), hn::Mul(zero, y))); // NaN of NaN, which comparisons pass over, and of infinity
  }
  double each[HWY_MAX_BYTES / sizeof(double)], none[HWY_MAX_BYTES / sizeof(double)];
  hn::StoreU(hn::Max(most, more), tag, each);
  hn::StoreU(nothing, tag, none);
  double all = 0, rest = 0;
  for (std::int64_t l = 0; l < width; ++l) all = std::max(all, each[l]), rest += none[l];
  for (; i < n; ++i) all = std::max(all, std::abs(a[i])), rest += 0 * a[i];
  return all + rest;
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
