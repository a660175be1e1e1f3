#pragma once

#include <corral/cell_order.hpp>
#include <corral/for_each.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

/// Loops of one's own over the groups of particles between neighbouring cells' centres, for either processor: of orders
/// with Offset::half along every axis that is not thin, over axes that are periodic or end at walls.
namespace corral {

/// Its place along each axis.
using Group = std::array<std::int64_t, 3>;

namespace groups {

inline constexpr std::size_t corner_count = 8; ///< centres around a group: corner = x + 2 y + 4 z

/// How a particle's position becomes its fraction of the way from the lower centres of its group to the upper ones.
struct Fraction {
  const double* position; ///< along the axis [m]
  double origin, inverse; ///< [m], [1/m]; u = (x - origin) inverse
  double around;          ///< cells of a periodic axis: the last group goes on at its other end; 0 elsewhere

  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const {
    const double u = (position[i] - origin) * inverse;
    return u < -0.5 ? u + around : u;
  }
};

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

/// Cells and faces around a group along each axis. Beyond a wall the stencil is reflected: both lie on one cell.
struct Corners {
  std::int64_t cell[3][2]; ///< places of the lower and the upper centre
  std::int64_t face[3];    ///< place of the face between them; -1 along thin axes
  double origin[3];        ///< of the lower centre [m]
  double inverse[3];       ///< 1/spacing; 0 along thin axes, whose upper centre then has no weight
  double around[3];        ///< cells of a periodic axis, else 0
  bool beyond[3][2];       ///< the centre is a reflected one

  CORRAL_HOST_DEVICE Corners(const Grid& grid, const Group& group) : cell{}, face{}, origin{}, inverse{}, around{}, beyond{} {
    for (int d = 0; d < 3; ++d) {
      const Axis& axis = grid.axis(d);
      const std::int64_t g = group[static_cast<std::size_t>(d)], n = axis.cells;
      if (axis.thin()) {
        face[d] = -1;
        continue;
      }
      // Groups of a periodic axis are numbered by their lower centre, those between walls by their upper one.
      const std::int64_t lower = axis.periodic() ? g : g - 1;
      cell[d][0] = std::max<std::int64_t>(lower, 0);
      cell[d][1] = axis.periodic() ? (lower + 1) % n : std::min(lower + 1, n - 1);
      face[d] = axis.periodic() ? (lower + 1) % n : lower + 1;
      beyond[d][0] = lower < 0;
      beyond[d][1] = !axis.periodic() && lower + 1 == n;
      origin[d] = axis.origin + (static_cast<double>(lower) + 0.5) * axis.spacing;
      inverse[d] = 1 / axis.spacing;
      around[d] = axis.periodic() ? static_cast<double>(n) : 0;
    }
  }
  CORRAL_HOST_DEVICE Fraction fraction(const std::array<const double*, 3>& position, int d) const {
    return {position[static_cast<std::size_t>(d)], origin[d], inverse[d], around[d]};
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

} // namespace groups

namespace detail {

/// Calls f of the groups of a row along x, where the row has the colour that is asked for.
template <class F> struct RowOfGroups {
  OrderView<double> order;
  std::int64_t period; ///< rows apart that reach no point in common
  bool wraps[2];       ///< the axes y and z are periodic
  std::int64_t colour;
  F f;

  CORRAL_HOST_DEVICE std::int64_t colour_of(std::int64_t at, std::int64_t n, bool around) const {
    const std::int64_t whole = n - n % period;
    return around && at >= whole ? period + at - whole : at % period;
  }
  CORRAL_HOST_DEVICE void operator()(std::int64_t row) const {
    const std::int64_t n1 = order.groups[1], n2 = order.groups[2], j = row % n1, k = row / n1;
    if (colour_of(j, n1, wraps[0]) + (2 * period - 1) * colour_of(k, n2, wraps[1]) != colour) return;
    for (std::int64_t i = 0; i < order.groups[0]; ++i) {
      const std::int64_t g = i + order.groups[0] * row;
      const std::int64_t begin = order.group_begin(g), end = order.group_begin(g + 1);
      if (begin < end) f(Group{i, j, k}, begin, end);
    }
  }
};

} // namespace detail

/// Calls f(group, begin, end) for every group that holds particles, at the order's places [begin, end), row by row: rows
/// of one colour are more than `reach` apart and reach no point in common, and colours follow each other, so that sums
/// have one order for any number of threads. What a periodic axis has beyond a multiple of reach + 1 gets colours of its
/// own.
template <Execution E, class F>
void for_each_group(E execution, const Grid& grid, const OrderView<double>& order, int reach, const F& f) {
  const std::int64_t period = reach + 1, colours = (2 * period - 1) * (2 * period - 1);
  const std::int64_t rows = order.groups[1] * order.groups[2];
  for (std::int64_t colour = 0; colour < colours; ++colour) {
    const detail::RowOfGroups<F> row{order, period, {grid.axis(1).periodic(), grid.axis(2).periodic()}, colour, f};
    if constexpr (std::same_as<E, Cpu>) {
      constexpr std::int64_t rows_per_task = 8;
      for_each_chunk(execution, rows, rows_per_task, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) row(r);
      });
    } else {
      for_each(execution, rows, row);
    }
  }
}

} // namespace corral
