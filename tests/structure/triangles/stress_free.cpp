#include "structure/surfaces/stress_free.hpp"

#include "geometry/measures.hpp"
#include "geometry/shapes/shapes.hpp"
#include "structure/surfaces/shapes.hpp"
#include "structure/triangles/triangle_membranes.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace corral::structure {
namespace {

using geometry::Vector;
using geometry::operator-;

constexpr double pi = std::numbers::pi;

SurfaceModel red_cell(std::int64_t vertices, StressFree body, double reduced_volume = 1) {
  SurfaceModel kind;
  kind.shape = ShapeKind::red_cell;
  kind.radius = 3.91e-6;
  kind.vertices = vertices;
  kind.stress_free = body;
  kind.reduced_volume = reduced_volume;
  return kind;
}

double elastic_energy(const SurfaceModel& kind, double area_ratio) {
  const SurfaceShape shape = make_shape(kind);
  Material material;
  material.shear_modulus = 1;
  material.area_ratio = area_ratio;
  TriangleMembranes membrane(shape.start, shape.triangles, material, 1, shape.reference);
  std::array<std::vector<double>, 3> x;
  for (const Vector& point : shape.start)
    for (std::size_t d = 0; d < 3; ++d) x[d].push_back(point[d]);
  MembraneMeasures measures;
  membrane.measure(Cpu{}, {x[0].data(), x[1].data(), x[2].data()}, std::span(&measures, 1));
  return measures.elastic_energy;
}

} // namespace

TEST_CASE("A spheroid has the area and the reduced volume that are asked for") {
  for (const double v : {1.0, 0.997, 0.95, 0.64, 0.3}) {
    const double area = 135e-12;
    const Spheroid s = spheroid_of(area, v);
    CHECK(s.along <= s.across);
    const double volume = 4 * pi / 3 * s.across * s.across * s.along, ball = std::pow(area / (4 * pi), 1.5) * 4 * pi / 3;
    CHECK(volume / ball == Approx(v).epsilon(1e-9));
    geometry::Surface sphere = geometry::icosphere(40);
    geometry::map_to_ellipsoid(sphere.points.span(), {s.across, s.across, s.along});
    CHECK(geometry::area(Cpu{}, sphere.points.span(), sphere.triangles.span()) == Approx(area).epsilon(3e-3));
  }
}

TEST_CASE("A shape without stress of the same area differs by shear alone") {
  for (const auto& [body, v] : {std::pair{StressFree::sphere, 1.0}, {StressFree::spheroid, 0.95}, {StressFree::spheroid, 0.6}}) {
    const SurfaceShape shape = make_shape(red_cell(10'242, body, v));
    double worst = 0, all = 0, all_of_reference = 0;
    for (const geometry::Triangle& t : shape.triangles) {
      const auto area = [&](const std::vector<Vector>& x) {
        const Vector& a = x[static_cast<std::size_t>(t[0])];
        return 0.5 * geometry::length(geometry::cross(x[static_cast<std::size_t>(t[1])] - a, x[static_cast<std::size_t>(t[2])] - a));
      };
      const double now = area(shape.start), reference = area(shape.reference);
      worst = std::max(worst, std::abs(now / reference - 1));
      all += now, all_of_reference += reference;
    }
    INFO("reduced volume " << v);
    CHECK(all / all_of_reference == Approx(1).epsilon(5e-4));
    CHECK(worst < 0.04); // triangles are flat
    const double energy = elastic_energy(red_cell(10'242, body, v), 1);
    CHECK(energy > 0);
    CHECK(elastic_energy(red_cell(10'242, body, v), 100) < 1.1 * energy); // what area costs beside shear
  }
}

TEST_CASE("A sphere is its own sphere without stress, and a red cell is nearer to a flatter spheroid") {
  SurfaceModel sphere = red_cell(642, StressFree::sphere);
  sphere.shape = ShapeKind::sphere;
  CHECK(elastic_energy(sphere, 1) < 1e-12 * 4 * pi * sphere.radius * sphere.radius);
  const auto of = [](double v) { return elastic_energy(red_cell(2562, StressFree::spheroid, v), 1); };
  CHECK(of(1) == Approx(elastic_energy(red_cell(2562, StressFree::sphere), 1)).epsilon(1e-6));
  CHECK(of(1) > of(0.95));
  CHECK(of(0.95) > of(0.8));
}

} // namespace corral::structure
