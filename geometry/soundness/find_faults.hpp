#pragma once

#include "geometry/soundness/faults.hpp"
#include "geometry/surface.hpp"

#include <corral/array.hpp>

#include <cstdint>

namespace corral::geometry {

/// Everything that keeps a surface from being a closed one, oriented outward, whose points have one ring each; `origin`
/// says where it was read, and may be null. Faults that only follow from others are not told: edges are looked at where
/// all corners are points, without triangles that repeat a corner or another triangle; touching points, components and
/// the volume where all edges are sound;
/// triangles that cross in what is closed and has a volume.
Faults find_faults(const Surface& surface, Components components, const SurfaceOrigin* origin = nullptr);

/// Adds to `faults` pairs of triangles that cross: an edge of one goes through the inside of the other, or of several at
/// their common border, by more than what single precision leaves of the coordinates. Triangles that touch, in common
/// points or others, do not cross. The surface is closed, corners are points, coordinates in range. Looks on until
/// `enough` are found, and no longer than so many pairs of triangles take that lie close together: what is entangled
/// beyond that is not told apart.
void look_for_crossings(const Surface& surface, const SurfaceNames& names, Faults& faults, std::int64_t enough = 1000);

/// Adds to `faults` what is wrong with how triangles meet, of those without a mark (one per triangle); all of their
/// corners are points. Marks those that repeat another one.
void look_at_joints(const Surface& surface, Components components, const SurfaceNames& names,
                    Array<std::uint8_t>& marks, Faults& faults);

} // namespace corral::geometry
