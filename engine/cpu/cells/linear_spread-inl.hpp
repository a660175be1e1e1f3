// Trilinear spreading, row by row of cells, to single fields and to the three face grids in one pass. Included once per
// instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_LINEAR_SPREAD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_LINEAR_SPREAD_INL
#undef CORRAL_CPU_LINEAR_SPREAD_INL
#else
#define CORRAL_CPU_LINEAR_SPREAD_INL
#endif

#include "engine/cpu/cells/linear_shapes-inl.hpp"
#include "engine/cpu/cells/row_method.hpp"

#include <hwy/cache_control.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// Calls add(p) for the particles of a cell, in pieces; each asks for the cache lines that a later one will read, since
/// short runs defeat the hardware's own prefetcher. A fixed number of lines, and one set of sums, because a branch that
/// depends on the count of a cell's particles is mispredicted as often as not.
template <std::size_t F, class T, class Add>
HWY_INLINE void for_each_particle(const SpreadTask<T>& task, int cell, const Add& add) {
  constexpr std::int32_t line = 64 / sizeof(T), piece = 2 * line, ahead = 256;
  const std::int32_t end = task.begin[cell + 1];
  for (std::int32_t p = task.begin[cell]; p < end;) {
    for (std::int32_t l = p + ahead; l < p + ahead + piece; l += line) {
      for (std::size_t d = 0; d < 3; ++d) hwy::Prefetch(task.u[d] + l);
      for (std::size_t f = 0; f < F; ++f) hwy::Prefetch(task.value[f] + l);
    }
    for (const std::int32_t stop = std::min(end, p + piece); p < stop; ++p) add(p);
  }
}

/// F fields of one staggering.
template <std::size_t F, class T, class Shape>
HWY_NOINLINE void spread_row(const Shape& shape, const SpreadTask<T>& task, std::array<std::int64_t, 3> stride) {
  typename Shape::Row row[F];
  for (auto& r : row) {
    r.clear();
    if constexpr (requires { shape.width; }) r.straddled_x = shape.width[0] == 3;
  }
  for (int cell = 0; cell < task.cells; ++cell) {
    typename Shape::Sums sums[F];
    for (auto& s : sums) s.clear();
    for_each_particle<F, T>(task, cell, [&](std::int32_t p) HWY_ATTR {
      const auto w = shape.weights(Oct<T>::all(task.u[0][p]), Oct<T>::all(task.u[1][p]), Oct<T>::all(task.u[2][p]));
      for (std::size_t f = 0; f < F; ++f) sums[f].add(w, Oct<T>::all(task.value[f][p]));
    });
    for (std::size_t f = 0; f < F; ++f) row[f].put(cell, sums[f]);
  }
  for (std::size_t f = 0; f < F; ++f) shape.flush(row[f], task.cells, task.point[f], stride);
}

template <class T, class Shape>
void spread_shape(const Shape& shape, const SpreadTask<T>& task, std::array<std::int64_t, 3> stride) {
  switch (task.fields) {
  case 1: return spread_row<1, T>(shape, task, stride);
  case 2: return spread_row<2, T>(shape, task, stride);
  case 3: return spread_row<3, T>(shape, task, stride);
  default: return spread_row<4, T>(shape, task, stride);
  }
}

// Three face grids share lines of y and z, but no weights: where lanes are points, a particle costs 20 operations.
// Where cells hold many, lanes are particles instead: 12 sums a field, eight particles at once, added up over the lanes
// once per cell.

/// The first n values, and zeros.
template <class D, class T> HWY_INLINE hn::Vec<D> load_first(D d, const T* from, std::int32_t n) {
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  n = std::min(n, lanes);
  if (masks_guard_memory || n == lanes) return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(n)), d, from);
  alignas(64) T some[8] = {};
  std::copy(from, from + n, some);
  return hn::Load(d, some);
}

/// The sums of one field in a cell: the lines of the straddled axis (low, 1, high) times the four corners of the other
/// two axes, the faster of which is the lower bit. Lanes are particles, every eighth in each.
template <class T> struct StraddledSums {
  Oct<T> low[4], total[4], high[4];
};

