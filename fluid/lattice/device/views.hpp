#pragma once

#include "fluid/faces.hpp"
#include "fluid/lattice/collision.hpp"
#include "fluid/lattice/device/link.hpp"
#include "fluid/lattice/returned.hpp"
#include "fluid/row_part.hpp"

#include <corral/host_device.hpp>

#include <cstdint>

/// What a device's threads see of a lattice: pointers to its memory, and numbers.
namespace corral::fluid::lattice {

inline constexpr int most_populations = 27;

struct CellPlace {
  std::uint32_t x, y, z;
  int kind;
};

/// Cells are numbered as a grid's. There are fewer than 2^32, for their numbers are divided.
struct BoxView {
  std::uint32_t n[3]{}, cells = 0;
  Layout layout;
  const Link* links = nullptr; ///< [kind][population] of the step at hand

  CORRAL_HOST_DEVICE CellPlace in_row(std::uint32_t row, std::uint32_t x) const { return at(x, row % n[1], row / n[1]); }
  CORRAL_HOST_DEVICE CellPlace place(std::uint32_t cell) const { return in_row(cell / n[0], cell % n[0]); }
  CORRAL_HOST_DEVICE CellPlace at(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return {x, y, z, end_of(x, n[0]) + 3 * (end_of(y, n[1]) + 3 * end_of(z, n[2]))};
  }
  CORRAL_HOST_DEVICE std::int64_t own(const CellPlace& p) const { return layout.row(0, p.y, p.z) + p.x; }
  CORRAL_HOST_DEVICE const Link* links_of(int kind) const { return links + kind * layout.count; }
};

/// Velocities of sides, cells a step.
struct SidesView {
  const double* velocity[6][3]{}; ///< [side][d], a value a face; null where nothing returns
  std::uint32_t outlets = 0;      ///< bit s: side s is one
  std::uint32_t enclosing = 0;    ///< bit s: side s and the opposite one are walls
  std::uint32_t acting = 0;       ///< bit s: what returns from there does not arrive as it left

  CORRAL_HOST_DEVICE static std::int64_t face(const BoxView& box, int side, const CellPlace& p) {
    const std::int64_t n0 = box.n[0], n1 = box.n[1];
    return side < 2 ? p.y + n1 * p.z : side < 4 ? p.x + n0 * p.z : p.x + n0 * p.y;
  }
  CORRAL_HOST_DEVICE bool change(const Link& link) const { return (link.meets & acting) != 0; }

  /// What they make of a population. An edge of a wall and an outlet is the wall's.
  template <class A> CORRAL_HOST_DEVICE A returned(const BoxView& box, const Link& link, const CellPlace& p, A g) const {
    const std::uint32_t walls = link.meets & ~outlets;
    const bool wall = walls != 0;
    for (int s = 0; s < 6; ++s) {
      if ((link.meets >> s & 1) == 0 || (wall && (outlets >> s & 1) != 0)) continue;
      const std::int64_t f = face(box, s, p);
      const double ux = velocity[s][0][f], uy = velocity[s][1][f], uz = velocity[s][2][f];
      if (!wall) return static_cast<A>(even_at_outlet(link.weight, link.c, ux, uy, uz)) - g; // all its outlets know the same
      const std::uint32_t ends = walls & enclosing;
      const int c[3] = {along_wall(s, ends, 0, link.c[0]), along_wall(s, ends, 1, link.c[1]), along_wall(s, ends, 2, link.c[2])};
      g += static_cast<A>(given_by_wall(link.weight, c, ux, uy, uz));
    }
    return g;
  }
};

/// Parts of rows, by row.
struct PartsView {
  const RowPart* parts = nullptr;
  const std::uint32_t* first = nullptr; ///< number of a row's first part, and of all at the end; null: no parts are known

  CORRAL_HOST_DEVICE bool contain(std::uint32_t row, std::uint32_t x) const {
    for (std::uint32_t p = first[row]; p < first[row + 1]; ++p)
      if (parts[p].begin <= x && x < parts[p].end) return true;
    return false;
  }
};

/// The cells of a launch, a thread each: all of a box, or those of parts of rows.
struct CellsView {
  const RowPart* parts = nullptr; ///< null: all
  std::uint32_t count = 0;        ///< of cells, or of parts
  std::uint32_t longest = 1;      ///< cells of a part: so many threads a part has

  std::uint64_t threads() const { return std::uint64_t{count} * longest; }

  struct Cell {
    std::uint32_t row, x;
    bool there; ///< whether the thread has one
  };
  CORRAL_HOST_DEVICE Cell of(const BoxView& box, std::uint32_t thread) const {
    if (thread >= count * longest) return {0, 0, false};
    if (!parts) return {thread / box.n[0], thread % box.n[0], true};
    const RowPart part = parts[thread / longest];
    const std::uint32_t x = static_cast<std::uint32_t>(part.begin) + thread % longest;
    return {static_cast<std::uint32_t>(part.row), x, x < part.end};
  }
};

/// The force on cells, in units of the lattice.
template <class A> struct ForceView {
  A everywhere[3]{};
  const double* field[3]{}; ///< [N/m3], null: none along that axis
  double unit = 1;          ///< by which that is multiplied
  PartsView where; ///< elsewhere none of it is read, where parts are known

  CORRAL_HOST_DEVICE Force<A> on(std::uint32_t cell, std::uint32_t row, std::uint32_t x) const {
    Force<A> f{{everywhere[0], everywhere[1], everywhere[2]}};
    if ((field[0] || field[1] || field[2]) && (!where.first || where.contain(row, x)))
      for (int d = 0; d < 3; ++d)
        if (field[d]) f.of[d] += static_cast<A>(field[d][cell] * unit);
    return f;
  }
};

/// Velocities that are wanted in SI units.
struct VelocityView {
  double* to[3]{}; ///< null: not wanted
  double unit = 1; ///< [m/s]

  template <class A> CORRAL_HOST_DEVICE void put(std::uint32_t cell, const A* u) const {
    for (int d = 0; d < 3; ++d)
      if (to[d]) to[d][cell] = static_cast<double>(u[d]) * unit;
  }
};

/// A step of cells.
template <class T, class A> struct StepView {
  BoxView box;
  CellsView cells;
  PartsView apart; ///< are left out, where there are any
  const T* from = nullptr;
  T* to = nullptr; ///< the same lattice, or the next one
  std::int64_t inner_from[most_populations]{}, inner_to[most_populations]{}; ///< links of cells at no end
  ForceView<A> force;
  VelocityView velocity;
  double* outlets[6][3]{}; ///< where outlets keep the velocity before them, else null
  bool any_outlet = false;
  A* fastest = nullptr; ///< [block][axis]
};

/// A look at cells.
template <class T, class A> struct LookView {
  BoxView box;
  CellsView cells;
  SidesView sides;
  const T* from = nullptr;
  ForceView<A> force;
  VelocityView velocity;
  double* pressure = nullptr; ///< null: not wanted
  double pressure_unit = 1;   ///< [Pa]
};

} // namespace corral::fluid::lattice
