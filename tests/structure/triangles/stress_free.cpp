#include "structure/surfaces/stress_free.hpp"

#include "geometry/files/read_mesh.hpp"
#include "geometry/measures.hpp"
#include "geometry/shapes/shapes.hpp"
#include "structure/surfaces/shapes.hpp"
#include "structure/triangles/triangle_membranes.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
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

double elastic_energy(const SurfaceShape& shape, double area_ratio) {
  Material material;
  material.shear_modulus = 1;
  material.area_ratio = area_ratio;
  TriangleMembranes membrane(shape.start, shape.triangles, material, 1, shape.reference);
  std::array<std::vector<double>, 3> x;
  for (const Vector& point : shape.start)
    for (std::size_t d = 0; d < 3; ++d) x[d].push_back(point[d]);
  MembraneMeasures measures;
  membrane.measure(Cpu{}, {x[0].data(), x[1].data(), x[2].data()}, &measures);
  return measures.elastic_energy;
}

SurfaceModel sphere(double radius, double inflation = 1) {
  SurfaceModel kind;
  kind.radius = radius;
  kind.inflation = inflation;
  kind.vertices = 162;
  return kind;
}

std::array<std::vector<double>, 3> forces_of(const SurfaceShape& shape) {
  Material material;
  material.shear_modulus = 1;
  material.area_ratio = 10;
  material.bending_law = BendingLaw::helfrich;
  material.bending_modulus = 1e-14;
  TriangleMembranes membrane(shape.start, shape.triangles, material, 1, shape.reference);
  std::array<std::vector<double>, 3> x, f;
  for (std::size_t d = 0; d < 3; ++d) {
    for (const Vector& point : shape.start) x[d].push_back(point[d]);
    f[d].resize(x[d].size());
  }
  membrane.forces(Cpu{}, {x[0].data(), x[1].data(), x[2].data()}, {f[0].data(), f[1].data(), f[2].data()});
  return f;
}

std::string coordinates(const Vector& x) {
  std::ostringstream text;
  text.precision(17);
  text << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
  return text.str();
}

std::string stl(const SurfaceShape& shape) {
  std::string text = "solid s\n";
  for (const geometry::Triangle& t : shape.triangles) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const std::int32_t p : t) text += "vertex " + coordinates(shape.start[static_cast<std::size_t>(p)]);
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid s\n";
}

/// The same with its triangles in another order, and from another corner on.
std::string off(const SurfaceShape& shape) {
  std::string text = "OFF\n" + std::to_string(shape.start.size()) + " " + std::to_string(shape.triangles.size()) + " 0\n";
  for (const Vector& x : shape.start) text += coordinates(x);
  for (auto t = shape.triangles.rbegin(); t != shape.triangles.rend(); ++t)
    text += "3 " + std::to_string((*t)[1]) + " " + std::to_string((*t)[2]) + " " + std::to_string((*t)[0]) + "\n";
  return text;
}

} // namespace

TEST_CASE("A sphere that is without stress as the smaller one of a file has the forces of one that is inflated") {
  const SurfaceShape inflated = make_shape(sphere(4e-6, 1.1)), small = make_shape(sphere(4e-6));
  for (const std::string& file : {off(small), stl(small)}) {
    SurfaceModel kind = sphere(4.4e-6);
    kind.stress_free = StressFree::file;
    kind.reference = points_in_order(geometry::mesh_of({"small", file}).mesh, make_shape(kind, kind.vertices));
    CHECK(make_shape(kind).reference == small.start);
    const auto expected = forces_of(inflated), found = forces_of(make_shape(kind));
    double most = 0, apart = 0;
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t i = 0; i < found[d].size(); ++i) {
        most = std::max(most, std::abs(expected[d][i]));
        apart = std::max(apart, std::abs(found[d][i] - expected[d][i]));
      }
    CHECK(most > 0);
    CHECK(apart < 1e-12 * most);
  }
}

TEST_CASE("A mesh that joins its points otherwise is no shape without stress") {
  const SurfaceShape shape = make_shape(sphere(4e-6));
  const auto mesh = [&](auto change) {
    geometry::Surface surface;
    surface.points.assign(shape.start);
    surface.triangles.assign(shape.triangles);
    change(surface);
    return geometry::Mesh(std::move(surface));
  };
  CHECK_NOTHROW(points_in_order(mesh([](geometry::Surface&) {}), shape));
  CHECK_THROWS_WITH(points_in_order(geometry::Mesh(geometry::icosphere(5)), shape), Catch::Matchers::ContainsSubstring("has 252 vertices"));
  CHECK_THROWS_WITH(points_in_order(mesh([](geometry::Surface& s) { // an edge goes across the other way, in both triangles
                      geometry::Triangle &a = s.triangles[0], *b = nullptr;
                      for (std::int64_t t = 1; t < s.triangles.size() && !b; ++t)
                        for (std::size_t k = 0; k < 3; ++k)
                          if (s.triangles[t][k] == a[1] && s.triangles[t][(k + 1) % 3] == a[0])
                            std::rotate(s.triangles[t].begin(), s.triangles[t].begin() + static_cast<std::ptrdiff_t>(k), s.triangles[t].end()),
                                b = &s.triangles[t];
                      const std::int32_t far = (*b)[2];
                      *b = {far, a[1], a[2]};
                      a[1] = far;
                    }),
                                    shape),
                    Catch::Matchers::ContainsSubstring("joins its vertices otherwise"));
}

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

TEST_CASE("A shape without stress of the same area differs by shear alone", "[physics]") {
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
    const double energy = elastic_energy(shape, 1);
    CHECK(energy > 0);
    CHECK(elastic_energy(shape, 100) < 1.1 * energy); // what area costs beside shear
  }
}

TEST_CASE("A sphere is its own sphere without stress, and a red cell is nearer to a flatter spheroid", "[physics]") {
  SurfaceModel sphere = red_cell(642, StressFree::sphere);
  sphere.shape = ShapeKind::sphere;
  CHECK(elastic_energy(make_shape(sphere), 1) < 1e-12 * 4 * pi * sphere.radius * sphere.radius);
  const auto of = [](StressFree body, double v) { return elastic_energy(make_shape(red_cell(2562, body, v)), 1); };
  const double round = of(StressFree::spheroid, 1), flatter = of(StressFree::spheroid, 0.95);
  CHECK(round == Approx(of(StressFree::sphere, 1)).epsilon(1e-6));
  CHECK(round > flatter);
  CHECK(flatter > of(StressFree::spheroid, 0.8));
}

} // namespace corral::structure
