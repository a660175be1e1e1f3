#include "tests/catch.hpp"
#include "tests/structure/coupling/stokes_box.hpp"

#include "geometry/shapes/shapes.hpp"

#include <algorithm>
#include <numbers>

namespace corral::test {
namespace {

using geometry::Vector;
using geometry::operator-, geometry::operator+, geometry::operator*;

constexpr double radius = 8; // cells
constexpr Vector centre{32.37, 31.9, 32.14};

/// Forces -(2 gamma/R) n of a sphere whose tension gamma is 1, each for the area around its point.
PointForces drop() {
  const geometry::Surface sphere = geometry::icosphere(24);
  std::vector<double> areas(sphere.points.span().size());
  double total = 0;
  for (const geometry::Triangle& t : sphere.triangles.span()) {
    const auto at = [&](std::size_t corner) { return sphere.points[t[corner]]; };
    const Vector normal = geometry::cross(at(1) - at(0), at(2) - at(0));
    const double area = std::sqrt(geometry::dot(normal, normal)) / 2;
    for (const std::int32_t corner : t) areas[corner] += area / 3;
    total += area;
  }
  const double scale = 4 * std::numbers::pi * radius * radius / total;
  PointForces points;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const Vector& n = sphere.points[static_cast<std::int64_t>(i)];
    points.add(centre + radius * n, (-2 / radius * scale * areas[i]) * n);
  }
  return points;
}

/// Mean pressure inside less that outside, well away from the sphere.
double pressure_jump(const StokesBox& box) {
  const std::int64_t n = box.domain.grid().axis(0).cells;
  std::array<double, 2> sum{}, count{};
  for (std::int64_t k = 0, cell = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i, ++cell) {
        const double r = std::hypot(static_cast<double>(i) + 0.5 - centre[0], static_cast<double>(j) + 0.5 - centre[1],
                                    static_cast<double>(k) + 0.5 - centre[2]);
        if (std::abs(r - radius) < 4) continue;
        sum[r > radius] += box.p[cell];
        count[r > radius] += 1;
      }
  return sum[0] / count[0] - sum[1] / count[1];
}

} // namespace

TEST_CASE("A static sphere's pressure jumps by 2 gamma/R, and kernels drive little flow") {
  PointForces points = drop();
  StokesBox box(64);
  const std::pair<const char*, double> spurious[] = { // largest |u| mu/gamma at R = 8 h
      {"linear", 3.6e-3}, {"roma3", 1.7e-3}, {"peskin4", 8.2e-4}, {"ib6", 6.4e-4}, {"composite43", 2.7e-4}};
  for (const auto& [kernel, expected] : spurious) {
    box.solve(points, kernel);
    double fastest = 0;
    for (const Array<double>& component : box.u)
      for (const double u : component) fastest = std::max(fastest, std::abs(u));
    INFO(kernel);
    CHECK(pressure_jump(box) * radius / 2 == Approx(1).margin(5e-5));
    // It depends on where the sphere lies between cells.
    CHECK(fastest == Approx(expected).epsilon(0.3));
  }
}

} // namespace corral::test
