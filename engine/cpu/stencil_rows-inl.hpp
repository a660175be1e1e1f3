// Stencils of wide kernels, row by row of points along x. Included once per instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_STENCIL_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_STENCIL_ROWS_INL
#undef CORRAL_CPU_STENCIL_ROWS_INL
#else
#define CORRAL_CPU_STENCIL_ROWS_INL
#endif

#include "engine/cpu/pack-inl.hpp"

#include <hwy/cache_control.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// N values in registers: packs of eight, then of four, two and one. No value beyond the N is read or written.
template <class T, int N> struct Row {
  static constexpr int head = N >= 8 ? 8 : N >= 4 ? 4 : N >= 2 ? 2 : 1;
  Pack<T, head> first;
  Row<T, N - head> rest;

  static HWY_INLINE Row zero() {
    Row r;
    r.first = Pack<T, head>::zero();
    r.rest = Row<T, N - head>::zero();
    return r;
  }
  static HWY_INLINE Row load(const T* from) {
    Row r;
    r.first = Pack<T, head>::load(from);
    r.rest = Row<T, N - head>::load(from + head);
    return r;
  }
  HWY_INLINE void store(T* to) const {
    first.store(to);
    rest.store(to + head);
  }
  HWY_INLINE Row times(T factor) const {
    Row r;
    r.first = first * Pack<T, head>::all(factor);
    r.rest = rest.times(factor);
    return r;
  }
  /// this + factor * other
  HWY_INLINE Row plus(T factor, const Row& other) const {
    Row r;
    r.first = fma(other.first, Pack<T, head>::all(factor), first);
    r.rest = rest.plus(factor, other.rest);
    return r;
  }
  HWY_INLINE Row plus(const Row& other) const {
    Row r;
    r.first = first + other.first;
    r.rest = rest.plus(other.rest);
    return r;
  }
  HWY_INLINE Row times(const Row& other) const {
    Row r;
    r.first = first * other.first;
    r.rest = rest.times(other.rest);
    return r;
  }
};
template <class T> struct Row<T, 0> {
  static HWY_INLINE Row zero() { return {}; }
  static HWY_INLINE Row load(const T*) { return {}; }
  HWY_INLINE void store(T*) const {}
  HWY_INLINE Row times(T) const { return {}; }
  HWY_INLINE Row plus(T, const Row&) const { return {}; }
  HWY_INLINE Row plus(const Row&) const { return {}; }
  HWY_INLINE Row times(const Row&) const { return {}; }
};

/// The stencils of some particles of a batch on one strand (or its copy): rows of points along x, each row `values`
/// values wide.
template <class T, class Point> struct StencilRows {
  int n;
  const std::int32_t* which; ///< [n] particles of the batch
  int values, points_y, points_z;
  const T *x, *y, *z;        ///< weights of particle p from p * pitch on; x is as wide as a row
  int pitch_x, pitch_y, pitch_z;
  Point* data;
  const std::int64_t* at_x;              ///< [particle] where its rows begin along x, from `data` [values]
  const std::int64_t *row_y, *row_z;     ///< what the padded index along y and z adds to that
  const std::int32_t *first_y, *first_z; ///< [particle] padded index of its first row
};

/// row += x y z, x holding the value that is spread.
template <int N, class T> void add_rows(const StencilRows<T, T>& s) {
  for (int l = 0; l < s.n; ++l) {
    const std::int32_t p = s.which[l];
    const Row<T, N> x = Row<T, N>::load(s.x + p * s.pitch_x);
    const T *y = s.y + p * s.pitch_y, *z = s.z + p * s.pitch_z;
    const std::int64_t *along_y = s.row_y + s.first_y[p], *along_z = s.row_z + s.first_z[p];
    for (int c = 0; c < s.points_z; ++c) {
      const Row<T, N> xz = x.times(z[c]);
      const std::int64_t plane = s.at_x[p] + along_z[c];
      for (int b = 0; b < s.points_y; ++b) {
        T* row = s.data + (plane + along_y[b]);
        Row<T, N>::load(row).plus(y[b], xz).store(row);
      }
    }
  }
}

