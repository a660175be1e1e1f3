#pragma once

#include "fluid/domain.hpp"
#include "fluid/lattice/velocities.hpp"

#include <array>
#include <cstdint>

/// Where populations come from. The population q of a cell came from the cell behind it, x - c_q. Beyond a side that is the
/// cell itself or a neighbour, with another population: each arrives at one place, and each place is left by one. So a
/// lattice can be read and written at the same places.
namespace corral::fluid::lattice {

/// A source of a population: population `q` of the row (y, z), and along each axis the wall or outlet that it returns from,
/// -1 where it meets none.
struct Source {
  std::int64_t y, z;
  int q;
  std::array<int, 3> from{-1, -1, -1};

  bool returns() const { return from[0] >= 0 || from[1] >= 0 || from[2] >= 0; }
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

  template <class Set> RowSource source(int q, std::int64_t y, std::int64_t z) const;

private:
  /// Along one axis: goes back by c; where that leads to a wall or outlet, to the cell itself. The side, or -1.
  int behind(int axis, std::int64_t& at, std::array<int, 3>& c) const;
};

inline int Walls::behind(int axis, std::int64_t& at, std::array<int, 3>& c) const {
  const std::int64_t from = at - c[axis];
  if (from >= 0 && from < cells[axis]) {
    at = from;
    return -1;
  }
  const int side = fluid::side(axis, c[axis] < 0);
  switch (kinds[side]) {
  case SideKind::periodic: at = from < 0 ? cells[axis] - 1 : 0; return -1;
  case SideKind::free_slip:
  case SideKind::symmetry: c[axis] = -c[axis]; return -1;
  case SideKind::no_slip:
  case SideKind::outlet: break;
  }
  return side;
}

template <class Set> RowSource Walls::source(int q, std::int64_t y, std::int64_t z) const {
  std::array<int, 3> c = Set::c[q];
  RowSource s{.inner = {y, z, q}};
  s.inner.from[1] = behind(1, s.inner.y, c);
  s.inner.from[2] = behind(2, s.inner.z, c);
  const bool returns = s.inner.returns();
  if (returns) s.inner = {y, z, opposite(q), s.inner.from};
  else s.inner.q = population<Set>(c);
  if (Set::c[q][0] == 0) return s;
  const bool first = Set::c[q][0] > 0;
  std::int64_t x = first ? 0 : cells[0] - 1;
  const std::int64_t here = x;
  s.end = s.inner;
  s.end.from[0] = behind(0, x, c);
  s.shift = returns ? 0 : Set::c[q][0];
  if (s.end.from[0] >= 0) s.end = {y, z, opposite(q), s.end.from}; // beside what it met along y and z, if anything
  else if (returns) return s;
  else s.end.q = population<Set>(c);
  s.end_x = here;
  s.end_from = s.end.returns() ? here : x;
  return s;
}

} // namespace corral::fluid::lattice
