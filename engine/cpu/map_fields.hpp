#pragma once

#include "engine/shared/field_support.hpp"
#include "engine/shared/support.hpp"

#include <corral/kernel_weights.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <utility>
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

  /// From now on of padded planes across z [begin, end) alone: others are neither filled nor folded.
  void keep_planes(std::int64_t begin, std::int64_t end);

  std::int64_t size() const { return stride_z_ * fold_[2].padded_points(); }
  std::int64_t begin() const { return stride_z_ * planes_begin_; } ///< of what is kept: the first value
  std::int64_t end() const { return stride_z_ * planes_end_; }
  std::int64_t stride(int d) const { return d == 0 ? 1 : d == 1 ? stride_y_ : stride_z_; }

  /// field += padded, point by point of the field in fixed order.
  template <class T> void fold_into(Cpu, const T* padded, const FieldView<T>& field) const;
  template <class T> void fill_from(Cpu, const FieldView<const T>& field, T* padded) const;

private:
  bool keeps(std::int64_t plane) const { return plane >= planes_begin_ && plane < planes_end_; }

  std::array<AxisFold, 3> fold_;
  std::int64_t stride_y_, stride_z_;
  std::int64_t planes_begin_ = 0, planes_end_;
  std::vector<std::int64_t> targets_z_; ///< of the field's planes, those that kept ones are folded into
};

using shared::field_block;

/// The terms of a map that share a staggering: their stencils are computed once. Each has a padded field in the
/// order's scratch memory, in which no stencil meets a boundary.
template <class T> struct FieldBlock {
  PaddedLayout layout;
  shared::FieldSupport support;
  std::vector<std::size_t> terms; ///< indices into the call's terms, at most field_block of them
  std::vector<T*> padded;         ///< each term's padded field, once laid: the first point of group (0, 0, 0)'s stencil

  std::array<std::int64_t, 3> stride() const { return {layout.stride(0), layout.stride(1), layout.stride(2)}; }
};

/// One call of spread or interpolate as its method sees it. Term is Spread<T> or Interpolate<T>.
template <class T, class Term> struct MapCall {
  Cpu cpu;
  typename CellOrder<T>::Data& order;
  const KernelWeights<T>& kernel;
  std::span<const Term> terms;
  std::vector<FieldBlock<T>> blocks;
  Array<T>& padded; ///< all padded fields; good where particles' stencils are

  /// Rows of groups along x.
  std::int64_t rows() const { return order.groups[1].count * order.groups[2].count; }

  /// Checks the terms and sorts them into blocks. Throws Error where a column or a field does not fit the order.
  MapCall(Cpu c, typename CellOrder<T>::Data& o, const KernelWeights<T>& k, std::span<const Term> t)
      : cpu(c), order(o), kernel(k), terms(t), padded(o.padded) {
    order.require(shared::Residence::host);
    for (const Term& term : terms) shared::check_term<T>(order, term.column, term.field, kernel);
    shared::check_targets(order.grid, order.size, terms);
    for (std::vector<std::size_t>& block : shared::field_blocks(terms)) {
      const auto& field = terms[block[0]].field;
      const auto support = shared::FieldSupport::of<T>(order, field.staggering, kernel);
      PaddedLayout layout(order.grid, support, field.staggering, field.wall_sign);
      const auto [first, behind] = occupied_planes();
      layout.keep_planes(first, first < behind ? behind + support.axis[2].width - 1 : first);
      blocks.push_back({std::move(layout), support, std::move(block), {}});
    }
  }

  /// Planes of groups across z, up to the last with particles from the first one on.
  std::array<std::int64_t, 2> occupied_planes() const {
    const std::int64_t of_plane = order.groups[0].count * order.groups[1].count, inside = order.counts.inside;
    std::int64_t first = 0, behind = inside > 0 ? order.groups[2].count : 0;
    while (first < behind && order.begin[(first + 1) * of_plane] == 0) ++first;
    while (behind > first && order.begin[(behind - 1) * of_plane] == inside) --behind;
    return {first, behind};
  }

  /// Lays the padded fields, not yet set, one behind the other.
  void lay_padded_fields() {
    constexpr std::int64_t between = 16; // so that fields don't start at the same place in a page
    std::int64_t total = 0;
    for (const FieldBlock<T>& block : blocks)
      total += static_cast<std::int64_t>(block.terms.size()) * (block.layout.size() + between);
    padded.resize(total);
    T* next = padded.data();
    for (FieldBlock<T>& block : blocks)
      for (std::size_t f = 0; f < block.terms.size(); ++f) {
        block.padded.push_back(next);
        next += block.layout.size() + between;
      }
  }
};

/// Adds to a point that nobody else writes meanwhile.
struct PlainAdd {
  template <class T> void operator()(T& point, T gain) const { point += gain; }
};

} // namespace corral::cpu
