#include "geometry/shapes/shapes.hpp"

#include "geometry/measures.hpp"
#include "geometry/mesh.hpp"
#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/geometry/solids.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <limits>
#include <numbers>

using namespace corral;
using namespace corral::geometry;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double radius = 3.91; // of the red cell [um]

struct VolumeAndArea {
  double volume, area;
};
VolumeAndArea measured(const Surface& s) {
  return {volume(Cpu{}, s.points.span(), s.triangles.span()), area(Cpu{}, s.points.span(), s.triangles.span())};
}

double edge_ratio(const Surface& s) {
  const EdgeLengths e = edge_lengths(Cpu{}, s.points.span(), s.triangles.span());
  return e.longest / e.shortest;
}

// Relative errors at frequencies 8, 16, 32: each a quarter of the one before, up to what fourth order leaves, and the
// first one what a mesh of that fineness errs.
template <class Map> void check_second_order(const VolumeAndArea& exact, double first_error, Map&& map) {
  VolumeAndArea before{};
  for (const int n : {8, 16, 32}) {
    Surface s = icosphere(n);
    map(s);
    const VolumeAndArea found = measured(s);
    const VolumeAndArea error{found.volume / exact.volume - 1, found.area / exact.area - 1};
    INFO("frequency " << n << ": volume off by " << error.volume << ", area by " << error.area);
    CHECK(std::abs(error.volume) < test::truncation(2, 8.0 / n, first_error));
    CHECK(std::abs(error.area) < test::truncation(2, 8.0 / n, first_error));
    if (n > 8) {
      CHECK(before.volume / error.volume == Approx(4).margin(test::truncation(2, 8.0 / n, .4)));
      CHECK(before.area / error.area == Approx(4).margin(test::truncation(2, 8.0 / n, .4)));
    }
    before = error;
  }
}

} // namespace

TEST_CASE("icospheres of any frequency are sound and have as many triangles and points as promised") {
  for (int n = 1; n <= 24; ++n) {
    Surface s = icosphere(n);
    REQUIRE(s.triangles.size() == 20 * n * n);
    REQUIRE(s.points.size() == 10 * n * n + 2);
    for (const Vector& x : s.points) REQUIRE(std::abs(length(x) - 1) <= test::round_off(3));
    CHECK(edge_ratio(s) < 1.18);
    const Mesh mesh(std::move(s));
    for (std::int64_t p = 0; p < mesh.point_count(); ++p) REQUIRE(mesh.ring(p).size() == (p < 12 ? 5 : 6));
  }
}

TEST_CASE("frequencies are found from points and edges") {
  CHECK(frequency_for_points(0) == 1);
  CHECK(frequency_for_points(12) == 1);
  CHECK(frequency_for_points(13) == 2);
  CHECK(frequency_for_points(42) == 2);
  CHECK(frequency_for_points(642) == 8);
  CHECK(frequency_for_points(643) == 9);
  CHECK(frequency_for_points(10 * 1581 * 1581 + 2) == 1581);
  for (const double edge : {.05, .1, .3}) {
    const int n = frequency_for_edge(edge, 4 * pi);
    const auto mean_edge = [](int frequency) {
      const Surface s = icosphere(frequency);
      return edge_lengths(Cpu{}, s.points.span(), s.triangles.span()).mean;
    };
    CHECK(mean_edge(n) <
          1.01 * edge); // triangles are neither equal nor equilateral, nor is their area quite the sphere's
    CHECK(mean_edge(n - 1) > .99 * edge);
  }
  CHECK(test::message_of([] { icosphere(0); }) ==
        "an icosphere of frequency 0 (1 to 1581, which has 49991220 triangles)");
  CHECK(test::message_of([] { icosphere(1582); }).starts_with("an icosphere of frequency 1582"));
  CHECK(test::message_of([] {
          frequency_for_points(10 * 1581 * 1581 + 3);
        }).starts_with("an icosphere of frequency 1582"));
  CHECK(test::message_of([] { frequency_for_edge(1e-9, 1); }).starts_with("an icosphere of frequency"));
  CHECK(test::message_of([] { frequency_for_edge(0, 1); }).starts_with("edges of 0.0"));
  CHECK(test::message_of([] {
          frequency_for_edge(1, std::numeric_limits<double>::infinity());
        }).starts_with("edges of 1.0"));
}

