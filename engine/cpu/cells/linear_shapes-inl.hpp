// How the points of a cell lie in registers while linear spreads to them. Included once per instruction set; the guard
// is Highway's.
#if defined(CORRAL_CPU_LINEAR_SHAPES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_LINEAR_SHAPES_INL
#undef CORRAL_CPU_LINEAR_SHAPES_INL
#else
#define CORRAL_CPU_LINEAR_SHAPES_INL
#endif

#include "engine/cpu/cells/row_method.hpp"
#include "engine/cpu/machine/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

// Vector members are set by functions, not by initialisers: constructors that the compiler writes lack the target.

// A shape says how the points of a cell lie in registers. Lanes are points; while a cell's particles pass, each field
// has its sums in registers. What a cell shares with the next one along x is carried along, and the finished points
// of a row go to a buffer, [point along x][lanes over y and z], which is transposed and added to the field's rows:
// the field is touched once per row.

template <class T> using Quad = Pack<T, 4>;
template <class T> using Oct = Pack<T, 8>;

/// Room for the points that the last cells reach beyond, and for whole groups of four.
inline constexpr int row_points = row_cells + 8;

/// to[0..3] += a. Rows are added four points at a time, zeros beyond their end: padded rows have room for them, and
/// whatever else they reach belongs to the same row and thread.
template <class T> HWY_INLINE void add_points(T* to, const Quad<T>& a) { (Quad<T>::load(to) + a).store(to); }

/// Sets three points of `lanes` values to zero.
template <class T> HWY_INLINE void clear_points(T* b, int lanes) {
  for (int i = 0; i < 3 * lanes; ++i) b[i] = 0;
}

/// Four points along x of four rows: b[4 * stride] holds, per point, a value for each row.
template <class T> struct FourRows {
  Quad<T> row[4];
  HWY_INLINE FourRows(const T* b, std::size_t stride) {
    for (std::size_t i = 0; i < 4; ++i) row[i] = Quad<T>::load(b + i * stride);
    transpose(row[0], row[1], row[2], row[3]);
  }
};

/// No straddled axis: lane = x 4 + z 2 + y.
template <class T> struct OwnShape {
  LaneLines<T> x{2, {0, 0, 0, 0, 1, 1, 1, 1}}, y{2, {0, 1, 0, 1, 0, 1, 0, 1}}, z{2, {0, 0, 1, 1, 0, 0, 1, 1}};

  using Weights = Oct<T>;
  struct Sums {
    Oct<T> all;
    HWY_INLINE void clear() { all = Oct<T>::zero(); }
    HWY_INLINE void add(const Weights& w, const Oct<T>& value) { all = fma(w, value, all); }
  };
  HWY_INLINE Weights weights(const Oct<T>& ux, const Oct<T>& uy, const Oct<T>& uz) const {
    return fma(ux, Oct<T>::load(x.slope), Oct<T>::load(x.intercept)) *
           fma(uy, Oct<T>::load(y.slope), Oct<T>::load(y.intercept)) *
           fma(uz, Oct<T>::load(z.slope), Oct<T>::load(z.intercept));
  }
  struct Row {
    T b[4 * row_points];
    Quad<T> carried;
    HWY_INLINE void clear() { carried = Quad<T>::zero(); }
    HWY_INLINE void put(int cell, const Sums& s) {
      (low(s.all) + carried).store(b + 4 * cell);
      carried = high(s.all);
    }
  };
  /// Adds the rows of `cells` cells at `to`.
  HWY_INLINE void flush(Row& r, int cells, T* to, std::array<std::int64_t, 3> stride) const {
    r.carried.store(r.b + 4 * cells);
    clear_points(r.b + 4 * (cells + 1), 4);
    for (int i = 0; i <= cells; i += 4) {
      const FourRows<T> rows(r.b + 4 * i, 4);
      add_points(to + i, rows.row[0]);
      add_points(to + i + stride[1], rows.row[1]);
      add_points(to + i + stride[2], rows.row[2]);
      add_points(to + i + stride[2] + stride[1], rows.row[3]);
    }
  }
};

