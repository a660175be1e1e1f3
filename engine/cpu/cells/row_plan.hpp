#pragma once

#include "engine/cpu/cut.hpp"
#include "engine/shared/field_support.hpp"

#include <corral/cell_order.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace corral::cpu {

/// The rows of groups (row = j + k groups_y) in slabs, for maps on padded fields: two slabs with one between them touch
/// no common padded point.
struct RowPlan {
  std::vector<std::int64_t> begin; ///< first row of each slab, then the number of rows

  std::int64_t slabs() const { return static_cast<std::int64_t>(begin.size()) - 1; }

  template <class T> static RowPlan of(const typename CellOrder<T>::Data& order, std::int64_t least_rows) {
    const std::int64_t rows = order.groups[1].count * order.groups[2].count, row_groups = order.groups[0].count;
    const auto work_before = [&](std::int64_t row) {
      return order.begin[row * row_groups] + row * row_groups; // an empty cell costs about as much as a particle
    };
    return {cut_evenly(rows, least_rows, work_before)};
  }

  /// Calls f(first row, end row) for every slab, on all threads: first the even slabs, then the odd ones.
  template <class F> void for_each_slab_apart(Cpu cpu, const F& f) const {
    for (std::int64_t colour = 0; colour < 2; ++colour)
      for_each_chunk(cpu, (slabs() + 1 - colour) / 2, 1, [&](std::int64_t half, std::int64_t) {
        const auto s = static_cast<std::size_t>(2 * half + colour);
        f(begin[s], begin[s + 1]);
      });
  }
  /// The same in any order, for work that writes nothing in common.
  template <class F> void for_each_slab(Cpu cpu, const F& f) const {
    for_each_chunk(cpu, slabs(), 1, [&](std::int64_t slab, std::int64_t) {
      const auto s = static_cast<std::size_t>(slab);
      f(begin[s], begin[s + 1]);
    });
  }

  /// Rows that must lie between two slabs running at once, for a kernel of so many points and a field of any
  /// staggering: a field gets the same bits whatever other fields are in the call.
  template <class T> static std::int64_t reach(const typename CellOrder<T>::Data& order, int support) {
    const std::int64_t groups_y = order.groups[1].count, groups_z = order.groups[2].count;
    return (groups_z > 1 ? support * groups_y : 0) + (groups_y > 1 ? support : 0); // straddled: one more than a kernel
  }
};

} // namespace corral::cpu
