#pragma once

#include "engine/cpu/stencil_batch.hpp"
#include "engine/shared/cell_key.hpp"
#include "engine/shared/support.hpp"

#include <corral/cell_order.hpp>
#include <corral/views.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace corral::cpu {

/// How the fields of one staggering are reached without an order: as from one that straddles no axis, but for an axis
/// of one cell, which has no groups of offset 1/2.
template <class T> struct DirectSupport {
  Grid grid;
  Staggering staggering;
  shared::FieldSupport field;
  shared::CellKey<T> key;

  DirectSupport(const Grid& g, Staggering s, const KernelWeights<T>& kernel) : grid(g), staggering(s) {
    for (int d = 0; d < 3; ++d) {
      const bool on_faces = on_face(staggering, d);
      const int support = kernel.support(on_faces);
      const auto groups = shared::AxisGroups::of(grid.axis(d), (support % 2 == 1) == on_faces);
      field.axis[d] = shared::AxisSupport::of(grid.axis(d), groups, on_faces, support);
      key.axis[d] = shared::AxisKey<T>(grid.axis(d), groups);
      key.groups[d] = groups.count;
    }
  }
};

/// The stencils of a few particles on the points of a field itself. Most lie within the field; where one reaches
/// beyond, its points are folded back one by one.
template <class T> class DirectStencils {
public:
  static constexpr int capacity = StencilBatch<T>::capacity;

  /// `stride` and `wall_sign` are those of the fields.
  DirectStencils(const DirectSupport<T>& support, const KernelWeights<T>& kernel, std::array<std::int64_t, 3> stride,
                 std::array<Sign, 3> wall_sign)
      : support_(support), stride_(stride), wall_sign_(wall_sign), batch_(kernel, support.field, stride) {
    for (std::size_t d = 0; d < 3; ++d) {
      last_first_[d] = support_.grid.points(support_.staggering, static_cast<int>(d)) - batch_.points(d);
      folded_[d].resize(static_cast<std::size_t>(batch_.points(d)));
    }
  }

  std::int64_t stride(std::size_t d) const { return stride_[d]; }

  /// Sets the stencils of the n <= capacity particles from `begin` on, and counts them. Without `all_weights` only
  /// those that reach beyond the field have weights.
  void set(const Positions<T>& p, std::int64_t begin, int n, bool all_weights) {
    std::fill_n(kind_, n, Kind::inner);
    std::fill_n(offset_, n, std::int64_t{0});
    for (std::size_t d = 0; d < 3; ++d) place(d, p.axis[d].data + begin * p.axis[d].stride, p.axis[d].stride, n);
    T u[3][capacity];
    int weighed = 0;
    for (int i = 0; i < n; ++i) {
      if (kind_[i] == Kind::inner && !all_weights) continue;
      if (kind_[i] != Kind::inner) offset_[i] = 0;
      if (kind_[i] == Kind::skipped) {
        count_skipped(p, begin + i);
        continue;
      }
      for (std::size_t d = 0; d < 3; ++d) u[d][weighed] = u_[d][i];
      slot_[i] = weighed++;
    }
    batch_.set({u[0], u[1], u[2]}, weighed);
    counts_.inside = (seen_ += n) - counts_.outside - counts_.not_finite;
  }
  const SortCounts& counts() const { return counts_; } ///< of all particles set so far

  bool skipped(int i) const { return kind_[i] == Kind::skipped; }
  /// True where all points are the field's own.
  bool inner(int i) const { return kind_[i] == Kind::inner; }
  std::int64_t first(std::size_t d, int i) const { return first_[d][i]; }
  T u(std::size_t d, int i) const { return u_[d][i]; }
  /// Where the first point of an inner stencil lies, from the field's point (0, 0, 0) [values]; 0 for the others.
  std::int64_t offset(int i) const { return offset_[i]; }
  const T* weights(std::size_t d, int i) const { return batch_.weights(d, slot_[i]); }
  int points(std::size_t d) const { return batch_.points(d); }

  /// Calls f(offset, weight with its sign) for each point of a stencil that exists once boundaries are applied and
  /// has its z index in [low, high).
  template <class F> void for_each_folded(int i, std::int64_t low, std::int64_t high, const F& f) {
    for (std::size_t d = 0; d < 3; ++d)
      for (int j = 0; j < points(d); ++j) folded_[d][j] = folded(d, i, j);
    for (const FoldedWeight& z : folded_[2]) {
      if (z.index < low || z.index >= high || !z.exists) continue;
      for (const FoldedWeight& y : folded_[1])
        for (const FoldedWeight& x : folded_[0])
          if (x.exists && y.exists)
            f(x.index * stride_[0] + y.index * stride_[1] + z.index * stride_[2], z.weight * y.weight * x.weight);
    }
  }

private:
  enum class Kind : std::uint8_t { skipped, inner, reaching };
  struct FoldedWeight {
    std::int64_t index;
    T weight; ///< with its sign
    bool exists;
  };

  void place(std::size_t d, const T* x, std::int64_t x_stride, int n) {
    const shared::AxisKey<T> key = support_.key.axis[d]; // copies, which no store can change
    const shared::AxisSupport axis = support_.field.axis[d];
    const std::int64_t last = last_first_[d], stride = stride_[d];
    for (int i = 0; i < n; ++i) {
      const shared::AxisPlace<T> place = key(x[i * x_stride]);
      const int lead = axis.straddled ? shared::stencil_position(axis, place.u).lead : 0;
      const std::int64_t point = place.group + axis.first + lead;
      first_[d][i] = point;
      u_[d][i] = place.u;
      offset_[i] += point * stride;
      if (place.group < 0) kind_[i] = Kind::skipped;
      else if ((point < 0 || point > last) && kind_[i] == Kind::inner) kind_[i] = Kind::reaching;
    }
  }
  void count_skipped(const Positions<T>& p, std::int64_t i) {
    const bool finite = std::isfinite(p.axis[0][i]) && std::isfinite(p.axis[1][i]) && std::isfinite(p.axis[2][i]);
    ++(finite ? counts_.outside : counts_.not_finite);
  }

  FoldedWeight folded(std::size_t d, int i, int j) const {
    const int axis = static_cast<int>(d);
    const shared::FoldedPoint p = shared::fold(support_.grid.axis(axis), on_face(support_.staggering, axis),
                                               static_cast<int>(wall_sign_[d]), first_[d][i] + j);
    return {p.index, static_cast<T>(p.sign) * weights(d, i)[j], p.sign != 0};
  }

  const DirectSupport<T>& support_;
  std::array<std::int64_t, 3> stride_, last_first_;
  std::array<Sign, 3> wall_sign_;
  StencilBatch<T> batch_;
  SortCounts counts_;
  std::int64_t first_[3][capacity], offset_[capacity];
  T u_[3][capacity];
  Kind kind_[capacity];
  int slot_[capacity]; ///< within batch_
  std::int64_t seen_ = 0;
  std::array<std::vector<FoldedWeight>, 3> folded_; ///< of the particle at hand
};

} // namespace corral::cpu
