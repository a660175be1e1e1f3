#pragma once

#include "distributed/ranks.hpp"
#include "distributed/stretches.hpp"

#include <corral/grid.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::distributed {

/// How a domain is cut into boxes of cells, one for each rank.
struct Cut {
  std::array<int, 3> ranks{0, 0, 0}; ///< along each axis; 0: PETSc's choice
  /// Along each axis, of one rank after the other; empty: PETSc's choice.
  std::array<std::vector<std::int64_t>, 3> cells;
};

/// A grid over ranks: each has a box of its cells. The ranks stand in rows as PETSc's DMDA, which makes the cut, puts
/// them: x fastest. A host that has a DMDA hands over its ownership ranges as a Cut. A value.
///
/// A periodic axis of more than one cell has halo sides in every part, also where it is not cut: so fields have the
/// same points, and maps the same bits, whatever the cut. An axis of one cell keeps its sides, and is never cut.
class Domain {
public:
  /// Collective. Throws Error for a grid that is itself a part, for halo sides of the whole, for a cut that does not
  /// fit, for more ranks than cells along an axis, and beyond 2^31 - 1 cells in all where PETSc counts in 32 bits.
  Domain(const Ranks& ranks, const Grid& whole, const Cut& cut = {});

  const Ranks& ranks() const { return ranks_; }
  const Grid& whole() const { return whole_; }
  /// This rank's box as a part of the whole (docs/parts.md): what orders and fields of it are made with.
  const Grid& part() const { return part_; }

  int ranks_along(int d) const { return static_cast<int>(begins_[static_cast<std::size_t>(d)].size()) - 1; }
  /// Where a rank stands along each axis.
  std::array<int, 3> place(int rank) const;
  int rank_at(const std::array<int, 3>& place) const;
  /// Cells of the whole along an axis: those of the ranks that stand at `place` are [begin, end).
  std::int64_t begin(int d, int place) const { return begins(d)[static_cast<std::size_t>(place)]; }
  std::int64_t end(int d, int place) const { return begins(d)[static_cast<std::size_t>(place) + 1]; }
  std::int64_t begin(int d) const { return begin(d, place_[static_cast<std::size_t>(d)]); } ///< of this rank
  std::int64_t end(int d) const { return end(d, place_[static_cast<std::size_t>(d)]); }
  /// Where those stand that have a cell of the whole, in [0, whole().axis(d).cells).
  int place_of(int d, std::int64_t cell) const;
  int owner(const std::array<std::int64_t, 3>& cell) const;
  /// Whether this rank is the owner.
  bool has(const std::array<std::int64_t, 3>& cell) const {
    return cell[0] >= begin(0) && cell[0] < end(0) && cell[1] >= begin(1) && cell[1] < end(1) && cell[2] >= begin(2) &&
           cell[2] < end(2);
  }

  /// The axis goes on beyond its ends, in the parts.
  bool wraps(int d) const { return distributed::wraps(whole_.axis(d)); }
  /// Cells [begin, end) of the whole along an axis, as a part of it.
  Axis part_of_axis(int d, std::int64_t begin, std::int64_t end) const;
  /// Points of a field that belong to the ranks at a place: those of their cells' lower sides and middles, and at the
  /// end of an axis that does not wrap its last faces. Each point of the whole belongs to one rank.
  std::int64_t owned_points(Staggering, int d, int place) const;
  std::int64_t owned_points(Staggering s, int d) const {
    return owned_points(s, d, place_[static_cast<std::size_t>(d)]);
  }

private:
  const std::vector<std::int64_t>& begins(int d) const { return begins_[static_cast<std::size_t>(d)]; }

  Ranks ranks_;
  Grid whole_, part_;
  std::array<std::vector<std::int64_t>, 3> begins_; ///< per axis first cells, then the number of cells
  std::array<int, 3> place_{};
};

} // namespace corral::distributed
