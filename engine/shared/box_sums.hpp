#pragma once

#include <corral/groups.hpp>
#include <corral/vector_loops.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

/// What one group of particles gives to the cells and boxes around it, and takes from them, for either processor.
namespace corral::boxes {

using namespace groups;

inline constexpr std::size_t most_terms = 10, weighted_terms = 4;

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

/// Columns of particles that are spread together.
struct CornerColumns {
  std::size_t count;    ///< 1 .. most_terms
  const double* column[most_terms];
  const double* weight; ///< null, or the first `weighted_terms` columns are summed once more, times this one
};

/// 1 - u or u along each axis, multiplied. By reference, since wide vectors have no one way to be returned.
CORRAL_INLINED void set_corner_weights(const Fraction (&at)[3], std::int64_t i, AtCorners& w) {
  const AtCorners x0{1, 0, 1, 0, 1, 0, 1, 0}, x1{-1, 1, -1, 1, -1, 1, -1, 1}, y0{1, 1, 0, 0, 1, 1, 0, 0},
      y1{-1, -1, 1, 1, -1, -1, 1, 1}, z0{1, 1, 1, 1, 0, 0, 0, 0}, z1{-1, -1, -1, -1, 1, 1, 1, 1};
  w = (x0 + x1 * at[0](i)) * (y0 + y1 * at[1](i)) * (z0 + z1 * at[2](i));
}

/// Sums of `count` columns over the particles [begin, end) of a group, and of the first `weighted` once more by weight.
template <std::size_t count, std::size_t weighted>
CORRAL_INLINED void sum_columns(const Fraction (&at)[3], std::int64_t begin, std::int64_t end,
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

/// sums[t][corner] of the columns, then of those with a weight. How many there are is known to the loop over particles, so
/// that their sums stay in registers.
template <std::size_t count = 1>
CORRAL_INLINED void sum_corners(const Fraction (&at)[3], std::int64_t begin, std::int64_t end,
                                     const CornerColumns& columns, AtCorners* sums) {
  if constexpr (count < most_terms)
    if (columns.count != count) return sum_corners<count + 1>(at, begin, end, columns, sums);
  if constexpr (count >= weighted_terms)
    if (columns.weight) return sum_columns<count, weighted_terms>(at, begin, end, columns, sums);
  sum_columns<count, 0>(at, begin, end, columns, sums);
}

/// The same, to the bit, a column at a time: a device's registers hold the sums of one.
CORRAL_INLINED void sum_corners_by_column(const Fraction (&at)[3], std::int64_t begin, std::int64_t end,
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

/// Adds to `sums` of the boxes below, around and above a group what its particles [begin, end) carry by distance: a particle
/// that goes on into the next box carries the rest through that one's face.
CORRAL_INLINED void sum_fluxes(const Fraction& along, const Fraction& a, const Fraction& b, std::int64_t begin,
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

CORRAL_INLINED void interpolate_corners(const Fraction (&at)[3], std::int64_t begin, std::int64_t end,
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

} // namespace corral::boxes
