#pragma once

#include "structure/markers/box_order.hpp"

#include <corral/cell_order.hpp>
#include <corral/execution.hpp>

#include <concepts>
#include <cstdint>
#include <optional>

namespace corral::structure {

/// The order of points for MarkerMaps: a cell order of the grid, or, where ranks share that, of a rank's box. All ranks then know all points.
class MarkerOrder {
public:
  explicit MarkerOrder(const fluid::Domain& domain) : grid_(domain.whole()) {
    if (domain.shared()) box_.emplace(*domain.shared());
  }

  /// Where ranks share the grid each has the order of all of it, too, from the next sort on.
  void keep_whole() {
    if (!whole_) whole_.emplace(grid_);
  }
  /// Of n points x [m]. Collective over ranks.
  template <Execution E> void sort(E execution, const ConstPoints& x, std::int64_t n) {
    if (!box_) keep_whole();
    if (whole_) whole_->sort(execution, positions(x[0], x[1], x[2], n));
    if constexpr (std::same_as<E, Cpu>)
      if (box_) inside_ = box_->sort(execution, x, n);
  }
  /// How many of them lie in the whole grid. Waits for a device.
  std::int64_t inside() const { return box_ ? inside_ : whole_ ? whole_->counts().inside : 0; }

  /// Of the whole grid, where it is kept: after a sort.
  const CellOrder<double>& whole() const { return *whole_; }
  /// Null where no ranks share the grid.
  const BoxOrder* box() const { return box_ ? &*box_ : nullptr; }

private:
  Grid grid_;
  std::optional<CellOrder<double>> whole_;
  std::optional<BoxOrder> box_;
  std::int64_t inside_ = 0;
};

} // namespace corral::structure