/// Sums up field `f`, straddled along axis `straddled`, for the particles [begin, end), and asks for what later ones
/// need of the columns u[0 .. shared) and of the field's.
template <int straddled, int fast, int slow, int shared, class T>
HWY_INLINE void sum_up(const SpreadTask<T>& task, std::size_t f, std::int32_t begin, std::int32_t end,
                       StraddledSums<T>& s) {
  using D = typename Oct<T>::D;
  using V = hn::Vec<D>;
  constexpr std::int32_t lanes = Oct<T>::lanes, ahead = 256;
  const D d;
  const V half = hn::Set(d, T(0.5)), none = hn::Zero(d);
  for (std::int32_t part = 0; part < std::int32_t{Oct<T>::parts}; ++part) { // sums for one register each
    V low[4] = {none, none, none, none}, total[4] = {none, none, none, none}, high[4] = {none, none, none, none};
    for (std::int32_t p = begin + part * lanes; p < end; p += 8) {
      for (std::size_t u = 0; u < shared; ++u) hwy::Prefetch(task.u[u] + p + ahead);
      hwy::Prefetch(task.value[f] + p + ahead);
      const std::int32_t n = end - p;
      const V u = load_first(d, task.u[straddled] + p, n), a = load_first(d, task.u[fast] + p, n),
              b = load_first(d, task.u[slow] + p, n), value = load_first(d, task.value[f] + p, n);
      const V upper = hn::Mul(value, b), lower = hn::Sub(value, upper);
      const V lower_upper = hn::Mul(lower, a), upper_upper = hn::Mul(upper, a);
      const V corner[4] = {hn::Sub(lower, lower_upper), lower_upper, hn::Sub(upper, upper_upper), upper_upper};
      const V towards_low = hn::Max(hn::Sub(half, u), none), towards_high = hn::Max(hn::Sub(u, half), none);
      for (int i = 0; i < 4; ++i) {
        low[i] = hn::MulAdd(corner[i], towards_low, low[i]);
        total[i] = hn::Add(total[i], corner[i]);
        high[i] = hn::MulAdd(corner[i], towards_high, high[i]);
      }
    }
    for (int i = 0; i < 4; ++i) {
      s.low[i].part[part] = low[i];
      s.total[i].part[part] = total[i];
      s.high[i].part[part] = high[i];
    }
  }
}

/// Adds the rows of a straddled axis, whose points lie `across` from each other.
template <class T>
HWY_INLINE void add_straddled(T* to, std::int64_t across, const Quad<T>& low, const Quad<T>& total,
                              const Quad<T>& high) {
  add_points(to, low);
  add_points(to + across, total - low - high);
  add_points(to + 2 * across, high);
}

/// Rows of the fields straddled along y and z: per point along x (y field's low 2, total 2 | its high 2, the z field's
/// high 2 | its low 2, total 2), two being the points of the axis that is not straddled.
template <class T> struct RowAcross {
  T b[12 * row_points];
  Quad<T> carried[3];

  HWY_INLINE void clear() { carried[0] = carried[1] = carried[2] = Quad<T>::zero(); }
  HWY_INLINE void put(int cell, const StraddledSums<T>& y, const StraddledSums<T>& z) {
    Quad<T> x[2][3];
    for (int a = 0; a < 2; ++a) {
      x[a][0] = joined(pair_sums(y.low[2 * a], y.low[2 * a + 1]), pair_sums(y.total[2 * a], y.total[2 * a + 1]));
      x[a][1] = joined(pair_sums(y.high[2 * a], y.high[2 * a + 1]), pair_sums(z.high[2 * a], z.high[2 * a + 1]));
      x[a][2] = joined(pair_sums(z.low[2 * a], z.low[2 * a + 1]), pair_sums(z.total[2 * a], z.total[2 * a + 1]));
    }
    for (int q = 0; q < 3; ++q) {
      (x[0][q] + carried[q]).store(b + 12 * cell + 4 * q);
      carried[q] = x[1][q];
    }
  }
  HWY_INLINE void flush(int cells, T* y, T* z, const std::array<std::array<std::int64_t, 3>, 3>& stride) {
    for (int q = 0; q < 3; ++q) carried[q].store(b + 12 * cells + 4 * q);
    clear_points(b + 12 * (cells + 1), 12);
    for (int i = 0; i <= cells; i += 4) {
      const FourRows<T> of_y(b + 12 * i, 12), high(b + 12 * i + 4, 12), of_z(b + 12 * i + 8, 12);
      for (int l = 0; l < 2; ++l) {
        add_straddled(y + i + l * stride[1][2], stride[1][1], of_y.row[l], of_y.row[2 + l], high.row[l]);
        add_straddled(z + i + l * stride[2][1], stride[2][2], of_z.row[l], of_z.row[2 + l], high.row[2 + l]);
      }
    }
  }
};

/// One field on each of the three face grids, lanes being particles.
template <class T>
HWY_NOINLINE void spread_faces_of_many(const SpreadTask<T>& task,
                                       const std::array<std::array<std::int64_t, 3>, 3>& stride) {
  typename StraddledX<T>::Row row_x;
  RowAcross<T> across;
  row_x.clear(), across.clear();
  for (int cell = 0; cell < task.cells; ++cell) {
    const std::int32_t begin = task.begin[cell], end = task.begin[cell + 1];
    StraddledSums<T> x, y, z;
    sum_up<0, 1, 2, 3>(task, 0, begin, end, x);
    row_x.put(cell, joined(pair_sums(x.low[0], x.low[1]), pair_sums(x.low[2], x.low[3])),
              joined(pair_sums(x.total[0], x.total[1]), pair_sums(x.total[2], x.total[3])),
              joined(pair_sums(x.high[0], x.high[1]), pair_sums(x.high[2], x.high[3])));
    sum_up<1, 2, 0, 0>(task, 1, begin, end, y);
    sum_up<2, 1, 0, 0>(task, 2, begin, end, z);
    across.put(cell, y, z);
  }
  StraddledX<T>().flush(row_x, task.cells, task.point[0], stride[0]);
  across.flush(task.cells, task.point[1], task.point[2], stride);
}

