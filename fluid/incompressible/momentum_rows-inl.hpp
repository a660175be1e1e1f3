// momentum_row of one instruction set.
#if defined(CORRAL_MOMENTUM_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_MOMENTUM_ROWS_INL
#undef CORRAL_MOMENTUM_ROWS_INL
#else
#define CORRAL_MOMENTUM_ROWS_INL
#endif

#include "fluid/incompressible/momentum_rows.hpp"

#include "fluid/spectral/lanes/complex_eight-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::HWY_NAMESPACE {

template <class T> HWY_INLINE T value_at(const double* from);
template <> HWY_INLINE double value_at<double>(const double* from) { return *from; }
template <> HWY_INLINE Eight value_at<Eight>(const double* from) { return Eight::load_anywhere(from); }

/// to[i] = f<T>(i, i - 1, i + 1) around the row: eight at a time between the ends, where the last eight may overlap with
/// those before. Each value is the same arithmetic in either way.
template <class F> HWY_INLINE void each_of_row(std::int64_t n, double* HWY_RESTRICT to, const F& f) {
  to[0] = f.template operator()<double>(0, n - 1, n > 1 ? 1 : 0);
  std::int64_t i = 1;
  for (; i + 8 < n; i += 8) f.template operator()<Eight>(i, i - 1, i + 1).store_anywhere(to + i);
  if (i < n - 1 && n >= 10) {
    i = n - 9;
    f.template operator()<Eight>(i, i - 1, i + 1).store_anywhere(to + i);
    i = n - 1;
  }
  for (; i < n; ++i) to[i] = f.template operator()<double>(i, i - 1, i + 1 < n ? i + 1 : 0);
}

struct ViscousRow {
  const double *u, *y_low, *y_high, *z_low, *z_high;
  double x, y, z;

  explicit ViscousRow(const MomentumRow& r)
      : u(r.start.centre), y_low(r.start.low[0]), y_high(r.start.high[0]), z_low(r.start.low[1]),
        z_high(r.start.high[1]), x(r.factors.viscosity[0]), y(r.factors.viscosity[1]), z(r.factors.viscosity[2]) {}

  /// Differences of differences: between neighbours they cancel to the bit.
  template <class T> HWY_INLINE T at(std::int64_t i, std::int64_t low, std::int64_t high) const {
    const T c = value_at<T>(u + i);
    return T(x) * ((value_at<T>(u + high) - c) - (c - value_at<T>(u + low))) +
           T(y) * ((value_at<T>(y_high + i) - c) - (c - value_at<T>(y_low + i))) +
           T(z) * ((value_at<T>(z_high + i) - c) - (c - value_at<T>(z_low + i)));
  }
};

template <bool pressed> struct RowOfX {
  ViscousRow viscous;
  RowsAround u;
  CarriersOfX c;
  const double *force, *q;
  MomentumFactors f;

  template <class T> HWY_INLINE T operator()(std::int64_t i, std::int64_t low, std::int64_t high) const {
    const T here = value_at<T>(u.centre + i);
    const T right = here + value_at<T>(u.centre + high), left = value_at<T>(u.centre + low) + here;
    const auto along = [&](std::size_t axis) HWY_ATTR {
      return (here + value_at<T>(u.high[axis] + i)) * (value_at<T>(c.high[axis] + low) + value_at<T>(c.high[axis] + i)) -
             (value_at<T>(u.low[axis] + i) + here) * (value_at<T>(c.low[axis] + low) + value_at<T>(c.low[axis] + i));
    };
    const T advection =
        T(f.advection[0]) * (right * right - left * left) + T(f.advection[1]) * along(0) + T(f.advection[2]) * along(1);
    const T sum = viscous.at<T>(i, low, high) - advection + (T(f.force) * value_at<T>(force + i) + T(f.body));
    if constexpr (pressed) return sum - T(f.pressure) * (value_at<T>(q + i) - value_at<T>(q + low));
    return sum;
  }
};

template <bool pressed> struct RowOfOther {
  ViscousRow viscous;
  RowsAround u;
  CarriersOfOther c;
  const double *force, *q, *q_back;
  MomentumFactors f;

  template <class T> HWY_INLINE T operator()(std::int64_t i, std::int64_t low, std::int64_t high) const {
    const auto n = static_cast<std::size_t>(c.normal), s = 1 - n;
    const T here = value_at<T>(u.centre + i);
    const T up = here + value_at<T>(u.high[n] + i), down = value_at<T>(u.low[n] + i) + here;
    const T x = (here + value_at<T>(u.centre + high)) * (value_at<T>(c.x_back + high) + value_at<T>(c.x + high)) -
                (value_at<T>(u.centre + low) + here) * (value_at<T>(c.x_back + i) + value_at<T>(c.x + i));
    const T side = (here + value_at<T>(u.high[s] + i)) * (value_at<T>(c.beside_high_back + i) + value_at<T>(c.beside_high + i)) -
                   (value_at<T>(u.low[s] + i) + here) * (value_at<T>(c.beside_low_back + i) + value_at<T>(c.beside_low + i));
    const T advection =
        T(f.advection[0]) * x + T(f.advection[1 + n]) * (up * up - down * down) + T(f.advection[1 + s]) * side;
    const T sum = viscous.at<T>(i, low, high) - advection + (T(f.force) * value_at<T>(force + i) + T(f.body));
    if constexpr (pressed) return sum - T(f.pressure) * (value_at<T>(q + i) - value_at<T>(q_back + i));
    return sum;
  }
};

inline void rows_of_x(const MomentumRow& r, const CarriersOfX& c, double* to) {
  r.q != nullptr ? each_of_row(r.n, to, RowOfX<true>{ViscousRow(r), r.carried, c, r.force, r.q, r.factors})
                 : each_of_row(r.n, to, RowOfX<false>{ViscousRow(r), r.carried, c, r.force, r.q, r.factors});
}
inline void rows_of_other(const MomentumRow& r, const CarriersOfOther& c, double* to) {
  r.q != nullptr ? each_of_row(r.n, to, RowOfOther<true>{ViscousRow(r), r.carried, c, r.force, r.q, r.q_back, r.factors})
                 : each_of_row(r.n, to, RowOfOther<false>{ViscousRow(r), r.carried, c, r.force, r.q, r.q_back, r.factors});
}

} // namespace corral::fluid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
