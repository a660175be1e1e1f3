#pragma once

#include "geometry/soundness/faults.hpp"
#include "geometry/soundness/names.hpp"
#include "geometry/surface.hpp"

#include <corral/array.hpp>

#include <cstdint>

namespace corral::geometry {

/// Adds to `faults` what is wrong with how triangles meet, of those without a mark (one per triangle); all of their
/// corners are points. Marks those that repeat another one.
void look_at_joints(const Surface& surface, Components components, const SurfaceNames& names,
                    Array<std::uint8_t>& marks, Faults& faults);

} // namespace corral::geometry
