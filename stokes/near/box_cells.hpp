#pragma once

#include <corral/grid.hpp>

#include <array>
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

} // namespace corral::stokes
