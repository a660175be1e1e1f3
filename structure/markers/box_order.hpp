#pragma once

#include "distributed/stretches.hpp"
#include "fluid/domain.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::structure {

/// How a rank's box lies in the whole grid, as maps of points see it.
struct MappedBox {
  struct Along {
    std::int64_t begin, own; ///< the rank's first cell in the whole, and how many it has
    std::int64_t ghosts;     ///< around them, in the box; 0 where the axis is not cut
    bool cut;
    bool turns; ///< a spread takes what comes over its periodic ends by passes of their own
  };

  explicit MappedBox(const distributed::SharedGrid&);

  std::array<Along, 3> along{};
  std::int64_t ghosts = 0; ///< the fewest along axes that are cut; as many as kernels may reach
};

/// The order of points that all ranks know, for maps between them and a rank's box (BoxMaps). It has the points that reach the
/// rank's own cells; of one that lies there the rank finds values.
///
/// What points spread is added up as in a spread over the whole grid: directly first, then what periodic sides bring around, in passes of
/// their own. Along an axis that is not cut the map itself does that, unless an axis before it is cut.
class BoxOrder {
public:
  /// Keeps nothing of it but a reference to its ranks.
  explicit BoxOrder(const distributed::SharedGrid&);

  /// Of n points x [m], the same on all ranks. How many lie in the whole grid; collective.
  std::int64_t sort(Cpu, const ConstPoints& x, std::int64_t n);

  /// A pass of a spread.
  struct Pass {
    std::array<std::int64_t, 3> first; ///< of its cells, counted from the rank's first cell
    CellOrder<double> order;
  };
  /// The points that the orders are of, by their number among all, ascending.
  const Array<std::int64_t>& members() const { return members_; }
  std::int64_t size() const { return size_; }    ///< of all points
  const CellOrder<double>& own() const { return own_; } ///< of the rank's cells
  const std::vector<Pass>& passes() const { return passes_; }

private:
  void find_members(Cpu, const ConstPoints& x, std::int64_t n);

  const distributed::Team& team_;
  Grid whole_;
  MappedBox box_;
  Array<std::int64_t> members_;
  std::array<Array<double>, 3> places_; ///< of them
  CellOrder<double> own_;
  std::vector<Pass> passes_;
  std::int64_t size_ = 0;
};

} // namespace corral::structure
