#pragma once

#include "fluid/pressure/pressure_vector.hpp"
#include "mppic/boxes/boxes.hpp"

#include <algorithm>

/// What one group of parcels gives to the cells and boxes around it, and takes from them, for either processor.
namespace corral::mppic::boxes {

inline constexpr std::size_t most_terms = 10, weighted_terms = 4, corner_count = 8; // corner = x + 2 y + 4 z

// Inlined where the CPU's calls are compiled for several instruction sets.
#define CORRAL_BOXES_INLINE CORRAL_HOST_DEVICE __attribute__((always_inline)) inline

/// How a parcel's place becomes its fraction of the way from the lower centres of its group to the upper ones.
struct Fraction {
  const double* place;
  double origin, inverse; ///< [m], [1/m]; u = (x - origin) inverse
  double around;          ///< cells of a periodic axis: the last group goes on at its other end; 0 elsewhere

  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const {
    const double u = (place[i] - origin) * inverse;
    return u < -0.5 ? u + around : u;
  }
};

/// Values at the eight corners.
#if defined(__CUDACC__)
struct AtCorners {
  double of[corner_count];
  CORRAL_HOST_DEVICE double operator[](std::size_t c) const { return of[c]; }
  CORRAL_HOST_DEVICE void operator+=(const AtCorners& b) {
    for (std::size_t c = 0; c < corner_count; ++c) of[c] += b.of[c];
  }
  CORRAL_HOST_DEVICE friend AtCorners operator*(AtCorners a, const AtCorners& b) {
    for (std::size_t c = 0; c < corner_count; ++c) a.of[c] *= b.of[c];
    return a;
  }
  CORRAL_HOST_DEVICE friend AtCorners operator*(AtCorners a, double b) {
    for (double& value : a.of) value *= b;
    return a;
  }
  CORRAL_HOST_DEVICE friend AtCorners operator+(AtCorners a, const AtCorners& b) {
    a += b;
    return a;
  }
};
#else
using AtCorners = double __attribute__((vector_size(corner_count * sizeof(double)))); // loops over arrays stay in memory
#endif

/// Columns of parcels that are spread together.
struct CornerColumns {
  std::size_t count;    ///< 1 .. most_terms
  const double* column[most_terms];
  const double* weight; ///< null, or the first `weighted_terms` columns are summed once more, times this one
};

/// 1 - u or u along each axis, multiplied. By reference, since wide vectors have no one way to be returned.
CORRAL_BOXES_INLINE void set_corner_weights(const Fraction (&at)[3], std::int64_t i, AtCorners& w) {
  const AtCorners x0{1, 0, 1, 0, 1, 0, 1, 0}, x1{-1, 1, -1, 1, -1, 1, -1, 1}, y0{1, 1, 0, 0, 1, 1, 0, 0},
      y1{-1, -1, 1, 1, -1, -1, 1, 1}, z0{1, 1, 1, 1, 0, 0, 0, 0}, z1{-1, -1, -1, -1, 1, 1, 1, 1};
  w = (x0 + x1 * at[0](i)) * (y0 + y1 * at[1](i)) * (z0 + z1 * at[2](i));
}

/// Sums of `count` columns over the parcels [begin, end) of a group, and of the first `weighted` once more by weight.
template <std::size_t count, std::size_t weighted>
CORRAL_BOXES_INLINE void sum_columns(const Fraction (&at)[3], std::int64_t begin, std::int64_t end,
                                     const CornerColumns& columns, AtCorners* sums) {
  AtCorners sum[count + weighted];
  const double* column[count];
  for (AtCorners& s : sum) s = AtCorners{};
  for (std::size_t t = 0; t < count; ++t) column[t] = columns.column[t];
  for (std::int64_t i = begin; i < end; ++i) {
    AtCorners w;
    set_corner_weights(at, i, w);
    for (std::size_t t = 0; t < count; ++t) sum[t] += w * column[t][i];
    if constexpr (weighted > 0) {
      const AtCorners heavy = w * columns.weight[i];
      for (std::size_t t = 0; t < weighted; ++t) sum[count + t] += heavy * column[t][i];
    }
  }
  for (std::size_t t = 0; t < count + weighted; ++t) sums[t] = sum[t];
}

/// sums[t][corner] of the columns, then of those with a weight. How many there are is known to the loop over parcels, so
/// that their sums stay in registers.
template <std::size_t count = 1>
CORRAL_BOXES_INLINE void sum_corners(const Fraction (&at)[3], std::int64_t begin, std::int64_t end,
                                     const CornerColumns& columns, AtCorners* sums) {
  if constexpr (count < most_terms)
    if (columns.count != count) return sum_corners<count + 1>(at, begin, end, columns, sums);
  if constexpr (count >= weighted_terms)
    if (columns.weight) return sum_columns<count, weighted_terms>(at, begin, end, columns, sums);
  sum_columns<count, 0>(at, begin, end, columns, sums);
}

/// The same, to the bit, a column at a time: a device's registers hold the sums of one.
CORRAL_BOXES_INLINE void sum_corners_by_column(const Fraction (&at)[3], std::int64_t begin, std::int64_t end,
                                               const CornerColumns& columns, AtCorners* sums) {
  for (std::size_t t = 0; t < columns.count; ++t) {
    const double* column = columns.column[t];
    AtCorners sum{}, w;
    for (std::int64_t i = begin; i < end; ++i) {
      set_corner_weights(at, i, w);
      sum += w * column[i];
    }
    sums[t] = sum;
  }
  for (std::size_t t = 0; t < weighted_terms && columns.weight; ++t) {
    const double *column = columns.column[t], *weight = columns.weight;
    AtCorners sum{}, w;
    for (std::int64_t i = begin; i < end; ++i) {
      set_corner_weights(at, i, w);
      sum += w * weight[i] * column[i];
    }
    sums[columns.count + t] = sum;
  }
}

/// Sums at the corners a + 2 b across a face.
using Across = double[4];

/// Adds to `sums` of the boxes below, around and above a group what its parcels [begin, end) carry by distance: a parcel
/// that goes on into the next box carries the rest through that one's face.
CORRAL_BOXES_INLINE void sum_fluxes(const Fraction& along, const Fraction& a, const Fraction& b, std::int64_t begin,
                                    std::int64_t end, const double* weight, const double* distance,
                                    Across (&sums)[3]) {
  double all = 0, of_a = 0, of_b = 0, of_both = 0;
  for (std::int64_t i = begin; i < end; ++i) {
    const double from = along(i), s = a(i), t = b(i), to = from + distance[i] * along.inverse;
    double flux = weight[i] * distance[i];
    if (to < 0 || to > 1) {
      const double beyond = (to < 0 ? to : to - 1) / along.inverse, rest = weight[i] * beyond;
      Across& next = sums[to < 0 ? 0 : 2];
      next[0] += rest * (1 - s) * (1 - t);
      next[1] += rest * s * (1 - t);
      next[2] += rest * (1 - s) * t;
      next[3] += rest * s * t;
      flux -= rest;
    }
    all += flux;
    of_a += flux * s;
    of_b += flux * t;
    of_both += flux * (s * t);
  }
  sums[1][0] = all - of_a - of_b + of_both;
  sums[1][1] = of_a - of_both;
  sums[1][2] = of_b - of_both;
  sums[1][3] = of_both;
}

/// Of eight corners' values.
struct Trilinear {
  double a, x, y, z, xy, xz, yz, xyz;

