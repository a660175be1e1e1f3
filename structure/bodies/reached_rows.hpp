#pragma once

#include "fluid/domain.hpp"
#include "fluid/row_part.hpp"
#include "structure/markers/marked_cells.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/grid.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace corral::structure {

/// The cells that maps of some points read and write, in fields in the middles of cells: those of their kernel's support, with
/// what MarkedCells adds to them. Where ranks share the grid, those of a rank's box, ghosts among them.
class ReachedRows {
public:
  explicit ReachedRows(const fluid::Domain& domain);
  /// Of cells [first, end) of a grid; beyond periodic ends they are those that the same place has inside.
  ReachedRows(const Grid& grid, const fluid::CellBox& cells);

  /// Of n points at x [m] and a kernel of so many points of the grid along an axis. Good until the next call.
  fluid::RowParts find(const ConstPoints& x, std::int64_t n, int support);

private:
  template <class F> void each_image(int d, std::int64_t low, std::int64_t end, const F& f) const;
  void reach(const std::array<std::int64_t, 3>& low, const std::array<std::int64_t, 3>& end);
  std::int64_t cells(int d) const { return box_.end[static_cast<std::size_t>(d)] - box_.begin[static_cast<std::size_t>(d)]; }

  Grid grid_;
  fluid::CellBox box_;
  MarkedCells reached_;
};

} // namespace corral::structure
