// Trilinear interpolation, row by row of cells. Included once per instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_LINEAR_INTERPOLATE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_LINEAR_INTERPOLATE_INL
#undef CORRAL_CPU_LINEAR_INTERPOLATE_INL
#else
#define CORRAL_CPU_LINEAR_INTERPOLATE_INL
#endif

#include "engine/cpu/cells/row_method.hpp"
#include "engine/cpu/machine/pack-inl.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What an axis's coefficients are multiplied with, beside 1: u, or the two kinked functions.
template <class V> struct Basis {
  V of[2];
};

/// Within a cell the field is a polynomial: per axis it is a combination of (1), (1, u), or on a straddled axis
/// (1, max(0, 1/2 - u), max(0, u - 1/2)), according to the width W of the axis. Its coefficients are set for all cells
/// of a row at once; then lanes are particles.
template <class T, int WX, int WY, int WZ> struct RowPolynomial {
  static constexpr int terms = WX * WY * WZ;
  alignas(64) T k[terms][row_cells + 8]; ///< term (c WY + b) WX + a of each cell

  /// From the points' values to coefficients along one axis of width W.
  template <int W, class V> static HWY_INLINE void to_coefficients(V& first, V& second, V& third) {
    if constexpr (W == 2) second = hn::Sub(second, first);
    if constexpr (W == 3) {
      const V middle = second;
      second = hn::Sub(first, middle);
      third = hn::Sub(third, middle);
      first = middle;
    }
  }

  HWY_INLINE void set(const T* point, int cells, std::array<std::int64_t, 3> stride) {
    const hn::CappedTag<T, 8> d; // past the last cell the coefficients are never used, and rows have room to be read
    for (int i = 0; i < cells; i += static_cast<int>(hn::Lanes(d))) set_cells(d, point + i, i, stride);
  }

  template <class D> HWY_INLINE void set_cells(D d, const T* point, int i, std::array<std::int64_t, 3> stride) {
    using V = hn::Vec<D>;
    V v[3][3][3];
    for (int c = 0; c < WZ; ++c)
      for (int b = 0; b < WY; ++b)
        for (int a = 0; a < WX; ++a) v[c][b][a] = hn::LoadU(d, point + c * stride[2] + b * stride[1] + a);
    for (int c = 0; c < WZ; ++c)
      for (int b = 0; b < WY; ++b) to_coefficients<WX>(v[c][b][0], v[c][b][1], v[c][b][2]);
    for (int c = 0; c < WZ; ++c)
      for (int a = 0; a < WX; ++a) to_coefficients<WY>(v[c][0][a], v[c][1][a], v[c][2][a]);
    for (int b = 0; b < WY; ++b)
      for (int a = 0; a < WX; ++a) to_coefficients<WZ>(v[0][b][a], v[1][b][a], v[2][b][a]);
    for (int c = 0; c < WZ; ++c)
      for (int b = 0; b < WY; ++b)
        for (int a = 0; a < WX; ++a) hn::StoreU(v[c][b][a], d, k[(c * WY + b) * WX + a] + i);
  }

  template <int W, class D> static HWY_INLINE Basis<hn::Vec<D>> basis(D d, hn::Vec<D> u) {
    if constexpr (W < 3) return {{u, u}};
    const auto half = hn::Set(d, T(0.5)), zero = hn::Zero(d);
    return {{hn::Max(hn::Sub(half, u), zero), hn::Max(hn::Sub(u, half), zero)}};
  }
  template <int W, class V> static HWY_INLINE V combine(V first, V second, V third, const Basis<V>& b) {
    if constexpr (W >= 2) first = hn::MulAdd(second, b.of[0], first);
    if constexpr (W == 3) first = hn::MulAdd(third, b.of[1], first);
    return first;
  }

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V at(D d, int cell, const Basis<V>& x, const Basis<V>& y, const Basis<V>& z) const {
    V plane[3];
    for (int c = 0; c < WZ; ++c) {
      V row[3];
      for (int b = 0; b < WY; ++b) {
        V term[3];
        for (int a = 0; a < WX; ++a) term[a] = hn::Set(d, k[(c * WY + b) * WX + a][cell]);
        row[b] = combine<WX>(term[0], term[WX > 1 ? 1 : 0], term[WX > 2 ? 2 : 0], x);
      }
      plane[c] = combine<WY>(row[0], row[WY > 1 ? 1 : 0], row[WY > 2 ? 2 : 0], y);
    }
    return combine<WZ>(plane[0], plane[WZ > 1 ? 1 : 0], plane[WZ > 2 ? 2 : 0], z);
  }
};

