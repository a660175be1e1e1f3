#pragma once

#include <array>
#include <cstdint>

namespace corral::stokes {

/// The window that carries sources to the grid and fields to targets.
enum class WindowShape : std::uint8_t { kaiser_bessel, exponential_semicircle };

/// The box of the grid, which wraps along all axes.
struct SpectralBox {
  std::array<double, 3> edge{};        ///< [m]
  std::array<std::int64_t, 3> modes{}; ///< points of the grid along each axis
  /// Of free space: sources act so far and no farther, so that the box's images, which must be as far off, do nothing
  /// [m]. 0: images act.
  double reach = 0;

  double volume() const { return edge[0] * edge[1] * edge[2]; }
};

} // namespace corral::stokes
