#pragma once

#include <corral/export.h>
#include <corral/host_device.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace corral {

/// Where the points of a field lie in the cell.
enum class Staggering : std::uint8_t { centre, node, face_x, face_y, face_z };

inline constexpr std::array all_staggerings{Staggering::centre, Staggering::node, Staggering::face_x,
                                            Staggering::face_y, Staggering::face_z};

CORRAL_PUBLIC std::string_view name(Staggering);

/// The face staggering whose normal is `axis` (0, 1, 2).
CORRAL_HOST_DEVICE constexpr Staggering face(int axis) {
  return static_cast<Staggering>(static_cast<int>(Staggering::face_x) + axis);
}

/// True where the points lie on the cells' lower faces along `axis`, false where they lie midway.
CORRAL_HOST_DEVICE constexpr bool on_face(Staggering s, int axis) {
  return s == Staggering::node || static_cast<int>(s) == static_cast<int>(Staggering::face_x) + axis;
}

/// What a stencil point beyond a side of the grid means; the same for spread and interpolate.
enum class Boundary : std::uint8_t {
  periodic, ///< wraps to the other side; both sides of an axis
  wall,     ///< reflects: -1-i, or -i where a point lies on the wall, times the field's sign along that axis
  open,     ///< drops the point
  halo      ///< uses the caller's ghost points
};

CORRAL_PUBLIC std::string_view name(Boundary);

/// One direction of the grid: cells of equal size from `origin` [m] upwards, and a boundary on either side.
///
/// A part of a larger axis, as a rank of a parallel code has it, names the whole: its `global_cells`, its `origin`, and
/// the `offset` at which the part begins. Keys, fractions and results are then the whole's, to the bit. A side at which
/// the whole goes on is Boundary::halo; docs/parts.md says what a code does with its ghosts.
struct Axis {
  std::int64_t cells = 1;
  double origin = 0;  ///< lower end, of the whole axis [m]
  double spacing = 1; ///< [m]
  Boundary low = Boundary::periodic;
  Boundary high = Boundary::periodic;
  bool global_periodic = false;  ///< of a part: the whole axis is periodic, and positions wrap as on it
  std::int64_t offset = 0;       ///< index in the whole axis of this part's first cell
  std::int64_t global_cells = 0; ///< cells of the whole axis; 0: this is the whole

  CORRAL_HOST_DEVICE bool periodic() const { return low == Boundary::periodic; }
  /// One cell: a centred field has one point with weight 1, whatever the kernel. That is how 2D works. Of nodes and
  /// faces, as of any points that are fewer than a kernel's, several weights fall on one: they add up, which multiplies
  /// by their sum where that is not 1 (docs/kernels.md, windows).
  CORRAL_HOST_DEVICE bool thin() const { return whole_cells() == 1; }
  CORRAL_HOST_DEVICE std::int64_t whole_cells() const { return global_cells > 0 ? global_cells : cells; }
  CORRAL_HOST_DEVICE double length() const { return static_cast<double>(cells) * spacing; }
  /// Points of a field: N + 1 on faces, N at centres, N in either case where the axis is periodic.
  CORRAL_HOST_DEVICE std::int64_t points(bool points_on_faces) const {
    return cells + (points_on_faces && !periodic() ? 1 : 0);
  }
  /// Position in index space: cell i of this axis, or part, covers [i, i + 1].
  CORRAL_HOST_DEVICE double index(double x) const { return (x - origin) / spacing - static_cast<double>(offset); }
};

/// A box of cells: three axes. A value, also for loops on a device; x is the fastest direction of every field.
class Grid {
public:
  /// Throws Error for a cell count below 1, a spacing or origin that is not finite or positive, an axis with one
  /// periodic side only, or more than 2^62 points.
  CORRAL_PUBLIC explicit Grid(const std::array<Axis, 3>& axes);

  CORRAL_HOST_DEVICE const Axis& axis(int d) const { return axes_[static_cast<std::size_t>(d)]; }
  CORRAL_HOST_DEVICE std::int64_t cells() const { return axes_[0].cells * axes_[1].cells * axes_[2].cells; }
  CORRAL_HOST_DEVICE double cell_volume() const { return axes_[0].spacing * axes_[1].spacing * axes_[2].spacing; } ///< [m3]

  CORRAL_HOST_DEVICE std::int64_t points(Staggering s, int d) const { return axis(d).points(on_face(s, d)); }
  CORRAL_HOST_DEVICE std::int64_t points(Staggering s) const { return points(s, 0) * points(s, 1) * points(s, 2); }

private:
  std::array<Axis, 3> axes_;
};

} // namespace corral
