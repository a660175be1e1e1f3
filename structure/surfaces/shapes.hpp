#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "geometry/surface.hpp"
#include "structure/setup/immersed.hpp"

#include <cstdint>
#include <vector>

namespace corral::structure {

/// One membrane in its own frame, centred at the origin.
struct SurfaceShape {
  std::vector<geometry::Vector> start;     ///< where its markers begin [m]
  std::vector<geometry::Vector> reference; ///< where they are without stress [m]; empty: where they begin
  std::vector<geometry::Vector> on_sphere; ///< the nodes that they come from; empty for files
  std::vector<geometry::Triangle> triangles; ///< between them
};

/// The shape with the resolution that the case asks for. Throws Error where there is none of that resolution.
SurfaceShape make_shape(const SurfaceModel& kind);
/// The same with about as many markers, for what is not resolved: where membranes find room. A file's shape has its own,
/// and a file's shape without stress is left out.
SurfaceShape make_shape(const SurfaceModel& kind, std::int64_t markers);
inline constexpr std::int64_t coarse_markers = 162;

/// Of where its markers begin, about the origin [m].
double radius_of(const SurfaceShape& shape);
/// Its triangles, where its markers begin.
geometry::SurfaceTree tree_of(const SurfaceShape& shape);

/// Markers of a membrane of that kind, without making it.
std::int64_t marker_count(const SurfaceModel& kind);
/// Likewise triangles.
std::int64_t triangle_count(const SurfaceModel& kind);
/// Of the smooth shape before it is stretched and inflated, for files of the polyhedron.
double shape_area(const SurfaceModel& kind);   ///< [m2]
double shape_volume(const SurfaceModel& kind); ///< of the starting shape [m3]
double effective_radius(const SurfaceModel& kind); ///< of the ball that has this volume [m]

} // namespace corral::structure
