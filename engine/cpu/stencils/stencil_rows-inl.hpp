// Stencils of wide kernels, row by row of points along x. Included once per instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_STENCIL_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_STENCIL_ROWS_INL
#undef CORRAL_CPU_STENCIL_ROWS_INL
#else
#define CORRAL_CPU_STENCIL_ROWS_INL
#endif

#include "engine/cpu/machine/pack-inl.hpp"
#include "engine/cpu/stencils/laned_field.hpp"
#include "engine/cpu/stencils/particle_batch.hpp"

#include <hwy/cache_control.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// N values in registers: packs of eight, then of four, two and one. No value beyond the N is read or written.
template <class T, int N> struct PackedRow {
  static constexpr int head = N >= 8 ? 8 : N >= 4 ? 4 : N >= 2 ? 2 : 1;
  Pack<T, head> first;
  PackedRow<T, N - head> rest;

  static HWY_INLINE PackedRow zero() {
    PackedRow r;
    r.first = Pack<T, head>::zero();
    r.rest = PackedRow<T, N - head>::zero();
    return r;
  }
  static HWY_INLINE PackedRow all(T value) {
    PackedRow r;
    r.first = Pack<T, head>::all(value);
    r.rest = PackedRow<T, N - head>::all(value);
    return r;
  }
  static HWY_INLINE PackedRow load(const T* from) {
    PackedRow r;
    r.first = Pack<T, head>::load(from);
    r.rest = PackedRow<T, N - head>::load(from + head);
    return r;
  }
  HWY_INLINE void store(T* to) const {
    first.store(to);
    rest.store(to + head);
  }
  /// this + a * b
  HWY_INLINE PackedRow plus(const PackedRow& a, const PackedRow& b) const {
    PackedRow r;
    r.first = fma(b.first, a.first, first);
    r.rest = rest.plus(a.rest, b.rest);
    return r;
  }
  HWY_INLINE PackedRow plus(const PackedRow& other) const {
    PackedRow r;
    r.first = first + other.first;
    r.rest = rest.plus(other.rest);
    return r;
  }
  HWY_INLINE PackedRow times(const PackedRow& other) const {
    PackedRow r;
    r.first = first * other.first;
    r.rest = rest.times(other.rest);
    return r;
  }
};
template <class T> struct PackedRow<T, 0> {
  static HWY_INLINE PackedRow zero() { return {}; }
  static HWY_INLINE PackedRow all(T) { return {}; }
  static HWY_INLINE PackedRow load(const T*) { return {}; }
  HWY_INLINE void store(T*) const {}
  HWY_INLINE PackedRow plus(const PackedRow&, const PackedRow&) const { return {}; }
  HWY_INLINE PackedRow plus(const PackedRow&) const { return {}; }
  HWY_INLINE PackedRow times(const PackedRow&) const { return {}; }
};

/// Rows of a field, which may wrap: where they begin is looked up.
struct TabledRows {
  const std::int64_t* at_x;              ///< [particle] where its rows begin along x [values]
  const std::int64_t *row_y, *row_z;     ///< what the padded index along y and z adds to that
  const std::int32_t *first_y, *first_z; ///< [particle] padded index of its first row

  struct Of {
    std::int64_t at_x;
    const std::int64_t *y, *z;
    HWY_INLINE std::int64_t operator()(int b, int c) const { return at_x + z[c] + y[b]; }
  };
  HWY_INLINE Of of(std::int32_t p) const { return {at_x[p], row_y + first_y[p], row_z + first_z[p]}; }
};

/// Rows at equal distances.
struct PitchedRows {
  const std::int64_t* at; ///< [particle] its first row [values]
  std::int64_t pitch_y, pitch_z;

  struct Of {
    std::int64_t at, pitch_y, pitch_z;
    HWY_INLINE std::int64_t operator()(int b, int c) const { return at + c * pitch_z + b * pitch_y; }
  };
  HWY_INLINE Of of(std::int32_t p) const { return {at[p], pitch_y, pitch_z}; }
};

/// The stencils of some particles of a batch on one field (or its copy), or on alike ones: rows of points along x, each row
/// `values` values wide. Places is TabledRows or PitchedRows.
template <class T, class Point, class Places> struct StencilRows {
  int n;
  int ahead = 0; ///< particles that rows are prefetched ahead, 0: not at all
  const std::int32_t* which; ///< [n] particles of the batch
  int values, points_y, points_z;
  const T* x; ///< [particle][pitch] weights along x, as wide as a row
  int pitch;
  int x_apart = 0; ///< [values] from a field's x to the next one's
  const T *y, *z; ///< [point][particle] weights
  int fields = 1; ///< alike ones: 1 or alike_fields
  Point* data[alike_fields];
  Places places; ///< of rows, from `data`
};