TEST_CASE("spheres and ellipsoids approach their volume and area to second order") {
  check_second_order({4 * pi / 3, 4 * pi}, .01, [](Surface&) {});
  // Oblate, half axes 2, 2, 1: area 2 pi (4 + atanh(e)/e), e = sqrt(3)/2. Prolate, 1, 1, 2: 2 pi (1 + 2 asin(e)/e).
  const double e = std::sqrt(3) / 2;
  check_second_order({16 * pi / 3, 2 * pi * (4 + std::atanh(e) / e)}, .012, [](Surface& s) {
    map_to_ellipsoid(s.points.span(), {2, 2, 1});
  });
  check_second_order({8 * pi / 3, 2 * pi * (1 + 2 * std::asin(e) / e)}, .012, [](Surface& s) {
    map_to_ellipsoid(s.points.span(), {1, 1, 2});
  });
}

TEST_CASE("red cells approach the formula's volume and area to second order, by either map") {
  const VolumeAndArea exact{red_cell_volume(radius), red_cell_area(radius)};
  CHECK(exact.volume == Approx(94.397).margin(.0005));
  CHECK(exact.area == Approx(134.187).margin(.0005));
  const double reduced = 6 * std::sqrt(pi) * exact.volume / std::pow(exact.area, 1.5);
  CHECK(reduced == Approx(.6458).margin(.00005));
  check_second_order(exact, .0133, [](Surface& s) { map_to_red_cell(s.points.span(), radius); });
  check_second_order(exact, .0088,
                     [](Surface& s) { map_to_red_cell(s.points.span(), radius, RedCellLatitude::formula); });
}

TEST_CASE("triangles of red cells keep their shape, and are sound") {
  for (const int n : {4, 8, 16, 32}) {
    Surface even = icosphere(n), formula = icosphere(n);
    map_to_red_cell(even.points.span(), radius);
    map_to_red_cell(formula.points.span(), radius, RedCellLatitude::formula);
    CHECK(edge_ratio(even) < 1.5);
    CHECK(edge_ratio(formula) > 2);
    CHECK(edge_ratio(formula) < 2.3);
    CHECK_NOTHROW(Mesh(std::move(even)));
    CHECK_NOTHROW(Mesh(std::move(formula)));
  }
}

TEST_CASE("points of either map lie on the red cell's outline, in their order") {
  // The formula, solved for z by x and y: both maps differ in where points come to lie on it alone.
  Surface s = icosphere(12);
  const Surface sphere = s;
  map_to_red_cell(s.points.span(), radius);
  for (std::int64_t i = 0; i < s.points.size(); ++i) {
    const Vector &x = s.points[i], &on_sphere = sphere.points[i];
    const double r = std::hypot(x[0], x[1]) / radius, p = .105 + r * r - .56 * r * r * r * r;
    // Near the rim, an error of r becomes one of its square root.
    REQUIRE(std::abs(x[2] * x[2] / (radius * radius) - p * p * (1 - r * r)) <= test::round_off(20));
    REQUIRE(x[2] * on_sphere[2] >= 0);
    REQUIRE(std::abs(x[0] * on_sphere[1] - x[1] * on_sphere[0]) <= radius * test::round_off(20));
  }
  const Vector top = red_cell_point({0, 0, 1}, radius), rim = red_cell_point({0, -1, 0}, radius);
  CHECK(2 * top[2] == Approx(.821).margin(.0005)); // thickness in the centre
  CHECK(rim == Vector{0, -radius, 0});
  // Meridians are cut evenly: along one, equal angles on the sphere become equal arcs.
  constexpr int steps = 2000;
  std::vector<Vector> meridian;
  for (int i = 0; i <= steps; ++i) meridian.push_back({std::cos(pi * i / steps), 0, std::sin(pi * i / steps)});
  map_to_red_cell(meridian, radius);
  std::vector<double> chords;
  for (std::size_t i = 0; i < steps; ++i) chords.push_back(length(meridian[i + 1] - meridian[i]));
  const auto [shortest, longest] = std::minmax_element(chords.begin(), chords.end());
  CHECK(*longest / *shortest < 1 + test::truncation(2, 1.0 / steps, 20)); // chords of arcs of curvature up to 4/R0
}

TEST_CASE("shapes of no size are refused") {
  std::vector<Vector> points{{0, 0, 1}};
  CHECK(test::message_of([&] {
          map_to_ellipsoid(points, {1, 0, 1});
        }) == "half an axis of 0.000000 m (it is above 0 and finite)");
  CHECK(test::message_of([&] { map_to_red_cell(points, std::numeric_limits<double>::quiet_NaN()); }) ==
        "a radius of nan m (it is above 0 and finite)");
}
