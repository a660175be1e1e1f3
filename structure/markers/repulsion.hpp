#pragma once

#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/execution.hpp>
#include <corral/grid.hpp>

#include <cstdint>
#include <span>

namespace corral::structure {

/// Points of membranes, and the order in which they are found.
struct OrderedPoints {
  OrderView<double> order; ///< of offset zero: groups are cells
  ConstPoints x;           ///< [m]
  const std::int32_t* membrane; ///< which one each point belongs to
  std::int64_t size;
};

/// Short-range repulsion between points of different membranes: the energy k (range - r)^2/2 of each pair at a distance
/// r below the range, and the same of points and walls of y. Pairs are found in the order that the maps use and seen from
/// both sides, so that forces need no locks and are the same bits for any number of threads. Across periodic sides every
/// image within range counts.
class Repulsion {
public:
  /// `range` [m] above 0; `stiffness` k [N/m].
  Repulsion(const Grid& grid, double range, double stiffness);

  /// Adds to the forces of `on` [N] what the points of `from`, which may be the same, do to them; returns half the
  /// energy of those pairs [J], so that all sides of all pairs add up to the energy.
  double add(Cpu, const OrderedPoints& on, const OrderedPoints& from, const Points& force) const;
  double add(Gpu, const OrderedPoints& on, const OrderedPoints& from, const Points& force) const;
  /// Likewise for the walls; returns the whole energy.
  template <Execution E> double add_walls(E, const OrderedPoints& on, const Points& force) const;

private:
  Grid grid_;
  double range_, stiffness_;
  mutable Array<double> energies_{Memory::device}; ///< scratch of a device: of each point
};

} // namespace corral::structure
