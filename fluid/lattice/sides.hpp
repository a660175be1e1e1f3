#pragma once

#include "fluid/domain.hpp"
#include "fluid/lattice/links.hpp"
#include "fluid/lattice/returned.hpp"

#include <corral/array.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::fluid::lattice {

/// What sides do to populations that return from them, in units of the lattice. At a wall momentum is added; at an outlet,
/// where density is that at rest, they change sign and what is even of the equilibrium is added. A side that mirrors them adds the
/// momentum of its inlets. All ask for a velocity at
/// each of the side's faces. In an edge that walls form each adds its own. A lid that slides from one wall to another carries no mass
/// into them. An edge of a wall and an outlet is the wall's.
class Sides {
public:
  /// `speed`: h/dt [m/s].
  Sides(const Domain& domain, double speed);

  const Walls& walls() const { return walls_; }

  /// Takes walls and inlets from the domain as they are now.
  void refresh();
  /// Sets what outlets know of the velocity before them, of those of the n cells from (x, y, z) on that stand there; u[d]: a value a
  /// cell.
  template <class A> void keep(std::int64_t x, int n, std::int64_t y, std::int64_t z, const std::array<const A*, 3>& u) {
    const std::array<std::int64_t, 3> first{x, y, z};
    for (int s = 0; s < 6; ++s) {
      if (!outlet(s)) continue;
      const std::int64_t at = s % 2 == 0 ? 0 : walls_.cells[s / 2] - 1;
      if (s >= 2 && first[s / 2] != at) continue;
      const std::int64_t begin = s < 2 ? std::max(x, at) : x, end = s < 2 ? std::min(x + n, at + 1) : x + n;
      for (std::int64_t i = begin; i < end; ++i)
        for (std::size_t d = 0; d < 3; ++d) velocity_[s][d][face(s, i, y, z)] = u[d][i - x];
    }
  }

  bool outlet(int side) const { return walls_.kinds[side] == SideKind::outlet; }
  bool any_outlet() const {
    for (int s = 0; s < 6; ++s)
      if (outlet(s)) return true;
    return false;
  }
  bool moves(int side) const { return moves_[side]; }
  bool has_velocity(int side) const { return walls_.kinds[side] == SideKind::no_slip || outlet(side) || walls_.lets_in[side]; }
  /// Whether what returns from these arrives as it left.
  bool idle(const std::array<int, 3>& from) const {
    for (const int s : from)
      if (s >= 0 && (outlet(s) || moves(s))) return false;
    return true;
  }
  /// Of the sides, those that are walls as the opposite ones are, of the whole box: bit s.
  unsigned enclosing() const {
    unsigned sides = 0;
    for (int d = 0; d < 3; ++d)
      if (domain_.side_kind_of_whole(2 * d) == SideKind::no_slip && domain_.side_kind_of_whole(2 * d + 1) == SideKind::no_slip)
        sides |= 3u << 2 * d;
    return sides;
  }
  /// What of a population's velocity a wall's is seen by (lattice::along_wall), where it returned from all these.
  std::array<int, 3> along_wall(int side, const std::array<int, 3>& from, std::array<int, 3> c) const {
    unsigned ends = 0;
    for (const int s : from)
      if (s >= 0) ends |= 1u << s & enclosing();
    for (int d = 0; d < 3; ++d) c[d] = lattice::along_wall(side, ends, d, c[d]);
    return c;
  }
  /// On its faces, from that of a cell on: faces of a row along x follow each other.
  std::array<const double*, 3> velocity(int side, const std::array<std::int64_t, 3>& cell) const {
    const std::int64_t at = face(side, cell[0], cell[1], cell[2]);
    return {velocity_[side][0].data() + at, velocity_[side][1].data() + at, velocity_[side][2].data() + at};
  }
  /// The face of a side beside a cell.
  std::int64_t face(int side, std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto& n = walls_.cells;
    return side < 2 ? y + n[1] * z : side < 4 ? x + n[0] * z : x + n[0] * y;
  }
  /// Values of outlets, which a run that is resumed needs.
  std::array<Array<double>, 3>& outlet_velocity(int side) { return velocity_[side]; }

private:
  void take_wall(int side);

  const Domain& domain_;
  double speed_;
  Walls walls_;
  std::array<bool, 6> moves_{};
  std::array<std::array<Array<double>, 3>, 6> velocity_; ///< empty on sides that have none
};

} // namespace corral::fluid::lattice
