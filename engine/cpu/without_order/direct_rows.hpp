#pragma once

#include "engine/cpu/map_fields.hpp"
#include "engine/cpu/order/sort_keys.hpp"
#include "engine/cpu/without_order/direct_stencils.hpp"
#include "engine/cpu/without_order/trilinear_rows.hpp"

#include <corral/array.hpp>
#include <corral/interpolate.hpp>
#include <corral/spread.hpp>

#include <cstdint>
#include <span>

namespace corral::cpu {

/// One to four fields of one staggering copied side by side, with the points that stencils reach beyond them: what a
/// particle that lies anywhere reads is then four short rows of memory instead of eight values from each field, and
/// no stencil meets a boundary. Trilinear stencils.
template <class T> class SideBySide {
public:
  /// Whether the copy repays itself; it depends on the problem alone, as bits do.
  static bool repays(const PaddedLayout& layout, std::int64_t particles);

  SideBySide(const DirectSupport<T>& support, PaddedLayout layout, std::size_t fields);

  /// Copies the fields of the terms.
  void fill_from(Cpu cpu, std::span<const Interpolate<T>> terms);
  /// Zeroes all, for a spread, which fold_into ends.
  void clear(Cpu cpu);
  void fold_into(Cpu cpu, std::span<const Spread<T>> terms);

  const PointRows<T>& rows() const { return rows_; }
  std::int64_t points() const { return layout_.size(); }
  std::int64_t planes() const { return points() / rows_.plane; }

  /// Places the particles [begin, begin + n), n <= capacity, and counts them.
  SortCounts place(const Positions<T>& p, std::int64_t begin, int n, TrilinearBatch<T>& batch) const;

  /// The first n particles of a batch that touch planes of the range.
  void choose(const TrilinearBatch<T>& batch, int n, const PointRange& range, ChosenParticles& chosen) const;

private:
  PaddedLayout layout_;
  shared::CellKey<T> key_; ///< whose groups are padded points

  PointRows<T> rows_;
  Array<T> values_, field_; ///< all fields; one
};

} // namespace corral::cpu
