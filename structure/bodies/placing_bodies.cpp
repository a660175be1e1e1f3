#include "structure/bodies/placing_bodies.hpp"

#include "geometry/measures.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/surfaces/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace corral::structure {

namespace {

/// By how much a sphere of so few triangles has to grow until the ball fits into it.
double holds_ball() {
  SurfaceModel unit;
  unit.radius = 1;
  const SurfaceShape sphere = make_shape(unit, coarse_markers);
  double nearest = 1;
  for (const geometry::Triangle& t : sphere.triangles) {
    using geometry::operator-;
    const auto x = geometry::corners(sphere.start, t);
    nearest = std::min(nearest, geometry::dot(x[0], geometry::direction(geometry::cross(x[1] - x[0], x[2] - x[0]))));
  }
  return 1 / nearest;
}

SurfaceModel surface_of(const BodyModel& kind, double grown) {
  SurfaceModel surface;
  surface.name = kind.name;
  surface.radius = grown * kind.radius;
  surface.shape = kind.kind == BodyKind::file        ? ShapeKind::file
                  : kind.kind == BodyKind::ellipsoid ? ShapeKind::ellipsoid
                                                     : ShapeKind::sphere;
  for (std::size_t d = 0; d < 3; ++d) surface.semi_axes[d] = grown * kind.semi_axes[d];
  surface.vertices = coarse_markers;
  surface.mesh = kind.mesh;
  return surface;
}

/// How many a group asks for by their share of its region.
std::int64_t count_by_share(const BodyModel& kind, const ImmersedGroup& group) {
  double region = 1;
  for (const std::size_t d : {0u, 1u, 2u}) region *= group.high[d] - group.low[d];
  const double each = body_volume(Cpu{}, kind, group.high[2] - group.low[2]);
  return std::max<std::int64_t>(1, std::llround(group.volume_fraction * region / std::abs(each)));
}

/// Its places stand in a plane across z.
void flatten(ImmersedGroup& group, double z) {
  group.position[2] = group.low[2] = group.high[2] = z;
  group.axis = {0, 0, 1};
  group.turned_at_random = false;
  for (ImmersedGroup::GivenPlace& given : group.table) given.position[2] = z, given.axis = {};
}

} // namespace

Immersed as_surfaces(const FlowSetup& box, std::span<const BodyModel> kinds, std::span<const ImmersedGroup> groups,
                     std::uint64_t seed, const std::string& many) {
  Immersed all;
  static_cast<FlowSetup&>(all) = box;
  all.many = many;
  all.random_seed = seed;
  const double grown = holds_ball(), middle = box.origin[2] + 0.5 * box.size[2];
  for (const BodyModel& kind : kinds) {
    all.surfaces.push_back(surface_of(kind, grown));
    if (kind.kind != BodyKind::cylinder) continue;
    all.size[2] = std::max(all.size[2], 8 * all.surfaces.back().radius); // no images along z
    all.origin[2] = middle - 0.5 * all.size[2];
  }
  for (ImmersedGroup group : groups) {
    const BodyModel& kind = kinds[group.surface];
    if (group.arrangement == GroupArrangement::random && group.count == 0) group.count = count_by_share(kind, group);
    if (kind.kind == BodyKind::cylinder) flatten(group, middle);
    all.groups.push_back(std::move(group));
  }
  return all;
}

std::vector<std::vector<geometry::Placement>> place_bodies(const FlowSetup& box, std::span<const BodyModel> kinds,
                                                           std::span<const ImmersedGroup> groups, std::uint64_t seed,
                                                           const PlacingWatch& watch) {
  return place(as_surfaces(box, kinds, groups, seed), watch);
}

} // namespace corral::structure
