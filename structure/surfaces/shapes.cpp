#include "structure/surfaces/shapes.hpp"

#include "geometry/measures.hpp"
#include "geometry/mesh.hpp"
#include "geometry/shapes/shapes.hpp"
#include "structure/surfaces/stress_free.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

namespace corral::structure {

namespace {

using geometry::Vector;

geometry::Surface sphere_of(Nodes nodes, std::int64_t markers) {
  return nodes == Nodes::spiral ? geometry::spiral_sphere(markers)
                                : geometry::icosphere(geometry::frequency_for_points(markers));
}

void map(const SurfaceModel& kind, std::span<Vector> points) {
  switch (kind.shape) {
  case ShapeKind::sphere: return geometry::map_to_ellipsoid(points, {kind.radius, kind.radius, kind.radius});
  case ShapeKind::ellipsoid: return geometry::map_to_ellipsoid(points, kind.semi_axes);
  case ShapeKind::red_cell:
    // Radial functions are smooth on the sphere in the formula's own latitude.
    return geometry::map_to_red_cell(points, kind.radius,
                                     kind.representation == Representation::radial ? geometry::RedCellLatitude::formula
                                                                                   : geometry::RedCellLatitude::even);
  case ShapeKind::file: return;
  }
}

template <class T> std::vector<T> copy(std::span<const T> values) { return {values.begin(), values.end()}; }

bool starts_deformed(const SurfaceModel& kind) {
  return kind.inflation != 1 || kind.stretch != std::array<double, 3>{1, 1, 1};
}

SurfaceShape deformed(const SurfaceModel& kind, SurfaceShape shape) {
  if (!starts_deformed(kind)) return shape;
  if (shape.reference.empty()) shape.reference = shape.start;
  for (Vector& x : shape.start)
    for (std::size_t d = 0; d < 3; ++d) x[d] *= kind.stretch[d] * kind.inflation;
  return shape;
}

} // namespace

SurfaceShape make_shape(const SurfaceModel& kind, std::int64_t markers) {
  SurfaceShape shape;
  if (kind.shape == ShapeKind::file) {
    shape.start = copy(kind.mesh->points());
    shape.triangles = copy(kind.mesh->triangles());
    return deformed(kind, std::move(shape));
  }
  const geometry::Surface sphere = sphere_of(kind.nodes, markers);
  shape.on_sphere = copy<Vector>(sphere.points.span());
  shape.triangles = copy<geometry::Triangle>(sphere.triangles.span());
  shape.start = shape.on_sphere;
  map(kind, shape.start);
  if (kind.stress_free == StressFree::sphere || kind.stress_free == StressFree::spheroid)
    shape.reference = on_spheroid(shape.on_sphere, kind.stress_free == StressFree::sphere ? 1 : kind.reduced_volume,
                                  [&](Vector on_body) {
                                    map(kind, std::span(&on_body, 1));
                                    return on_body;
                                  });
  return deformed(kind, std::move(shape));
}

double radius_of(const SurfaceShape& shape) {
  double square = 0;
  for (const Vector& x : shape.start) square = std::max(square, geometry::dot(x, x));
  return std::sqrt(square);
}

geometry::SurfaceTree tree_of(const SurfaceShape& shape) {
  geometry::Surface surface;
  surface.points.assign(shape.start);
  surface.triangles.assign(shape.triangles);
  return geometry::SurfaceTree(geometry::Mesh::of_sound(std::move(surface)));
}

SurfaceShape make_shape(const SurfaceModel& kind) {
  SurfaceShape shape = make_shape(kind, kind.vertices);
  if (kind.stress_free == StressFree::file) shape.reference = kind.reference;
  return shape;
}

std::int64_t marker_count(const SurfaceModel& kind) {
  if (kind.shape == ShapeKind::file) return kind.mesh->point_count();
  if (kind.nodes == Nodes::spiral) return kind.vertices;
  const std::int64_t frequency = geometry::frequency_for_points(kind.vertices);
  return 10 * frequency * frequency + 2;
}

std::int64_t triangle_count(const SurfaceModel& kind) {
  return kind.shape == ShapeKind::file ? kind.mesh->triangle_count() : 2 * marker_count(kind) - 4;
}

namespace {

/// What has no formula is measured on a mesh that is finer than anybody sees.
constexpr std::int64_t fine = 40'962;

SurfaceShape without_stress(const SurfaceModel& kind, std::int64_t markers) {
  SurfaceModel plain = kind;
  plain.stretch = {1, 1, 1}, plain.inflation = 1, plain.nodes = Nodes::icosphere, plain.stress_free = StressFree::shape;
  return make_shape(plain, markers);
}

} // namespace

double shape_area(const SurfaceModel& kind) {
  if (kind.shape == ShapeKind::sphere) return 4 * std::numbers::pi * kind.radius * kind.radius;
  if (kind.shape == ShapeKind::red_cell) return geometry::red_cell_area(kind.radius);
  const SurfaceShape shape = without_stress(kind, fine);
  return geometry::area(Cpu{}, shape.start, shape.triangles);
}

double shape_volume(const SurfaceModel& kind) {
  double factor = kind.inflation * kind.inflation * kind.inflation;
  for (const double s : kind.stretch) factor *= s;
  constexpr double of_ball = 4 * std::numbers::pi / 3;
  switch (kind.shape) {
  case ShapeKind::sphere: return factor * of_ball * kind.radius * kind.radius * kind.radius;
  case ShapeKind::ellipsoid: return factor * of_ball * kind.semi_axes[0] * kind.semi_axes[1] * kind.semi_axes[2];
  case ShapeKind::red_cell: return factor * geometry::red_cell_volume(kind.radius);
  case ShapeKind::file: break;
  }
  return factor * geometry::volume(Cpu{}, kind.mesh->points(), kind.mesh->triangles());
}

double effective_radius(const SurfaceModel& kind) {
  return std::cbrt(std::abs(shape_volume(kind)) * 3 / (4 * std::numbers::pi));
}

} // namespace corral::structure
