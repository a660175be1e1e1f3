#include "structure/bodies/shape.hpp"

#include "geometry/measures.hpp"
#include "geometry/shapes/shapes.hpp"
#include "run/case/values.hpp"
#include "structure/bodies/even_points.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <utility>

namespace corral::structure {

namespace {

using namespace geometry; // the vectors' operators

constexpr std::int64_t few = 2562, finer_than_points = 3; // corners of triangles of an ellipsoid that points are put on
constexpr std::int64_t drawn = 2562;                      // of those that are drawn

/// Of a smooth function f over the unit sphere: Simpson's rule along z's angle, even steps around it.
template <class F> double integral_over_sphere(const F& f) {
  constexpr int along = 400, around = 400;
  double sum = 0;
  for (int i = 0; i <= along; ++i) {
    const double angle = std::numbers::pi * i / along, r = std::sin(angle), z = std::cos(angle);
    double ring = 0;
    for (int j = 0; j < around; ++j) {
      const double longitude = 2 * std::numbers::pi * j / around;
      ring += f(Vector{r * std::cos(longitude), r * std::sin(longitude), z});
    }
    sum += (i == 0 || i == along ? 1 : i % 2 == 1 ? 4 : 2) * r * ring;
  }
  return sum * (std::numbers::pi / along / 3) * (2 * std::numbers::pi / around);
}

double ellipsoid_area(const std::array<double, 3>& axes) {
  const double a = axes[0], b = axes[1], c = axes[2];
  return integral_over_sphere([=](const Vector& n) { return length(Vector{b * c * n[0], c * a * n[1], a * b * n[2]}); });
}

void require_size(const BodyModel& kind, double size, const char* what) {
  if (!(size > 0) || !std::isfinite(size))
    throw Error("[" + kind.name + "]: " + what + " of " + run::brief(size) + " m (it is above 0 and finite)");
}

void require_sizes(const BodyModel& kind, double thickness) {
  if (kind.points == 0) require_size(kind, kind.spacing, "a spacing");
  switch (kind.kind) {
  case BodyKind::cylinder: require_size(kind, thickness, "a thickness"); [[fallthrough]];
  case BodyKind::sphere: return require_size(kind, kind.radius, "a radius");
  case BodyKind::ellipsoid:
    for (const double a : kind.semi_axes) require_size(kind, a, "half an axis");
    return;
  case BodyKind::file:
    if (!kind.mesh) throw Error("[" + kind.name + "]: a body without its file's surface (nobody read it)");
  }
}

void require_count(const BodyModel& kind, std::int64_t count, std::int64_t least) {
  if (count >= least && count <= most_body_points) return;
  const bool given = kind.points > 0, too_few = count < least;
  throw Error("[" + kind.name + "]: " + std::to_string(count) + " points" +
              (given ? "" : ", " + run::brief(kind.spacing) + " m apart") +
              (too_few ? " (its surface needs " + std::to_string(least) : " (there may be " + std::to_string(most_body_points)) +
              ") take " + (too_few ? "more, or a smaller spacing" : "fewer, or a larger spacing"));
}

/// What parts of the unit sphere its points stand for: Voronoi's cells between Delaunay's triangles, scaled to the sphere.
std::vector<double> cells_on_sphere(std::span<const Vector> points, std::span<const Triangle> triangles) {
  std::vector<double> cells(points.size(), 0.0);
  double all = 0;
  for (const Triangle& t : triangles) {
    const auto x = geometry::corners(points, t);
    for (std::size_t c = 0; c < 3; ++c) { // an edge, and the angle across it
      const Vector u = x[(c + 1) % 3] - x[c], v = x[(c + 2) % 3] - x[c], edge = v - u;
      const double part = dot(u, v) / length(cross(u, v)) * dot(edge, edge) / 8;
      cells[static_cast<std::size_t>(t[(c + 1) % 3])] += part;
      cells[static_cast<std::size_t>(t[(c + 2) % 3])] += part;
      all += 2 * part;
    }
  }
  for (double& a : cells) a *= 4 * std::numbers::pi / all;
  return cells;
}

void put_on_circle(const BodyModel& kind, double thickness, std::int64_t count, BodyShape& body) {
  const double R = kind.radius;
  for (std::int64_t m = 0; m < count; ++m) {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(m) + 0.5) / static_cast<double>(count);
    body.points.push_back({R * std::cos(angle), R * std::sin(angle), 0});
  }
  body.areas.assign(body.points.size(), body.area / static_cast<double>(count));
  const double v = body.volume, across = v * (R * R / 4 + thickness * thickness / 12);
  body.inertia = {across, across, v * R * R / 2, 0, 0, 0};
  body.planar = body.round = true;
  body.radius = R;
  body.outline = body.points;
}

void put_on_sphere(const BodyModel& kind, std::int64_t count, BodyShape& body) {
  const double R = kind.radius, moment = body.volume * R * R * 2 / 5;
  const Surface unit = spiral_sphere(count);
  body.points.assign(unit.points.begin(), unit.points.end());
  body.triangles.assign(unit.triangles.begin(), unit.triangles.end());
  body.areas = cells_on_sphere(body.points, body.triangles);
  for (double& a : body.areas) a *= R * R;
  for (Vector& x : body.points) x = R * x;
  body.inertia = {moment, moment, moment, 0, 0, 0};
  body.round = true;
  body.radius = R;
  body.outline = body.points;
}

void put_on_ellipsoid(Cpu cpu, const BodyModel& kind, std::int64_t count, BodyShape& body) {
  const auto& axes = kind.semi_axes;
  Surface surface = icosphere(frequency_for_points(std::max(few, finer_than_points * count)));
  map_to_ellipsoid(surface.points.span(), axes);
  EvenPoints even = even_points(cpu, surface.points.span(), surface.triangles.span(), count);
  for (Vector& x : even.points) {
    const double size = length(Vector{x[0] / axes[0], x[1] / axes[1], x[2] / axes[2]});
    x = (1 / size) * x; // from the triangle, by the square of its size
  }
  const double share = body.area / geometry::area(cpu, surface.points.span(), surface.triangles.span());
  for (double& a : even.areas) a *= share;
  body.points = std::move(even.points), body.areas = std::move(even.areas);
  std::array<double, 6> second{};
  for (std::size_t d = 0; d < 3; ++d) second[d] = body.volume * axes[d] * axes[d] / 5;
  body.inertia = inertia_of(second);
  body.radius = *std::max_element(axes.begin(), axes.end());
  Surface shown = icosphere(frequency_for_points(drawn));
  map_to_ellipsoid(shown.points.span(), axes);
  body.outline.assign(shown.points.begin(), shown.points.end());
  body.triangles.assign(shown.triangles.begin(), shown.triangles.end());
}

void put_on_mesh(Cpu cpu, const BodyModel& kind, std::int64_t count, BodyShape& body) {
  const Mesh& mesh = *kind.mesh;
  const Solid solid = geometry::solid(cpu, mesh.points(), mesh.triangles());
  body.inertia = inertia_of(solid.second_moments);
  body.outline.assign(mesh.points().begin(), mesh.points().end());
  for (Vector& x : body.outline) x = x - solid.centroid, body.radius = std::max(body.radius, length(x));
  body.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  EvenPoints even = even_points(cpu, body.outline, body.triangles, count);
  body.points = std::move(even.points), body.areas = std::move(even.areas);
}

} // namespace

