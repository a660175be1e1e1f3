#pragma once

#include "engine/shared/field_support.hpp"
#include "engine/shared/order_data.hpp"

#include <corral/cell_order.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace corral::cpu {

/// Cuts [0, count) of rows or planes into slabs of about equal work, each at least `least` long: where the slabs begin,
/// then `count`. work_before(i) is the work of [0, i). The cuts depend on the particles and the grid alone, never on
/// the threads: where two slabs with one between them touch no common point, all even slabs may run at once, then all
/// odd ones, and every sum has one order.
template <class Work>
std::vector<std::int64_t> cut_evenly(std::int64_t count, std::int64_t least, const Work& work_before) {
  constexpr std::int64_t least_work = 4096, most_slabs = 256;
  const std::int64_t share = std::max(least_work, work_before(count) / most_slabs);
  std::vector<std::int64_t> begin{0};
  for (std::int64_t i = 1; i < count; ++i)
    if (i - begin.back() >= least && count - i >= least && work_before(i) - work_before(begin.back()) >= share)
      begin.push_back(i);
  begin.push_back(count);
  return begin;
}

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

/// Groups [low, high) along each axis.
struct GroupBox {
  std::array<std::int64_t, 3> low, high;
};

/// The groups across y or z in slabs, for maps that write to the caller's fields. Two slabs with one between them touch
/// no common point, nor do the first and the last where the axis wraps: their number is even, or one.
struct Slabs {
  std::array<std::int64_t, 3> groups;
  std::size_t axis;                ///< 1 or 2
  std::vector<std::int64_t> begin; ///< first group of each slab along that axis, then their number

  std::int64_t count() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  GroupBox box(std::int64_t slab) const {
    GroupBox b{{0, 0, 0}, groups};
    b.low[axis] = begin[slab];
    b.high[axis] = begin[static_cast<std::size_t>(slab) + 1];
    return b;
  }

  /// A slab has at least `least` groups across: no fewer than a stencil reaches.
  template <class T> static Slabs of(const typename CellOrder<T>::Data& order, std::int64_t least) {
    Slabs s{{order.groups[0].count, order.groups[1].count, order.groups[2].count}, 2, {0}};
    constexpr std::int64_t enough = 16; // slabs across z are whole pieces of memory; across y they are for flat grids
    if (s.groups[2] / least < std::min(enough, s.groups[1] / least)) s.axis = 1;
    const std::vector<std::int64_t> work = s.work_before_planes<T>(order);
    s.begin = cut_evenly(s.groups[s.axis], least, [&](std::int64_t p) { return work[p]; });
    if (s.count() > 1 && s.count() % 2 == 1) s.begin.erase(s.begin.end() - 2);
    return s;
  }

  /// Calls f(box) for every slab, on all threads: first the even slabs, then the odd ones.
  template <class F> void for_each_apart(Cpu cpu, const F& f) const {
    for (std::int64_t colour = 0; colour < 2; ++colour)
      for_each_chunk(cpu, (count() + 1 - colour) / 2, 1,
                     [&](std::int64_t half, std::int64_t) { f(box(2 * half + colour)); });
  }
  /// The same in any order, for work that writes nothing in common.
  template <class F> void for_each_slab(Cpu cpu, const F& f) const {
    for_each_chunk(cpu, count(), 1, [&](std::int64_t slab, std::int64_t) { f(box(slab)); });
  }

private:
  /// Particles of the planes of groups across `axis` before each one, and an allowance for their groups.
  template <class T> std::vector<std::int64_t> work_before_planes(const typename CellOrder<T>::Data& order) const {
    std::vector<std::int64_t> work(static_cast<std::size_t>(groups[axis]) + 1, groups[0] * groups[3 - axis] / 4);
    work[0] = 0;
    const std::int64_t inside = order.begin[order.group_count()];
    if (!order.sparse_groups.empty())
      for (std::int64_t p = 0; p < inside; ++p) {
        const std::int64_t row = order.sparse_groups[p] / groups[0];
        ++work[static_cast<std::size_t>(axis == 2 ? row / groups[1] : row % groups[1]) + 1];
      }
    else for (std::int64_t k = 0; k < groups[2]; ++k)
      for (std::int64_t j = 0; j < groups[1]; ++j) {
        const std::int64_t* row = order.begin.data() + (k * groups[1] + j) * groups[0];
        work[static_cast<std::size_t>(axis == 2 ? k : j) + 1] += row[groups[0]] - row[0];
      }
    std::partial_sum(work.begin(), work.end(), work.begin());
    return work;
  }
};

} // namespace corral::cpu
