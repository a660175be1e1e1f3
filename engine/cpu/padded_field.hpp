#pragma once

#include "engine/shared/boundary.hpp"
#include "engine/shared/field_support.hpp"

#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::cpu {

/// What the padded points of one axis stand for, and the other way round: the padded points behind each point.
struct AxisFold {
  AxisFold(const Axis& axis, const shared::AxisSupport& support, bool points_on_faces, int wall_sign);

  struct Source {
    std::int64_t padded;
    int sign;
  };
  std::int64_t padded_points() const { return static_cast<std::int64_t>(point.size()); }
  std::int64_t targets() const { return static_cast<std::int64_t>(start.size()) - 1; }

  std::vector<shared::FoldedPoint> point;  ///< of each padded point
  std::int64_t run_begin, run_end;         ///< padded points that are points of the field themselves
  std::int64_t run_target;                 ///< the field's index of run_begin
  std::vector<std::int64_t> image;         ///< the other padded points
  std::int64_t first_target;               ///< lowest field index that is reached (negative: a ghost)
  std::vector<std::int64_t> start;         ///< sources of target first_target + t: [start[t], start[t + 1])
  std::vector<Source> source;              ///< in ascending order of padded points, the run first
};

/// Values that maps may read, or add zeros to, beyond the end of a padded row.
inline constexpr std::int64_t row_margin = 7;

/// Layout of a field together with the points that stencils reach beyond it, so that no map handles boundaries:
/// spread adds into such a field and `fold_into` brings it home; `fill_from` prepares one for interpolation.
/// Folding and filling are each other's adjoint because both read the same AxisFold.
class PaddedLayout {
public:
  PaddedLayout(const Grid& grid, const shared::FieldSupport& support, Staggering staggering,
               std::array<Sign, 3> wall_sign);

  std::int64_t size() const { return stride_z_ * fold_[2].padded_points(); }
  std::int64_t stride(int d) const { return d == 0 ? 1 : d == 1 ? stride_y_ : stride_z_; }

  /// field += padded, point by point of the field in fixed order.
  template <class T> void fold_into(Cpu, const T* padded, const FieldView<T>& field) const;
  template <class T> void fill_from(Cpu, const FieldView<const T>& field, T* padded) const;

private:
  std::array<AxisFold, 3> fold_;
  std::int64_t stride_y_, stride_z_;
};

} // namespace corral::cpu