/// The sum of the row's lanes (a lane is every `lanes`-th value) is added to out[lane]. The order of additions is that of
/// halving, whatever the registers' width.
template <class T> HWY_INLINE void add_lanes(const Pack<T, 8>& a, int lanes, T* out) { add_lanes(low(a) + high(a), lanes, out); }
template <class T> HWY_INLINE void add_lanes(const Pack<T, 4>& a, int lanes, T* out) {
  T v[4];
  a.store(v);
  if (lanes == 2) {
    out[0] += v[0] + v[2];
    out[1] += v[1] + v[3];
  } else {
    out[0] += (v[0] + v[2]) + (v[1] + v[3]);
  }
}
template <class T> HWY_INLINE void add_lanes(const Pack<T, 2>& a, int lanes, T* out) {
  T v[2];
  a.store(v);
  out[0] += lanes == 2 ? v[0] : v[0] + v[1];
  if (lanes == 2) out[1] += v[1];
}
template <class T> HWY_INLINE void add_lanes(const Pack<T, 1>& a, int, T* out) {
  T v[1];
  a.store(v);
  out[0] += v[0];
}
template <class T, int N> HWY_INLINE void add_lanes(const Row<T, N>& row, int lanes, T* out) {
  if constexpr (N >= 16) {
    add_lanes(row.first + row.rest.first, lanes, out);
    add_lanes(row.rest.rest, lanes, out);
  } else if constexpr (N > 0) {
    add_lanes(row.first, lanes, out);
    add_lanes(row.rest, lanes, out);
  }
}
template <class T> HWY_INLINE void add_lanes(const Row<T, 0>&, int, T*) {}

/// out[particle][lane] += sum over rows of x y z row
template <int N, class T> void sum_rows(const StencilRows<T, const T>& s, int lanes, T* out) {
  for (int l = 0; l < s.n; ++l) {
    const std::int32_t p = s.which[l];
    const T *y = s.y + p * s.pitch_y, *z = s.z + p * s.pitch_z;
    const std::int64_t *along_y = s.row_y + s.first_y[p], *along_z = s.row_z + s.first_z[p];
    Row<T, N> sum = Row<T, N>::zero();
    for (int c = 0; c < s.points_z; ++c) {
      const std::int64_t plane = s.at_x[p] + along_z[c];
      Row<T, N> even = Row<T, N>::zero(), odd = even; // so that none waits for its last addition
      int b = 0;
      for (; b + 1 < s.points_y; b += 2) {
        even = even.plus(y[b], Row<T, N>::load(s.data + (plane + along_y[b])));
        odd = odd.plus(y[b + 1], Row<T, N>::load(s.data + (plane + along_y[b + 1])));
      }
      if (b < s.points_y) even = even.plus(y[b], Row<T, N>::load(s.data + (plane + along_y[b])));
      sum = sum.plus(z[c], even.plus(odd));
    }
    add_lanes(sum.times(Row<T, N>::load(s.x + p * s.pitch_x)), lanes, out + p * lanes);
  }
}

/// Calls f(rows, N) for the stencils, or for pieces of their rows, N a constant.
template <class T, class Point, class F> HWY_INLINE void with_row_width(StencilRows<T, Point> s, const F& f) {
  const auto of = [&]<int N>() HWY_ATTR { f(s, std::integral_constant<int, N>()); };
  while (s.values > 8 && s.values != 16) {
    of.template operator()<8>();
    s.x += 8, s.data += 8, s.values -= 8;
  }
  switch (s.values) {
  case 1: return of.template operator()<1>();
  case 2: return of.template operator()<2>();
  case 3: return of.template operator()<3>();
  case 4: return of.template operator()<4>();
  case 5: return of.template operator()<5>();
  case 6: return of.template operator()<6>();
  case 7: return of.template operator()<7>();
  case 8: return of.template operator()<8>();
  default: return of.template operator()<16>();
  }
}

template <class T> void add_stencils(const StencilRows<T, T>& s) {
  with_row_width(s, [](const auto& rows, auto n) HWY_ATTR { add_rows<n()>(rows); });
}
template <class T> void sum_stencils(const StencilRows<T, const T>& s, int lanes, T* out) {
  with_row_width(s, [&](const auto& rows, auto n) HWY_ATTR { sum_rows<n()>(rows, lanes, out); });
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
