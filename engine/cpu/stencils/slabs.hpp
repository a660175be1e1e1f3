#pragma once

#include "engine/shared/order_data.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace corral::cpu {

/// Groups [low, high) along each axis.
struct Box {
  std::array<std::int64_t, 3> low, high;
};

/// Cuts the groups across y or z into slabs of about equal work, for maps that write to the caller's fields. The cuts
/// depend on the particles and the grid alone, never on the threads. Two slabs with one between them touch no common
/// point, nor do the first and the last where the axis wraps and they are of one colour: all even slabs may run at
/// once, then all odd ones, and every sum has one order.
struct Slabs {
  std::array<std::int64_t, 3> groups;
  std::size_t axis;                ///< 1 or 2
  std::vector<std::int64_t> begin; ///< first group of each slab along that axis, then their number

  std::int64_t count() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  Box box(std::int64_t slab) const {
    Box b{{0, 0, 0}, groups};
    b.low[axis] = begin[static_cast<std::size_t>(slab)];
    b.high[axis] = begin[static_cast<std::size_t>(slab) + 1];
    return b;
  }

  /// A slab has at least `least` groups across: no fewer than a stencil reaches.
  template <class T> static Slabs of(const typename CellOrder<T>::Data& order, std::int64_t least) {
    Slabs s{{order.groups[0].count, order.groups[1].count, order.groups[2].count}, 2, {0}};
    constexpr std::int64_t enough = 16; // slabs across z are whole pieces of memory; across y they are for flat grids
    if (s.groups[2] / least < std::min(enough, s.groups[1] / least)) s.axis = 1;
    const std::vector<std::int64_t> work = s.work_of_planes<T>(order);
    std::int64_t total = 0, done = 0;
    for (const std::int64_t w : work) total += w;
    constexpr std::int64_t least_work = 4096, most_slabs = 256;
    const std::int64_t share = std::max(least_work, total / most_slabs);
    const std::int64_t planes = s.groups[s.axis];
    for (std::int64_t p = 1; p < planes; ++p) {
      done += work[static_cast<std::size_t>(p - 1)];
      if (p - s.begin.back() < least || planes - p < least || done < share) continue;
      s.begin.push_back(p);
      done = 0;
    }
    if (s.begin.size() > 1 && s.begin.size() % 2 == 1) s.begin.pop_back(); // an even number, or one
    s.begin.push_back(planes);
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
  /// Particles of each plane of groups across `axis`, and an allowance for its groups.
  template <class T> std::vector<std::int64_t> work_of_planes(const typename CellOrder<T>::Data& order) const {
    std::vector<std::int64_t> work(static_cast<std::size_t>(groups[axis]), groups[0] * groups[3 - axis] / 4);
    for (std::int64_t k = 0; k < groups[2]; ++k)
      for (std::int64_t j = 0; j < groups[1]; ++j) {
        const std::int64_t* row = order.begin.data() + (k * groups[1] + j) * groups[0];
        work[static_cast<std::size_t>(axis == 2 ? k : j)] += row[groups[0]] - row[0];
      }
    return work;
  }
};

} // namespace corral::cpu
