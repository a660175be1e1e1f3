#pragma once

#include <corral/grid.hpp>

#include <array>
#include <functional>

namespace corral::fluid {

/// Velocity through an inlet between the corners `low` and `high` [m], given at a face's centre: the product of a parabola
/// for each axis but `normal` and thin ones, of the mean `velocity` [m/s]. Each face has the mean over its part of the
/// inlet, so that the flux is exact on any grid.
std::function<double(const std::array<double, 3>& centre)>
parabolic_profile(const Grid& grid, int normal, const std::array<double, 3>& low, const std::array<double, 3>& high,
                  double velocity);

} // namespace corral::fluid
