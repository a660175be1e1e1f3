#pragma once

#include "geometry/soundness/faults.hpp"
#include "geometry/surface.hpp"

namespace corral::geometry {

/// Everything that keeps a surface from being a closed one, oriented outward, whose points have one ring each; `origin`
/// says where it was read, and may be null. Faults that only follow from others are not told: edges are looked at where
/// all corners are points, without triangles that repeat a corner or another triangle; touching points, components and
/// the volume where all edges are sound;
/// triangles that cross in what is closed and has a volume.
Faults find_faults(const Surface& surface, Components components, const SurfaceOrigin* origin = nullptr);

} // namespace corral::geometry
