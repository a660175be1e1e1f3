#pragma once

#include <corral/grid.hpp>
#include <corral/host_device.hpp>

#include <cstdint>

namespace corral::shared {

/// What a point index, possibly beyond the grid, stands for.
struct FoldedPoint {
  std::int64_t index; ///< a point of the field, or of the caller's ghosts
  int sign;           ///< +1, or the product of the wall signs; 0: dropped
};

/// Applies the boundary rules of one axis to point `i` of a field with `points_on_faces`, until it lies on the grid.
CORRAL_HOST_DEVICE inline FoldedPoint fold(const Axis& axis, bool points_on_faces, int wall_sign, std::int64_t i) {
  const std::int64_t points = axis.points(points_on_faces);
  int sign = 1;
  while (i < 0 || i >= points) {
    switch (i < 0 ? axis.low : axis.high) {
    case Boundary::periodic: {
      const std::int64_t m = i % points;
      return {m < 0 ? m + points : m, sign};
    }
    case Boundary::open: return {0, 0};
    case Boundary::halo: return {i, sign};
    case Boundary::wall: {
      const std::int64_t mirror = points_on_faces ? 0 : 1; // twice the distance from the wall to the first point
      i = i < 0 ? -i - mirror : 2 * (points - 1) - i + mirror;
      sign *= wall_sign;
      break;
    }
    }
  }
  return {i, sign};
}

/// The groups of a cell order along one axis: group g holds the particles with floor(X - offset) = g + first_cell,
/// X the position in index space. Along a wall or open axis offset 1/2 makes one group more than there are cells.
struct AxisGroups {
  std::int64_t count = 1;
  std::int64_t first_cell = 0;
  bool half = false; ///< offset 1/2

  CORRAL_HOST_DEVICE static AxisGroups of(const Axis& axis, bool half_offset) {
    if (axis.thin() || !half_offset) return {axis.cells, 0, false};
    return axis.periodic() ? AxisGroups{axis.cells, 0, true} : AxisGroups{axis.cells + 1, -1, true};
  }
};

/// Which points of a field the particles of a group touch along one axis, for a kernel of the given support.
///
/// Points are numbered by a padded index p = g + j, g the group and j in [0, width); point p = 0 has the field's
/// index `first`, which may lie beyond the grid (the boundary then says what it means). Where the field's staggering
/// and the kernel's parity agree with the order's offset, width = support. Otherwise the axis is straddled: the
/// particles of one group have two support cells, and width = support + 1.
struct AxisSupport {
  std::int64_t groups = 1;
  std::int64_t first = 0;
  int support = 1;
  int width = 1;
  bool straddled = false;
  bool thin = false;    ///< one point of weight 1
  bool on_faces = false; ///< the field's points lie on the faces of this axis

  CORRAL_HOST_DEVICE std::int64_t padded_points() const { return groups + width - 1; }

  CORRAL_HOST_DEVICE static AxisSupport of(const Axis& axis, const AxisGroups& groups, bool points_on_faces,
                                           int kernel_support) {
    AxisSupport s;
    s.groups = groups.count;
    s.on_faces = points_on_faces;
    if (axis.thin() && !points_on_faces) {
      s.thin = true;
      return s;
    }
    const bool odd = kernel_support % 2 == 1;
    const bool natural_half = odd == points_on_faces;
    s.support = kernel_support;
    s.straddled = natural_half != groups.half;
    s.width = kernel_support + (s.straddled ? 1 : 0);
    s.first = groups.first_cell - (s.straddled && !groups.half ? 1 : 0) + (odd && points_on_faces ? 1 : 0) -
              (kernel_support - 1) / 2;
    return s;
  }
};

/// The position of one particle relative to its stencil along one axis.
template <class T> struct StencilPosition {
  int lead; ///< 0 or 1: weights start at padded index g + lead
  T r;      ///< argument of Kernel::weights
};

/// `u` in [0, 1] is the particle's fraction within its group. Not for thin axes, which have no stencil to place.
template <class T>
CORRAL_HOST_DEVICE StencilPosition<T> stencil_position(const AxisSupport& s, T u) {
  const T centre = s.support % 2 == 1 ? T(0.5) : T(0);
  if (!s.straddled) return {0, u - centre};
  const int lead = u >= T(0.5) ? 1 : 0;
  return {lead, u + (lead ? T(-0.5) : T(0.5)) - centre};
}

/// All `width` weights of one axis; those a straddled stencil doesn't reach are 0.
template <class Kernel, class T>
CORRAL_HOST_DEVICE void axis_weights(const Kernel& kernel, const AxisSupport& s, T u, T* w) {
  if (s.thin) {
    w[0] = T(1);
    return;
  }
  const StencilPosition<T> position = stencil_position(s, u);
  if (s.straddled) w[position.lead ? 0 : s.support] = T(0);
  kernel.weights(position.r, w + position.lead);
}

} // namespace corral::shared