/// Asks for the rows of the particle that comes `ahead` after the l-th.
template <class T, class Point, class Places>
HWY_INLINE void prefetch_rows(const StencilRows<T, Point, Places>& s, int l) {
  if (s.ahead == 0 || l + s.ahead >= s.n) return;
  const auto place = s.places.of(s.which[l + s.ahead]);
  for (int c = 0; c < s.points_z; ++c)
    for (int b = 0; b < s.points_y; ++b) {
      for (int f = 0; f < s.fields; ++f) {
        const Point* row = s.data[f] + place(b, c);
        hwy::Prefetch(row);
        hwy::Prefetch(row + s.values - 1);
      }
    }
}

/// One value for each row of a plane, as wide as a row: of P rows kept in registers, else read when asked for.
template <class T, int N, int P> struct Factors {
  PackedRow<T, N> value[P];

  HWY_INLINE explicit Factors(const T* from) {
    for (int b = 0; b < P; ++b) value[b] = PackedRow<T, N>::all(from[b * ParticleBatch<T>::capacity]);
  }
  HWY_INLINE PackedRow<T, N> operator()(int b) const { return value[b]; }
};
template <class T, int N> struct Factors<T, N, 0> {
  const T* from;
  HWY_INLINE auto operator()(int b) const { return PackedRow<T, N>::all(from[b * ParticleBatch<T>::capacity]); }
};

/// row += x y z of F fields, x holding the value that is spread. P is the number of points along y and z, 0: as s has it.
template <int N, int P, int F, class T, class Places> void add_rows(const StencilRows<T, T, Places> s) {
  constexpr int batch = ParticleBatch<T>::capacity;
  const int points_y = P > 0 ? P : s.points_y, points_z = P > 0 ? P : s.points_z;
  for (int l = 0; l < s.n; ++l) {
    prefetch_rows(s, l);
    const std::int32_t p = s.which[l];
    PackedRow<T, N> x[F], xz[F];
    for (int f = 0; f < F; ++f) x[f] = PackedRow<T, N>::load(s.x + f * s.x_apart + p * s.pitch);
    const Factors<T, N, P> y{s.y + p};
    const T* z = s.z + p;
    const auto place = s.places.of(p);
    for (int c = 0; c < points_z; ++c) {
      for (int f = 0; f < F; ++f) xz[f] = x[f].times(PackedRow<T, N>::all(z[c * batch]));
      for (int b = 0; b < points_y; ++b) {
        const std::int64_t at = place(b, c);
        for (int f = 0; f < F; ++f) {
          T* row = s.data[f] + at;
          PackedRow<T, N>::load(row).plus(y(b), xz[f]).store(row);
        }
      }
    }
  }
}

/// Adds the sum of the row's lanes (a lane is every `lanes`-th value) to out[lane * batch]. The order of additions is
/// that of halving, whatever the registers' width.
template <class T> HWY_INLINE void add_lanes(const Pack<T, 2>& a, int lanes, T* out) {
  T v[2];
  a.store(v);
  out[0] += lanes == 2 ? v[0] : v[0] + v[1];
  if (lanes == 2) out[ParticleBatch<T>::capacity] += v[1];
}
template <class T> HWY_INLINE void add_lanes(const Pack<T, 1>& a, int, T* out) {
  T v[1];
  a.store(v);
  out[0] += v[0];
}
template <class T> HWY_INLINE void add_lanes(const Pack<T, 4>& a, int lanes, T* out) {
  add_lanes(low(a) + high(a), lanes, out);
}
template <class T> HWY_INLINE void add_lanes(const Pack<T, 8>& a, int lanes, T* out) {
  add_lanes(low(a) + high(a), lanes, out);
}
template <class T> HWY_INLINE void add_lanes(const PackedRow<T, 0>&, int, T*) {}
template <class T, int N> HWY_INLINE void add_lanes(const PackedRow<T, N>& row, int lanes, T* out) {
  if constexpr (N >= 16) {
    add_lanes(row.first + row.rest.first, lanes, out);
    add_lanes(row.rest.rest, lanes, out);
  } else {
    add_lanes(row.first, lanes, out);
    add_lanes(row.rest, lanes, out);
  }
}

