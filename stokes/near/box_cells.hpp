#pragma once

#include <corral/grid.hpp>
#include <corral/host_device.hpp>

#include <array>
#include <cmath>
#include <cstdint>

namespace corral::stokes {

/// Cells of a box that wraps along its periodic axes, and is open along others.
inline Grid cells_of(const std::array<double, 3>& origin, const std::array<double, 3>& edge,
                     const std::array<std::int64_t, 3>& cells, const std::array<bool, 3>& periodic) {
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < 3; ++d) {
    axes[d] = {.cells = cells[d], .origin = origin[d], .spacing = edge[d] / static_cast<double>(cells[d])};
    if (!periodic[d]) axes[d].low = axes[d].high = Boundary::open;
  }
  return Grid(axes);
}

/// Where a particle is along an axis, from its lower end [m], in the cell that an order has found: with the position's own
/// digits, which an order's fraction does not all keep.
CORRAL_HOST_DEVICE inline double coordinate_in_box(const Axis& axis, double position, std::int64_t cell, double fraction) {
  const double whole = position - axis.origin, in_box = (static_cast<double>(cell) + fraction) * axis.spacing;
  return whole - std::round((whole - in_box) / axis.length()) * axis.length();
}

} // namespace corral::stokes
