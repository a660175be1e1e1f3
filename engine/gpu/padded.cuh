#pragma once

#include "engine/gpu/device.cuh"
#include "engine/shared/field_support.hpp"
#include "engine/shared/support.hpp"

#include <corral/views.hpp>

#include <array>
#include <cstdint>

namespace corral::gpu {

/// One axis of a padded field: the points that the stencils of all groups touch, beyond the grid's ends too, and what
/// they stand for. A value that device entries are handed.
struct PaddedAxis {
  Axis axis;
  shared::AxisSupport support;
  int wall_sign = 1;
  std::int64_t points = 1;       ///< of the field itself
  std::int64_t padded = 1;       ///< padded point p has the field's index support.first + p
  std::int64_t first_target = 0; ///< lowest index that is reached (negative: a ghost)
  std::int64_t targets = 1;      ///< indices from there on
  std::int64_t margin = 0;       ///< points this far from both ends stand for themselves alone
  std::int64_t alone[2] = {0, 0}; ///< targets [alone[0], alone[1]) that nothing but themselves stands for

  static PaddedAxis of(const Axis& axis, const shared::AxisSupport& support, bool points_on_faces, int wall_sign);

  __device__ shared::FoldedPoint meaning(std::int64_t p) const {
    return shared::fold(axis, support.on_faces, wall_sign, support.first + p);
  }
  /// Whether a padded point is one of the field.
  __device__ bool of_field(std::int64_t p) const { return support.first + p >= 0 && support.first + p < points; }
  /// Calls f(padded point, sign) for every padded point that stands for field index `target`: the point itself first.
  template <class F> __device__ void for_each_source(std::int64_t target, F&& f) const {
    const std::int64_t own = target - support.first;
    if (target >= 0 && target < points && own >= 0 && own < padded) f(own, 1);
    if (target > margin && target < points - 1 - margin) return;
    for (std::int64_t p = 0; p < padded; ++p) {
      const std::int64_t index = support.first + p;
      if (index >= 0 && index < points) { // itself: leap to what lies beyond the other end
        p = points - 1 - support.first;
        continue;
      }
      const shared::FoldedPoint point = meaning(p);
      if (point.sign != 0 && point.index == target) f(p, point.sign);
    }
  }
};

/// Layout of a field together with the points that stencils reach beyond it, so that no map handles boundaries: a
/// spread adds into such a field and `fold` brings it home; `fill` prepares one for interpolation. Both read the same
/// PaddedAxis, and so are each other's adjoint. The CPU's cpu::PaddedLayout does the same with tables.
struct PaddedField {
  PaddedAxis axis[3];
  std::int64_t stride[3]; ///< [values]
  std::int64_t size;

  /// Where padded point n lies along each axis.
  __device__ void point(std::uint32_t n, std::uint32_t (&along)[3]) const {
    const auto nx = static_cast<std::uint32_t>(axis[0].padded), ny = static_cast<std::uint32_t>(axis[1].padded);
    along[0] = n % nx;
    along[1] = n / nx % ny;
    along[2] = n / nx / ny;
  }

  /// Throws Error for more points than 32-bit indices tell apart: divisions of 64 bits cost a device dearly.
  static PaddedField of(const Grid& grid, const shared::FieldSupport& support, Staggering staggering,
                        std::array<Sign, 3> wall_sign);
};

/// Fields of one layout, whose padded fields lie one behind the other.
template <class Point> struct FieldsOfBlock {
  int count = 0;
  FieldView<Point> view[4] = {};

  FieldsOfBlock part(int first, int n) const {
    FieldsOfBlock some;
    some.count = n;
    for (int f = 0; f < n; ++f) some.view[f] = view[first + f];
    return some;
  }
};

/// Each field += what its padded field holds.
template <class T> void fold(cudaStream_t, const PaddedField&, const T* padded, const FieldsOfBlock<T>&);
/// The same without the points that stand for themselves, which are in the fields already.
template <class T> void fold_beyond(cudaStream_t, const PaddedField&, const T* padded, const FieldsOfBlock<T>&);
/// Sets all points of the padded fields from the fields.
template <class T> void fill(cudaStream_t, const PaddedField&, const FieldsOfBlock<const T>&, T* padded);
/// The same without the points that are the field's own.
template <class T> void fill_beyond(cudaStream_t, const PaddedField&, const FieldsOfBlock<const T>&, T* padded);

} // namespace corral::gpu