/// Straddled along x: lane = (low or high) 4 + z 2 + y, and four lanes of totals.
template <class T> struct StraddledX {
  LaneLines<T> x{3, {0, 0, 0, 0, 2, 2, 2, 2}}, y{2, {0, 1, 0, 1, 0, 1, 0, 1}}, z{2, {0, 0, 1, 1, 0, 0, 1, 1}};

  struct Weights {
    Oct<T> outer;
    Quad<T> total;
  };
  struct Sums {
    Oct<T> outer;
    Quad<T> total;
    HWY_INLINE void clear() { outer = Oct<T>::zero(), total = Quad<T>::zero(); }
    HWY_INLINE void add(const Weights& w, const Oct<T>& value) {
      outer = fma(w.outer, value, outer);
      total = fma(w.total, low(value), total);
    }
    /// The same where the weights serve one field: the value goes in first, which saves a multiplication.
    HWY_INLINE void add(const StraddledX& s, const Oct<T>& ux, const Oct<T>& uy, const Oct<T>& uz,
                        const Oct<T>& value) {
      const Oct<T> yz = s.along_yz(uy, uz) * value;
      outer = fma(yz, s.along_x(ux), outer);
      total = total + low(yz);
    }
  };
  HWY_INLINE Weights weights(const Oct<T>& ux, const Oct<T>& uy, const Oct<T>& uz) const {
    const Oct<T> yz = along_yz(uy, uz);
    return {yz * along_x(ux), low(yz)};
  }
  HWY_INLINE Oct<T> along_x(const Oct<T>& ux) const {
    return fma(ux, Oct<T>::load(x.slope), Oct<T>::load(x.intercept)).positive_part();
  }
  HWY_INLINE Oct<T> along_yz(const Oct<T>& uy, const Oct<T>& uz) const {
    return fma(uy, Oct<T>::load(y.slope), Oct<T>::load(y.intercept)) *
           fma(uz, Oct<T>::load(z.slope), Oct<T>::load(z.intercept));
  }
  struct Row {
    T b[4 * row_points];
    Quad<T> carried, beyond;
    HWY_INLINE void clear() { carried = beyond = Quad<T>::zero(); }
    HWY_INLINE void put(int cell, const Sums& s) { put(cell, low(s.outer), s.total, high(s.outer)); }
    HWY_INLINE void put(int cell, const Quad<T>& first, const Quad<T>& total, const Quad<T>& last) {
      (first + carried).store(b + 4 * cell);
      carried = (total - first - last) + beyond;
      beyond = last;
    }
  };
  HWY_INLINE void flush(Row& r, int cells, T* to, std::array<std::int64_t, 3> stride) const {
    r.carried.store(r.b + 4 * cells);
    r.beyond.store(r.b + 4 * cells + 4);
    clear_points(r.b + 4 * (cells + 2), 4);
    for (int i = 0; i <= cells + 1; i += 4) {
      const FourRows<T> rows(r.b + 4 * i, 4);
      add_points(to + i, rows.row[0]);
      add_points(to + i + stride[1], rows.row[1]);
      add_points(to + i + stride[2], rows.row[2]);
      add_points(to + i + stride[2] + stride[1], rows.row[3]);
    }
  }
};

/// Straddled along y (D = 1) or z (D = 2): lane = (the other of y and z) 4 + (low, total, high, unused).
template <class T, int D> struct StraddledAcross {
  LaneLines<T> straddled{3, {0, 1, 2, -1, 0, 1, 2, -1}}, other{2, {0, 0, 0, 0, 1, 1, 1, 1}};

  struct Weights {
    Oct<T> x[2];
  };
  struct Sums {
    Oct<T> x[2];
    HWY_INLINE void clear() { x[0] = x[1] = Oct<T>::zero(); }
    HWY_INLINE void add(const Weights& w, const Oct<T>& value) {
      x[0] = fma(w.x[0], value, x[0]);
      x[1] = fma(w.x[1], value, x[1]);
    }
    HWY_INLINE void add(const StraddledAcross& s, const Oct<T>& ux, const Oct<T>& uy, const Oct<T>& uz,
                        const Oct<T>& value) {
      const Oct<T> w = s.along_yz(uy, uz) * value, upper = w * ux;
      x[0] = x[0] + (w - upper);
      x[1] = x[1] + upper;
    }
  };
  HWY_INLINE Weights weights(const Oct<T>& ux, const Oct<T>& uy, const Oct<T>& uz) const {
    const Oct<T> w = along_yz(uy, uz), upper = w * ux;
    return {{w - upper, upper}};
  }
  HWY_INLINE Oct<T> along_yz(const Oct<T>& uy, const Oct<T>& uz) const {
    const Oct<T>&m = D == 1 ? uy : uz, &l = D == 1 ? uz : uy;
    return fma(m, Oct<T>::load(straddled.slope), Oct<T>::load(straddled.intercept)).positive_part() *
           fma(l, Oct<T>::load(other.slope), Oct<T>::load(other.intercept));
  }
  struct Row {
    T b[8 * row_points];
    Oct<T> carried;
    HWY_INLINE void clear() { carried = Oct<T>::zero(); }
    HWY_INLINE void put(int cell, const Sums& s) {
      (s.x[0] + carried).store(b + 8 * cell);
      carried = s.x[1];
    }
  };
  HWY_INLINE void flush(Row& r, int cells, T* to, std::array<std::int64_t, 3> stride) const {
    const std::int64_t across = stride[D], along = stride[3 - D];
    r.carried.store(r.b + 8 * cells);
    clear_points(r.b + 8 * (cells + 1), 8);
    for (int i = 0; i <= cells; i += 4)
      for (int half = 0; half < 2; ++half) {
        const FourRows<T> rows(r.b + 8 * i + 4 * half, 8);
        T* row = to + i + half * along;
        add_points(row, rows.row[0]);
        add_points(row + across, rows.row[1] - rows.row[0] - rows.row[2]);
        add_points(row + 2 * across, rows.row[2]);
      }
  }
};