/// Lines for lanes that are points. `y` and `z` serve two fields each; the straddled lines meet them so that lanes are,
/// field by field: x as StraddledX has them; y low and total at the first point of z, the same at the second, high and
/// nothing at the first, at the second; z low at both points of y, total at both, high at both, nothing twice.
template <class T> struct FaceLines {
  LaneLines<T> x_straddled{3, {0, 0, 0, 0, 2, 2, 2, 2}}, y_straddled{3, {0, 1, 0, 1, 2, -1, 2, -1}},
      z_straddled{3, {0, 0, 1, 1, 2, 2, -1, -1}};
  LaneLines<T> y{2, {0, 1, 0, 1, 0, 1, 0, 1}}, z{2, {0, 0, 1, 1, 0, 0, 1, 1}};
};

template <class T> HWY_INLINE Oct<T> on_lines(const LaneLines<T>& l, const Oct<T>& u) {
  return fma(u, Oct<T>::load(l.slope), Oct<T>::load(l.intercept));
}

/// Sums of a field straddled across x, for both points along x together and for the upper one, and its rows.
template <class T> struct PointsAcross {
  Oct<T> both, upper, carried;
  T b[8 * row_points];

  HWY_INLINE void clear() { both = upper = Oct<T>::zero(); }
  HWY_INLINE void add(const Oct<T>& weight, const Oct<T>& ux) {
    both = both + weight;
    upper = fma(weight, ux, upper);
  }
  HWY_INLINE void put(int cell) {
    (both - upper + carried).store(b + 8 * cell);
    carried = upper;
  }
  /// Ends the row of so many cells with what is carried along.
  HWY_INLINE void end(int cells) {
    carried.store(b + 8 * cells);
    clear_points(b + 8 * (cells + 1), 8);
  }
};

/// One field on each of the three face grids, lanes being points.
template <class T>
HWY_NOINLINE void spread_faces_of_few(const SpreadTask<T>& task,
                                      const std::array<std::array<std::int64_t, 3>, 3>& stride) {
  const FaceLines<T> lines;
  typename StraddledX<T>::Row row_x;
  PointsAcross<T> y, z;
  row_x.clear();
  y.carried = z.carried = Oct<T>::zero();
  for (int cell = 0; cell < task.cells; ++cell) {
    typename StraddledX<T>::Sums x;
    x.clear(), y.clear(), z.clear();
    for_each_particle<3, T>(task, cell, [&](std::int32_t p) HWY_ATTR {
      const Oct<T> ux = Oct<T>::all(task.u[0][p]), uy = Oct<T>::all(task.u[1][p]), uz = Oct<T>::all(task.u[2][p]);
      const Oct<T> along_y = on_lines(lines.y, uy), along_z = on_lines(lines.z, uz);
      const Oct<T> yz = along_y * along_z * Oct<T>::all(task.value[0][p]);
      x.outer = fma(yz, on_lines(lines.x_straddled, ux).positive_part(), x.outer);
      x.total = x.total + low(yz);
      y.add(along_z * on_lines(lines.y_straddled, uy).positive_part() * Oct<T>::all(task.value[1][p]), ux);
      z.add(along_y * on_lines(lines.z_straddled, uz).positive_part() * Oct<T>::all(task.value[2][p]), ux);
    });
    row_x.put(cell, x), y.put(cell), z.put(cell);
  }
  StraddledX<T>().flush(row_x, task.cells, task.point[0], stride[0]);
  y.end(task.cells), z.end(task.cells);
  for (int i = 0; i <= task.cells; i += 4) {
    const FourRows<T> of_y(y.b + 8 * i, 8), high_y(y.b + 8 * i + 4, 8);
    const FourRows<T> of_z(z.b + 8 * i, 8), high_z(z.b + 8 * i + 4, 8);
    for (int l = 0; l < 2; ++l) {
      add_straddled(task.point[1] + i + l * stride[1][2], stride[1][1], of_y.row[2 * l], of_y.row[2 * l + 1],
                    high_y.row[2 * l]);
      add_straddled(task.point[2] + i + l * stride[2][1], stride[2][2], of_z.row[l], of_z.row[2 + l], high_z.row[l]);
    }
  }
}

/// One field on each of the three face grids, in one pass over the particles.
template <class T>
void spread_three_faces(const SpreadTask<T>& task, const std::array<std::array<std::int64_t, 3>, 3>& stride) {
  constexpr int many = 13; // particles per cell, where both take as long
  if (task.begin[task.cells] >= many * task.cells)
    spread_faces_of_many(task, stride);
  else
    spread_faces_of_few(task, stride);
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
