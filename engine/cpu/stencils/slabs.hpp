#pragma once

#include "engine/cpu/cut.hpp"
#include "engine/shared/order_data.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace corral::cpu {

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
    for (std::int64_t k = 0; k < groups[2]; ++k)
      for (std::int64_t j = 0; j < groups[1]; ++j) {
        const std::int64_t* row = order.begin.data() + (k * groups[1] + j) * groups[0];
        work[static_cast<std::size_t>(axis == 2 ? k : j) + 1] += row[groups[0]] - row[0];
      }
    std::partial_sum(work.begin(), work.end(), work.begin());
    return work;
  }
};

} // namespace corral::cpu
