#pragma once

#include "engine/shared/cell_key.hpp"
#include "engine/shared/exclusive_use.hpp"
#include "engine/shared/scratch_pool.hpp"
#include "engine/shared/support.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>

namespace corral {

namespace gpu {
template <class T> struct OrderData; ///< what an order holds on a device; engine/gpu alone looks inside
}
namespace shared {
/// Where the particles of an order were sorted, and so where its maps run; `none` after a sort that failed.
enum class Residence { host, device, none };
}

/// What the sort of many unordered particles moves of each.
template <class T, class Index> struct SortRow {
  T u[3];
  Index key, source;
};

/// Scratch memory of the sorts.
template <class T, class Index> struct SortScratch {
  Array<Index> keys, histogram;
  Array<SortRow<T, Index>> rows;

  std::int64_t bytes() const { return keys.bytes() + histogram.bytes() + rows.bytes(); }
};

/// What a cell order holds. Permutation and keys are 32-bit while particle and group counts allow, 64-bit beyond.
template <class T> struct CellOrder<T>::Data {
  Data(const Grid& g, std::array<Offset, 3> offset);

  bool wide() const;
  /// Throws Error unless the order's particles were sorted there.
  void require(shared::Residence) const;
  std::int64_t group_count() const { return groups[0].count * groups[1].count * groups[2].count; }
  std::int64_t source(std::int64_t i) const {
    if (identity) return i;
    return permutation64.empty() ? std::int64_t{permutation32[i]} : static_cast<std::int64_t>(permutation64[i]);
  }

  /// Most particles, and most groups, for which indices are 32-bit. Tests lower it.
  std::int64_t narrow_limit = std::numeric_limits<std::uint32_t>::max();

  std::atomic_flag in_use; ///< by a call, see ExclusiveUse
  Grid grid;
  std::array<shared::AxisGroups, 3> groups;
  shared::CellKey<T> key;
  SortCounts counts;
  std::int64_t size = 0;
  bool identity = true;
  shared::Residence residence = shared::Residence::host;
  std::shared_ptr<gpu::OrderData<T>> device; ///< null until a sort on a device

  Array<std::int64_t> begin;        ///< group_count() + 3: groups, then outside, then not finite, then the end
  Array<std::uint32_t> permutation32;
  Array<std::uint64_t> permutation64;
  std::array<Array<T>, 3> fraction; ///< inside particles only, in cell order

  SortScratch<T, std::uint32_t> sort32;
  SortScratch<T, std::uint64_t> sort64;
  Array<std::uint64_t> column_copy; ///< scratch of permute
  Array<T> side_by_side;            ///< scratch of the maps: columns that don't lie in cell order
  shared::ScratchPool<T> bricks;    ///< scratch of the maps: copies of the points around some cells
  Array<T> padded;                  ///< scratch of the maps: fields with the points that stencils reach beyond them
  struct {
    Array<T> weights, sums;
  } sort_reduce; ///< scratch of the methods of that name
};

} // namespace corral
