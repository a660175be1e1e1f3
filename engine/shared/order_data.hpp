#pragma once

#include "engine/shared/cell_key.hpp"
#include "engine/shared/support.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/error.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace corral::shared {

/// Marks an order as used by a call for as long as this lives. A flag, not a lock: waiting would hide the mistake, and
/// could not end where one thread is in both calls.
class ExclusiveUse {
public:
  /// Throws Error where another call has it.
  explicit ExclusiveUse(std::atomic_flag& in_use) : in_use_(in_use) {
    if (in_use_.test_and_set(std::memory_order_acquire))
      throw Error("an order that another call is using at this moment (its scratch memory serves one sort or map at a "
                  "time) give each thread an order of its own");
  }
  ~ExclusiveUse() { in_use_.clear(std::memory_order_release); }
  ExclusiveUse(const ExclusiveUse&) = delete;
  ExclusiveUse& operator=(const ExclusiveUse&) = delete;

private:
  std::atomic_flag& in_use_;
};

/// Arrays that tasks borrow and that stay for the next task and call: memory which is asked of the system anew is
/// cleared by it page by page, and that may take longer than the work.
template <class T> class ScratchPool {
public:
  /// One task's own array, of any size, with any values; given back at the end of its scope.
  class Lease {
  public:
    explicit Lease(ScratchPool& pool) : array(pool.take()), pool_(pool) {}
    ~Lease() { pool_.give_back(std::move(array)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    Array<T> array;

  private:
    ScratchPool& pool_;
  };

  std::int64_t bytes() const {
    const std::lock_guard lock(mutex_);
    std::int64_t sum = 0;
    for (const Array<T>& array : free_) sum += array.bytes();
    return sum;
  }

private:
  Array<T> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      free_.reserve(lent_ + 1); // so that giving back never needs memory
      ++lent_;
      return {};
    }
    Array<T> array = std::move(free_.back());
    free_.pop_back();
    ++lent_;
    return array;
  }
  void give_back(Array<T> array) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(array));
    --lent_;
  }

  mutable std::mutex mutex_;
  std::vector<Array<T>> free_;
  std::size_t lent_ = 0;
};

} // namespace corral::shared

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
  Array<std::uint64_t> pairs; ///< of key and source

  std::int64_t bytes() const { return keys.bytes() + histogram.bytes() + rows.bytes() + pairs.bytes(); }
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
  Array<std::uint32_t> sparse_groups; ///< of each place the group, where particles are few beside groups; else empty
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
