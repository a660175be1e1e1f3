#pragma once

#include <corral/grid.hpp>

#include <array>

namespace corral::mppic {

/// A box along the axes, from its lower to its upper corner [m].
struct Box {
  std::array<double, 3> low{};
  std::array<double, 3> high{};

  double volume() const { return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]); } ///< [m3]
};

/// The box that the grid covers.
Box domain(const Grid&);

/// The part of `region` inside the grid. Throws Error where there is none.
Box clipped(const Box& region, const Grid&);

} // namespace corral::mppic
