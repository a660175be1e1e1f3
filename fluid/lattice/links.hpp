#pragma once

#include "fluid/domain.hpp"
#include "fluid/lattice/velocities.hpp"

#include <array>
#include <cstdint>

/// Where populations come from. The population q of a cell came from the cell behind it, x - c_q. Beyond a side that is the
/// cell itself or a neighbour, with another population: each arrives at one place, and each place is left by one. So a
/// lattice can be read and written at the same places.
namespace corral::fluid::lattice {

/// A source of a population: population `q` of the row (y, z), and along each axis the wall or outlet that it returns from, or the
/// side with inlets that mirrors it, -1 where it meets none.
struct Source {
  std::int64_t y, z;
  int q;
  std::array<int, 3> from{-1, -1, -1};
  bool turned = false; ///< round, by a wall or an outlet
};

/// Sources of a row: those of cell x stand at x - shift of `inner`; that of the one cell for which this is beyond the box,
/// end_x, 0 or the last, at `end_from` of `end`. end_x = -1: there is none.
struct RowSource {
  Source inner;
  int shift = 0;
  Source end{};
  std::int64_t end_x = -1, end_from = 0;
};

/// The box as populations meet it.
struct Walls {
  std::array<std::int64_t, 3> cells;
  std::array<SideKind, 6> kinds;
  std::array<bool, 6> lets_in{}; ///< of sides that mirror: whether inlets are there

  template <class Set> RowSource source(int q, std::int64_t y, std::int64_t z) const;

private:
  /// A side that does something to a population, or -1.
  struct Met {
    int side = -1;
    bool turns = false;
  };
  /// Along one axis: goes back by c; where that leads to a wall or outlet, to the cell itself.
  Met behind(int axis, std::int64_t& at, std::array<int, 3>& c) const;
};

inline Walls::Met Walls::behind(int axis, std::int64_t& at, std::array<int, 3>& c) const {
  const std::int64_t from = at - c[axis];
  if (from >= 0 && from < cells[axis]) {
    at = from;
    return {};
  }
  const int side = fluid::side(axis, c[axis] < 0);
  switch (kinds[side]) {
  case SideKind::periodic: at = from < 0 ? cells[axis] - 1 : 0; return {};
  case SideKind::free_slip:
  case SideKind::symmetry: c[axis] = -c[axis]; return {lets_in[side] ? side : -1};
  case SideKind::no_slip:
  case SideKind::outlet: break;
  }
  return {side, true};
}

template <class Set> RowSource Walls::source(int q, std::int64_t y, std::int64_t z) const {
  std::array<int, 3> c = Set::c[q];
  RowSource s{.inner = {y, z, q}};
  const Met along_y = behind(1, s.inner.y, c), along_z = behind(2, s.inner.z, c);
  s.inner.from = {-1, along_y.side, along_z.side};
  const bool returns = along_y.turns || along_z.turns;
  if (returns) s.inner = {y, z, opposite(q), s.inner.from, true};
  else s.inner.q = population<Set>(c);
  if (Set::c[q][0] == 0) return s;
  const bool first = Set::c[q][0] > 0;
  std::int64_t x = first ? 0 : cells[0] - 1;
  const std::int64_t here = x;
  s.end = s.inner;
  const Met along_x = behind(0, x, c);
  s.end.from[0] = along_x.side;
  s.shift = returns ? 0 : Set::c[q][0];
  if (along_x.turns) s.end = {y, z, opposite(q), s.end.from, true}; // beside what it met along y and z, if anything
  else if (returns && along_x.side < 0) return s;
  else if (!returns) s.end.q = population<Set>(c);
  s.end_x = here;
  s.end_from = s.end.turned ? here : x;
  return s;
}

} // namespace corral::fluid::lattice
