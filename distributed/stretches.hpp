#pragma once

#include <corral/grid.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

/// How a part of a grid sees the whole along an axis: arithmetic of cells, without PETSc.
namespace corral::distributed {

/// Whether the axis goes on beyond its ends, in parts of it.
inline bool wraps(const Axis& whole) { return whole.periodic() && !whole.thin(); }

/// Cells [begin, end) of an axis as a part of it, whose sides are halo where the whole goes on: of a periodic axis both, also where
/// the part has all cells. An axis of one cell stays as it is.
inline Axis part_of_axis(const Axis& whole, std::int64_t begin, std::int64_t end) {
  Axis a = whole;
  if (a.thin()) return a;
  const std::int64_t n = a.cells;
  if (wraps(whole) || begin > 0) a.low = Boundary::halo;
  if (wraps(whole) || end < n) a.high = Boundary::halo;
  a.global_periodic = wraps(whole);
  a.global_cells = n;
  a.offset = begin;
  a.cells = end - begin;
  return a;
}

/// Cells whose particles reach a point of the cells [begin, end): a particle of cell c reaches points c - reach to c +
/// reach.
struct Around {
  std::int64_t begin, end;
};
inline Around around(std::int64_t begin, std::int64_t end, std::int64_t reach) { return {begin - reach, end + reach}; }

/// Cells [begin, end) of the whole along an axis, and how far from a part's first cell they appear.
struct Stretch {
  std::int64_t begin, end, first;
};

/// What cells [begin, end) see of the whole along an axis: themselves with what is around them, then what comes from beyond the
/// upper end, from the farthest turn on, then from beyond the lower one: the order in which a grid folds what it has
/// spread beyond its ends.
inline std::vector<Stretch> stretches(const Axis& whole, std::int64_t begin, std::int64_t end, std::int64_t reach) {
  const std::int64_t n = whole.cells;
  const Around a = around(begin, end, reach);
  std::vector<Stretch> all;
  const auto add = [&](std::int64_t turns) {
    const std::int64_t from = std::max(a.begin, turns * n), to = std::min(a.end, (turns + 1) * n);
    if (from < to) all.push_back({from - turns * n, to - turns * n, from - begin});
  };
  add(0);
  if (!wraps(whole)) return all;
  for (std::int64_t turns = (a.end - 1) / n; turns > 0; --turns) add(turns);
  for (std::int64_t turns = -1; (turns + 1) * n > a.begin; --turns) add(turns);
  return all;
}

} // namespace corral::distributed
