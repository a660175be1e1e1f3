#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace corral::stokes {

/// The window that carries sources to the grid and fields to targets.
enum class WindowShape : std::uint8_t { kaiser_bessel, exponential_semicircle };

/// The box of the grid, which wraps along all axes.
struct SpectralBox {
  std::array<double, 3> edge{};        ///< [m]
  std::array<std::int64_t, 3> modes{}; ///< points of the grid along each axis
  std::array<bool, 3> free{};          ///< sources have no images along these axes
  /// Along them sources act so far and no farther [m]: the grid's images, which are as far off, do nothing.
  double reach = 0;

  double volume() const { return edge[0] * edge[1] * edge[2]; }
  int free_axes() const { return free[0] + free[1] + free[2]; }
  /// Of the axes along which images act: an area, a length, or 1.
  double period() const {
    double product = 1;
    for (std::size_t d = 0; d < 3; ++d) product *= free[d] ? 1 : edge[d];
    return product;
  }
};

} // namespace corral::stokes