/// Any widths up to three points, `nodes` where all are three: the nine combinations of the lines of y and z in eight
/// lanes, all but the middle one, and the middle one for the three lines of x in lanes of its own.
template <class T, bool nodes> struct AnyShape {
  std::array<int, 3> width;
  LaneLines<T> y, z, middle_x;
  T middle_y_intercept, middle_y_slope, middle_z_intercept, middle_z_slope;
  Lines<T> x;

  explicit AnyShape(std::array<int, 3> w)
      : width(w), y(w[1], {0, 1, 2, 0, 2, 0, 1, 2}), z(w[2], {0, 0, 0, 1, 1, 2, 2, 2}),
        middle_x(w[0], {0, 1, 2, -1, -1, -1, -1, -1}), x(lines<T>(w[0])) {
    middle_y_intercept = lines<T>(w[1]).intercept[1], middle_y_slope = lines<T>(w[1]).slope[1];
    middle_z_intercept = lines<T>(w[2]).intercept[1], middle_z_slope = lines<T>(w[2]).slope[1];
  }

  /// Along axis d; known to the compiler for nodes, whose rows then stay in registers.
  HWY_INLINE int points_of(std::size_t d) const { return nodes ? 3 : width[d]; }

  struct Weights {
    Oct<T> x[3];
    Quad<T> middle;
  };
  struct Sums {
    Oct<T> x[3];
    Quad<T> middle;
    HWY_INLINE void clear() { x[0] = x[1] = x[2] = Oct<T>::zero(), middle = Quad<T>::zero(); }
    HWY_INLINE void add(const Weights& w, const Oct<T>& value) {
      for (int a = 0; a < 3; ++a) x[a] = fma(w.x[a], value, x[a]);
      middle = fma(w.middle, low(value), middle);
    }
  };
  HWY_INLINE Weights weights(const Oct<T>& ux, const Oct<T>& uy, const Oct<T>& uz) const {
    const Oct<T> yz = fma(uy, Oct<T>::load(y.slope), Oct<T>::load(y.intercept)).positive_part() *
                      fma(uz, Oct<T>::load(z.slope), Oct<T>::load(z.intercept)).positive_part();
    const Quad<T> along = fma(low(ux), Quad<T>::load(middle_x.slope), Quad<T>::load(middle_x.intercept)).positive_part();
    if constexpr (nodes) {
      const Oct<T> half = Oct<T>::all(T(0.5));
      return {{yz * (half - ux).positive_part(), yz, yz * (ux - half).positive_part()}, along};
    }
    Weights w;
    for (int a = 0; a < 3; ++a)
      w.x[a] = yz * fma(ux, Oct<T>::all(x.slope[a]), Oct<T>::all(x.intercept[a])).positive_part();
    w.middle = along * (fma(low(uy), Quad<T>::all(middle_y_slope), Quad<T>::all(middle_y_intercept)) *
                        fma(low(uz), Quad<T>::all(middle_z_slope), Quad<T>::all(middle_z_intercept)));
    return w;
  }
  struct Row {
    T b[8 * row_points], middle[row_points];
    Oct<T> carried, beyond;
    T middle_carried, middle_beyond;
    bool straddled_x = true;
    HWY_INLINE void clear() {
      carried = beyond = Oct<T>::zero();
      middle_carried = middle_beyond = 0;
    }
    HWY_INLINE void put(int cell, const Sums& s) {
      const bool three = nodes || straddled_x;
      const Oct<T> centre = three ? s.x[1] - s.x[0] - s.x[2] : s.x[1];
      (s.x[0] + carried).store(b + 8 * cell);
      carried = centre + beyond;
      beyond = s.x[2];
      T m[4];
      s.middle.store(m);
      middle[cell] = m[0] + middle_carried;
      middle_carried = (three ? m[1] - m[0] - m[2] : m[1]) + middle_beyond;
      middle_beyond = m[2];
    }
  };
  HWY_INLINE void flush(Row& r, int cells, T* to, std::array<std::int64_t, 3> stride) const {
    r.carried.store(r.b + 8 * cells);
    r.beyond.store(r.b + 8 * cells + 8);
    r.middle[cells] = r.middle_carried;
    r.middle[cells + 1] = r.middle_beyond;
    const int points = cells + points_of(0) - 1;
    clear_points(r.b + 8 * points, 8);
    clear_points(r.middle + points, 1);
    for (int i = 0; i < points; i += 4) {
      const FourRows<T> first(r.b + 8 * i, 8), last(r.b + 8 * i + 4, 8);
      Quad<T> row[3][3] = {{first.row[0], first.row[1], first.row[2]},
                           {first.row[3], Quad<T>::load(r.middle + i), last.row[0]},
                           {last.row[1], last.row[2], last.row[3]}};
      if (points_of(1) == 3)
        for (auto& plane : row) plane[1] = plane[1] - plane[0] - plane[2];
      if (points_of(2) == 3)
        for (int b = 0; b < 3; ++b) row[1][b] = row[1][b] - row[0][b] - row[2][b];
      for (int c = 0; c < points_of(2); ++c)
        for (int b = 0; b < points_of(1); ++b) add_points(to + i + c * stride[2] + b * stride[1], row[c][b]);
    }
  }
};

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
