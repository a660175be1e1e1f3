// Rows of a field, eight values at a time, of one instruction set.
#if defined(CORRAL_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_ROWS_INL
#undef CORRAL_ROWS_INL
#else
#define CORRAL_ROWS_INL
#endif

#include "fluid/spectral/lanes/complex_eight-inl.hpp"

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::HWY_NAMESPACE {

template <class T> HWY_INLINE T value_at(const double* from);
template <> HWY_INLINE double value_at<double>(const double* from) { return *from; }
template <> HWY_INLINE Eight value_at<Eight>(const double* from) { return Eight::load_anywhere(from); }

/// to[i] = f<T>(i, i - 1, i + 1) around the row: eight at a time between the ends, from multiples of eight where memory
/// is aligned. Near the ends eights overlap: each value is the same arithmetic whoever sets it.
template <class F> HWY_INLINE void each_of_row(std::int64_t n, double* HWY_RESTRICT to, const F& f) {
  const std::int64_t last_eight = n - 9, step = last_eight >= 1 ? n - 1 : 1; // of single values
  for (std::int64_t i = 1; i <= last_eight; i = i == last_eight ? n : std::min((i + 8) / 8 * 8, last_eight))
    f.template operator()<Eight>(i, i - 1, i + 1).store_anywhere(to + i);
  for (std::int64_t i = 0; i < n; i += step)
    to[i] = f.template operator()<double>(i, i > 0 ? i - 1 : n - 1, i + 1 < n ? i + 1 : 0);
}

} // namespace corral::fluid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