  CORRAL_HOST_DEVICE explicit Trilinear(const double (&v)[corner_count])
      : a(v[0]), x(v[1] - v[0]), y(v[2] - v[0]), z(v[4] - v[0]), xy(v[3] - v[2] - x), xz(v[5] - v[4] - x),
        yz(v[6] - v[4] - y), xyz(v[7] - v[6] - v[5] + v[4] - xy) {}
  CORRAL_HOST_DEVICE double operator()(double r, double s, double t) const {
    return (a + x * r) + s * (y + xy * r) + t * ((z + xz * r) + s * (yz + xyz * r));
  }
};

CORRAL_BOXES_INLINE void interpolate_corners(const Fraction (&at)[3], std::int64_t begin, std::int64_t end,
                                             const Trilinear& x, const Trilinear& y, const Trilinear& z,
                                             const std::array<double*, 3>& out) {
  double *out_x = out[0], *out_y = out[1], *out_z = out[2];
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t i = begin; i < end; ++i) {
    const double r = at[0](i), s = at[1](i), t = at[2](i);
    out_x[i] = x(r, s, t);
    out_y[i] = y(r, s, t);
    out_z[i] = z(r, s, t);
  }
}

/// Cells and faces around a group along each axis. Beyond a wall the stencil is reflected: both lie on one cell.
struct Corners {
  std::int64_t cell[3][2]; ///< places of the lower and the upper centre
  std::int64_t face[3];    ///< place of the face between them; -1 along thin axes
  double origin[3];        ///< of the lower centre [m]
  double inverse[3];       ///< 1/spacing; 0 along thin axes, whose upper centre then has no weight
  double around[3];        ///< cells of a periodic axis, else 0
  bool beyond[3][2];       ///< the centre is a reflected one

  CORRAL_HOST_DEVICE Fraction fraction(const Boxes::Place& place, int d) const {
    return {place[static_cast<std::size_t>(d)], origin[d], inverse[d], around[d]};
  }
  CORRAL_HOST_DEVICE std::int64_t cell_index(const Grid& g, std::size_t c) const {
    return cell[0][c & 1] + g.axis(0).cells * (cell[1][c >> 1 & 1] + g.axis(1).cells * cell[2][c >> 2 & 1]);
  }
  /// The face along d at the corner of the other two axes.
  CORRAL_HOST_DEVICE std::int64_t face_index(const Grid& g, int d, std::size_t c) const {
    std::int64_t at[3], n[2];
    for (int e = 0; e < 3; ++e) at[e] = e == d ? face[e] : cell[e][c >> e & 1];
    for (int e = 0; e < 2; ++e) n[e] = g.points(corral::face(d), e);
    return at[0] + n[0] * (at[1] + n[1] * at[2]);
  }
};

CORRAL_HOST_DEVICE inline Corners corners_of(const Grid& grid, const std::array<std::int64_t, 3>& group) {
  Corners c{};
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(d);
    const std::int64_t g = group[static_cast<std::size_t>(d)], n = axis.cells;
    if (axis.thin()) {
      c.face[d] = -1;
      continue;
    }
    // Groups of a periodic axis are numbered by their lower centre, those between walls by their upper one.
    const std::int64_t lower = axis.periodic() ? g : g - 1;
    c.cell[d][0] = std::max<std::int64_t>(lower, 0);
    c.cell[d][1] = axis.periodic() ? (lower + 1) % n : std::min(lower + 1, n - 1);
    c.face[d] = axis.periodic() ? (lower + 1) % n : lower + 1;
    c.beyond[d][0] = lower < 0;
    c.beyond[d][1] = !axis.periodic() && lower + 1 == n;
    c.origin[d] = axis.origin + (static_cast<double>(lower) + 0.5) * axis.spacing;
    c.inverse[d] = 1 / axis.spacing;
    c.around[d] = axis.periodic() ? static_cast<double>(n) : 0;
  }
  return c;
}

} // namespace corral::mppic::boxes