/// Runs over the particles of the task's cells with as many lanes as there are: calls at(tag, cell, ux, uy, uz, store)
/// for each register of particles, and `at` calls store(f, v) for each field.
template <class T, class At>
HWY_INLINE void for_each_register(const InterpolateTask<T>& task, std::size_t fields, const At& at) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  const auto whole = [&](auto tag, int cell, std::int32_t p) HWY_ATTR {
    at(tag, cell, hn::LoadU(tag, task.u[0] + p), hn::LoadU(tag, task.u[1] + p), hn::LoadU(tag, task.u[2] + p),
       [&](std::size_t f, auto v) HWY_ATTR { hn::StoreU(v, tag, task.value[f] + p); });
  };
  const auto part = [&](int cell, std::int32_t p, std::int32_t n) HWY_ATTR {
    const auto mask = hn::FirstN(d, static_cast<std::size_t>(n));
    at(d, cell, hn::MaskedLoad(mask, d, task.u[0] + p), hn::MaskedLoad(mask, d, task.u[1] + p),
       hn::MaskedLoad(mask, d, task.u[2] + p),
       [&](std::size_t f, auto v) HWY_ATTR { hn::BlendedStore(v, mask, d, task.value[f] + p); });
  };
  constexpr std::int32_t ahead = 256;
  for (int cell = 0; cell < task.cells; ++cell) {
    const std::int32_t end = task.begin[cell + 1];
    for (std::int32_t p = task.begin[cell]; p < end; p += lanes) {
      for (std::size_t u = 0; u < 3; ++u) hwy::Prefetch(task.u[u] + p + ahead);
      for (std::size_t f = 0; f < fields; ++f) hwy::Prefetch(task.value[f] + p + ahead);
      if constexpr (HWY_MAX_BYTES == 64) { // masks cost nothing, mispredicted branches do
        part(cell, p, std::min(lanes, end - p));
      } else if (p + lanes <= end) {
        whole(d, cell, p);
      } else if constexpr (masks_guard_memory) {
        part(cell, p, end - p);
      } else {
        for (std::int32_t q = p; q < end; ++q) whole(hn::CappedTag<T, 1>(), cell, q);
      }
    }
  }
}

/// All fields of one staggering.
template <class T, int WX, int WY, int WZ>
void interpolate_row(const InterpolateTask<T>& task, std::array<std::int64_t, 3> stride) {
  using Polynomial = RowPolynomial<T, WX, WY, WZ>;
  Polynomial field[field_block];
  const std::size_t fields = std::min<std::size_t>(static_cast<std::size_t>(task.fields), field_block);
  for (std::size_t f = 0; f < fields; ++f) field[f].set(task.point[f], task.cells, stride);
  for_each_register(task, fields, [&](auto tag, int cell, auto ux, auto uy, auto uz, auto store) HWY_ATTR {
    const auto x = Polynomial::template basis<WX>(tag, ux), y = Polynomial::template basis<WY>(tag, uy),
               z = Polynomial::template basis<WZ>(tag, uz);
    for (std::size_t f = 0; f < fields; ++f) store(f, field[f].at(tag, cell, x, y, z));
  });
}

/// One field on each of the three face grids, in one pass over the particles.
template <class T>
void interpolate_three_faces(const InterpolateTask<T>& task,
                             const std::array<std::array<std::int64_t, 3>, 3>& stride) {
  RowPolynomial<T, 3, 2, 2> on_x;
  RowPolynomial<T, 2, 3, 2> on_y;
  RowPolynomial<T, 2, 2, 3> on_z;
  on_x.set(task.point[0], task.cells, stride[0]);
  on_y.set(task.point[1], task.cells, stride[1]);
  on_z.set(task.point[2], task.cells, stride[2]);
  for_each_register(task, 3, [&](auto tag, int cell, auto ux, auto uy, auto uz, auto store) HWY_ATTR {
    const auto x = on_x.template basis<2>(tag, ux), y = on_x.template basis<2>(tag, uy),
               z = on_x.template basis<2>(tag, uz);
    store(0, on_x.at(tag, cell, on_x.template basis<3>(tag, ux), y, z));
    store(1, on_y.at(tag, cell, x, on_x.template basis<3>(tag, uy), z));
    store(2, on_z.at(tag, cell, x, y, on_x.template basis<3>(tag, uz)));
  });
}

template <class T> using InterpolateRow = void (*)(const InterpolateTask<T>&, std::array<std::int64_t, 3>);

/// The function for these widths, each 1 to 3.
template <class T> InterpolateRow<T> interpolate_row_for(std::array<int, 3> width) {
  constexpr auto table = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<InterpolateRow<T>, 27>{&interpolate_row<T, I % 3 + 1, I / 3 % 3 + 1, I / 9 + 1>...};
  }(std::make_index_sequence<27>());
  return table[static_cast<std::size_t>((width[0] - 1) + 3 * (width[1] - 1) + 9 * (width[2] - 1))];
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
