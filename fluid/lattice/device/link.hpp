#pragma once

#include "fluid/lattice/flow.hpp"
#include "fluid/lattice/layout.hpp"
#include "fluid/lattice/links.hpp"

#include <cstdint>
#include <vector>

namespace corral::fluid::lattice {

/// How a population reaches a cell: what links.hpp finds, as a number of values from the cell's own place on.
struct Link {
  std::int64_t from = 0; ///< where it is read
  std::int64_t to = 0;   ///< where the cell's own population of this velocity goes
  double weight = 0;
  std::int8_t c[3]{};
  std::uint8_t meets = 0; ///< bit s: it returned from side s
  std::uint8_t left = 0;  ///< the population that it left as
};

/// Cells are of 27 kinds: at the low end, at none or at the high end of each axis. At both it counts as low.
inline constexpr int link_kinds = 27, inner_kind = 13;
CORRAL_HOST_DEVICE inline int end_of(std::int64_t at, std::int64_t cells) { return at == 0 ? 0 : at == cells - 1 ? 2 : 1; }

/// [kind][population] of steps that find populations in their own cells (in place, every other one), or where they left.
template <class Set> std::vector<Link> links(const Walls& walls, const Layout& layout, Scheme scheme, bool in_own_cells) {
  const auto at_end = [](int end, std::int64_t cells) { return end == 0 ? 0 : end == 1 ? cells / 2 : cells - 1; };
  const bool in_place = scheme == Scheme::in_place;
  std::vector<Link> all;
  for (int kind = 0; kind < link_kinds; ++kind) {
    const std::int64_t x = at_end(kind % 3, walls.cells[0]), y = at_end(kind / 3 % 3, walls.cells[1]),
                       z = at_end(kind / 9, walls.cells[2]);
    const std::size_t first = all.size();
    for (int q = 0; q < Set::count; ++q) {
      const RowSource row = walls.source<Set>(q, y, z);
      const Source& source = x == row.end_x ? row.end : row.inner;
      const std::int64_t ahead = x == row.end_x ? row.end_from - x : -row.shift;
      Link& link = all.emplace_back();
      const int slot = in_place ? opposite(source.q) : source.q;
      link.from = in_own_cells ? layout.row(q, 0, 0) : layout.row(slot, source.y - y, source.z - z) + ahead;
      link.weight = Set::weight(q);
      for (std::size_t d = 0; d < 3; ++d) link.c[d] = static_cast<std::int8_t>(Set::c[q][d]);
      for (const int side : source.from)
        if (side >= 0) link.meets = static_cast<std::uint8_t>(link.meets | 1 << side);
      link.left = static_cast<std::uint8_t>(source.q);
    }
    for (int q = 0; q < Set::count; ++q) // in place it goes where the opposite one was read
      all[first + q].to = in_place ? all[first + opposite(q)].from : layout.row(q, 0, 0);
  }
  return all;
}

} // namespace corral::fluid::lattice