/// out[lane, or field][particle] += sum over rows of x y z row
template <int N, int P, int F, class T, class Places>
void sum_rows(const StencilRows<T, const T, Places> s, int lanes, T* out) {
  constexpr int batch = ParticleBatch<T>::capacity;
  const int points_y = P > 0 ? P : s.points_y, points_z = P > 0 ? P : s.points_z;
  for (int l = 0; l < s.n; ++l) {
    prefetch_rows(s, l);
    const std::int32_t p = s.which[l];
    const Factors<T, N, P> y{s.y + p};
    const T* z = s.z + p;
    const auto place = s.places.of(p);
    PackedRow<T, N> sum[F];
    for (int f = 0; f < F; ++f) sum[f] = PackedRow<T, N>::zero();
    for (int c = 0; c < points_z; ++c) {
      PackedRow<T, N> even[F], odd[F]; // so that none waits for its last addition
      for (int f = 0; f < F; ++f) even[f] = odd[f] = PackedRow<T, N>::zero();
      const auto add = [&](int b, PackedRow<T, N>* to) HWY_ATTR {
        const std::int64_t at = place(b, c);
        for (int f = 0; f < F; ++f) to[f] = to[f].plus(y(b), PackedRow<T, N>::load(s.data[f] + at));
      };
      int b = 0;
      for (; b + 1 < points_y; b += 2) add(b, even), add(b + 1, odd);
      if (b < points_y) add(b, even);
      for (int f = 0; f < F; ++f) sum[f] = sum[f].plus(PackedRow<T, N>::all(z[c * batch]), even[f].plus(odd[f]));
    }
    const PackedRow<T, N> x = PackedRow<T, N>::load(s.x + p * s.pitch);
    for (int f = 0; f < F; ++f) add_lanes(sum[f].times(x), lanes, out + f * batch + p);
  }
}

/// Calls f(rows, N, P, F) for the stencils, or for pieces of their rows: N, P and F as add_rows has them, as constants.
template <class T, class Point, class Places, class F>
HWY_INLINE void with_row_width(StencilRows<T, Point, Places> s, int lanes, const F& f) {
  const auto of = [&]<int N, int P>() HWY_ATTR {
    constexpr std::integral_constant<int, N> n;
    constexpr std::integral_constant<int, P> p;
    if constexpr (std::is_same_v<Places, TabledRows>)
      if (s.fields == alike_fields) return f(s, n, p, std::integral_constant<int, alike_fields>());
    f(s, n, p, std::integral_constant<int, 1>());
  };
  const int x = s.values / lanes;
  if (x == s.points_y && x == s.points_z) // stencils as the same kernel makes them along all axes
    switch (s.values) {
    case 3: if (lanes == 1) return of.template operator()<3, 3>(); else break;
    case 4: if (lanes == 1) return of.template operator()<4, 4>(); else break;
    case 5: return of.template operator()<5, 5>();
    case 6: if (lanes == 1) return of.template operator()<6, 6>(); else break;
    case 8: return lanes == 1 ? of.template operator()<8, 8>() : of.template operator()<8, 4>();
    case 16: if (lanes == 2) return of.template operator()<16, 8>(); else break;
    default: break;
    }
  while (s.values > 8) {
    of.template operator()<8, 0>();
    s.x += 8, s.values -= 8;
    for (Point*& data : s.data) data += 8;
  }
  switch (s.values) {
  case 1: return of.template operator()<1, 0>();
  case 2: return of.template operator()<2, 0>();
  case 3: return of.template operator()<3, 0>();
  case 4: return of.template operator()<4, 0>();
  case 5: return of.template operator()<5, 0>();
  case 6: return of.template operator()<6, 0>();
  case 7: return of.template operator()<7, 0>();
  default: return of.template operator()<8, 0>();
  }
}

template <class T, class Places> void add_stencils(const StencilRows<T, T, Places>& s, int lanes) {
  with_row_width(s, lanes, [](const auto& rows, auto n, auto p, auto f) HWY_ATTR { add_rows<n(), p(), f()>(rows); });
}
template <class T, class Places>
void sum_stencils(const StencilRows<T, const T, Places>& s, int lanes, T* out) {
  with_row_width(s, lanes, [&](const auto& rows, auto n, auto p, auto f) HWY_ATTR { sum_rows<n(), p(), f()>(rows, lanes, out); });
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