double body_volume(Cpu cpu, const BodyModel& kind, double thickness) {
  constexpr double of_ball = 4 * std::numbers::pi / 3;
  switch (kind.kind) {
  case BodyKind::cylinder: return std::numbers::pi * kind.radius * kind.radius * thickness;
  case BodyKind::sphere: return of_ball * kind.radius * kind.radius * kind.radius;
  case BodyKind::ellipsoid: return of_ball * kind.semi_axes[0] * kind.semi_axes[1] * kind.semi_axes[2];
  case BodyKind::file: break;
  }
  return geometry::volume(cpu, kind.mesh->points(), kind.mesh->triangles());
}

double equivalent_radius(Cpu cpu, const BodyModel& kind) {
  if (kind.kind == BodyKind::cylinder) return kind.radius;
  return std::cbrt(body_volume(cpu, kind, 0) * 3 / (4 * std::numbers::pi));
}

double body_area(Cpu cpu, const BodyModel& kind, double thickness) {
  switch (kind.kind) {
  case BodyKind::cylinder: return 2 * std::numbers::pi * kind.radius * thickness;
  case BodyKind::sphere: return 4 * std::numbers::pi * kind.radius * kind.radius;
  case BodyKind::ellipsoid: return ellipsoid_area(kind.semi_axes);
  case BodyKind::file: break;
  }
  return geometry::area(cpu, kind.mesh->points(), kind.mesh->triangles());
}

std::int64_t point_count(Cpu cpu, const BodyModel& kind) {
  if (kind.points > 0) return kind.points;
  const double wanted = kind.kind == BodyKind::cylinder
                            ? 2 * std::numbers::pi * kind.radius / kind.spacing
                            : body_area(cpu, kind, 0) / (kind.spacing * kind.spacing);
  return std::max<std::int64_t>(1, std::llround(std::min(wanted, 1e15)));
}

BodyShape make_body(Cpu cpu, const BodyModel& kind, double thickness) {
  require_sizes(kind, thickness);
  const std::int64_t count = point_count(cpu, kind);
  require_count(kind, count, kind.kind == BodyKind::cylinder ? least_points_around : least_points_over);
  BodyShape body;
  body.area = body_area(cpu, kind, thickness);
  body.volume = body_volume(cpu, kind, thickness);
  body.equivalent_radius = equivalent_radius(cpu, kind);
  switch (kind.kind) {
  case BodyKind::cylinder: put_on_circle(kind, thickness, count, body); break;
  case BodyKind::sphere: put_on_sphere(kind, count, body); break;
  case BodyKind::ellipsoid: put_on_ellipsoid(cpu, kind, count, body); break;
  case BodyKind::file: put_on_mesh(cpu, kind, count, body); break;
  }
  body.principal = principal_axes(body.inertia);
  return body;
}

} // namespace corral::structure
