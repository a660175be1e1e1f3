#pragma once

#include "geometry/soundness/faults.hpp"
#include "geometry/soundness/names.hpp"
#include "geometry/surface.hpp"

#include <cstdint>

namespace corral::geometry {

/// Adds to `faults` pairs of triangles that cross: an edge of one goes through the inside of the other, or of several at
/// their common border, by more than what single precision leaves of the coordinates. Triangles that touch, in common
/// points or others, do not cross. The surface is closed, corners are points, coordinates in range. Looks on until
/// `enough` are found, and no longer than so many pairs of triangles take that lie close together: what is entangled
/// beyond that is not told apart.
void look_for_crossings(const Surface& surface, const SurfaceNames& names, Faults& faults, std::int64_t enough = 1000);

} // namespace corral::geometry
