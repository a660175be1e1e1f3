#pragma once

#include "structure/radial/sphere/spiral.hpp"

#include <corral/array.hpp>

#include <array>
#include <functional>

namespace corral::structure::radial {

/// Maps of the unit sphere to space [m], smooth everywhere, poles included, and outwards.
Direction ellipsoid(const Direction& site, const std::array<double, 3>& semi_axes);
inline Direction sphere(const Direction& site, double radius) { return ellipsoid(site, {radius, radius, radius}); }

/// A red cell's shape at rest: x, y = R0 times those of the site, z = R0 p(r) times the site's, r^2 = x^2 + y^2 of the
/// site, p(r) = .105 + r^2 - .56 r^4. With R0 = 3.91 um: 94.4 um3 and 134.2 um2, .82 um thick in the middle, 2.57 um at
/// most.
Direction red_cell(const Direction& site, double radius);

/// Positions of the spiral's sites under a map, component by component.
std::array<Array<double>, 3> positions_at(const Spiral&, const std::function<Direction(const Direction&)>& map);

} // namespace corral::structure::radial
