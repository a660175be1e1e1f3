#pragma once

#include "engine/shared/support.hpp"

#include <corral/grid.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace corral::shared {

/// Where a coordinate lies along one axis: a group of the order and the fraction within it.
template <class T> struct AxisPlace {
  std::int64_t group; ///< -1: outside
  T u;                ///< in [0, 1]
};

/// Turns a coordinate [m] into its place along one axis. Positions wrap on a periodic axis; elsewhere the axis is
/// closed at both ends, and a coordinate on the last face, which rounding may put beyond it, counts as inside. On a part
/// all is done as on the whole axis, and the part's offset is taken from the group at the end; its own end is closed
/// where it is the whole's.
template <class T> class AxisKey {
public:
  AxisKey() = default;
  AxisKey(const Axis& axis, const AxisGroups& groups)
      : origin_(static_cast<T>(axis.origin)), inverse_(static_cast<T>(1 / axis.spacing)),
        cells_(static_cast<T>(axis.whole_cells())), low_(static_cast<T>(axis.offset)),
        high_(static_cast<T>(axis.offset + axis.cells)),
        // A coordinate on the last face is rounded as a number of the origin's and the axis' magnitude, then shifted.
        // Far from 0 that may be cells, but what lies more than half a cell outside is never inside.
        limit_(cells_ + std::min(T(0.5), 8 * std::numeric_limits<T>::epsilon() *
                                             (cells_ + static_cast<T>(std::abs(axis.origin) / axis.spacing)))),
        offset_(axis.offset), last_(axis.whole_cells() - (groups.half && !wraps(axis) ? 0 : 1)), half_(groups.half),
        wraps_(wraps(axis)), whole_periodic_(axis.periodic()), part_(axis.cells < axis.whole_cells()) {}

  /// What vector code needs to do the same for coordinates on the grid.
  T origin() const { return origin_; }
  T inverse() const { return inverse_; } ///< of the spacing
  T low() const { return low_; }   ///< where the part begins, in cells of the whole
  T high() const { return high_; } ///< and ends
  std::int64_t last() const { return last_; } ///< group of the whole
  bool half() const { return half_ != 0; }
  bool wraps() const { return wraps_ != 0; }               ///< the whole does
  bool whole_periodic() const { return whole_periodic_ != 0; } ///< it wraps, and this is no part

  CORRAL_HOST_DEVICE AxisPlace<T> operator()(T x) const {
    T index = (x - origin_) * inverse_;
    if (!(index >= low_ && index < high_)) {
      if (wraps_) {
        index -= cells_ * std::floor(index / cells_);
        if (index < T(0) && index > T(-1)) index += cells_; // the quotient was rounded up to a whole number, or to 0
        if (index == cells_) index = T(0);
        if (!(index >= T(0) && index < cells_)) return {-1, T(0)}; // so far away that nothing of it is left
      } else {
        if (!(index >= T(0) && index <= limit_)) return {-1, T(0)};
        if (index > cells_) index = cells_;
      }
      if (part_ && !(index >= low_ && (index < high_ || (high_ == cells_ && index == cells_)))) return {-1, T(0)};
    }
    const T shifted = index + (half_ ? T(0.5) : T(0));
    std::int64_t i = static_cast<std::int64_t>(shifted);
    if (!half_) {
      if (i > last_) --i;
      return {i - offset_, shifted - static_cast<T>(i)};
    }
    T u = shifted - static_cast<T>(i);
    // No cell lies beyond the last face: a particle on it stays on the last cell's side, as with offset zero.
    if (!wraps_ && i == last_ && u >= T(0.5)) u = T(0.5) - std::numeric_limits<T>::epsilon() / 4;
    if (whole_periodic_) i = i == 0 ? last_ : i - 1;
    return {i - offset_, u};
  }

private:
  static bool wraps(const Axis& axis) { return axis.periodic() || axis.global_periodic; }

  T origin_{}, inverse_{}, cells_{}, low_{}, high_{}, limit_{};
  std::int64_t offset_ = 0, last_ = 0;
  std::int32_t half_ = 0, wraps_ = 0, whole_periodic_ = 0, part_ = 0; // no padding, in which a device would be sent anything
};

/// The place of a particle in a cell order: its group, or why it has none, and its fractions.
template <class T> struct Place {
  static constexpr std::int64_t outside = -1, not_finite = -2;
  std::int64_t group;
  T u[3];
};

template <class T> struct CellKey {
  AxisKey<T> axis[3];
  std::int64_t groups[3];

  CORRAL_HOST_DEVICE Place<T> operator()(T x, T y, T z) const {
    if (!(std::isfinite(x) && std::isfinite(y) && std::isfinite(z))) return {Place<T>::not_finite, {}};
    const AxisPlace<T> a = axis[0](x), b = axis[1](y), c = axis[2](z);
    if (a.group < 0 || b.group < 0 || c.group < 0) return {Place<T>::outside, {}};
    return {(c.group * groups[1] + b.group) * groups[0] + a.group, {a.u, b.u, c.u}};
  }
};

} // namespace corral::shared
