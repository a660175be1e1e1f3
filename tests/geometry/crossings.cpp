#include "geometry/mesh.hpp"
#include "geometry/shapes/shapes.hpp"
#include "geometry/soundness/faults.hpp"
#include "geometry/soundness/weld.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/geometry/solids.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <string>
#include <vector>

using namespace corral;
using namespace corral::geometry;

TEST_CASE("points of equal coordinates are found, as a map finds them") {
  test::Random random(1);
  std::vector<Vector> points;
  std::map<Vector, std::int32_t> expected; // -0 and 0 are equal there, too
  PointIndex index;
  for (std::int32_t i = 0; i < 5000; ++i) {
    Vector x;
    for (double& v : x) v = static_cast<double>(random.below(12) - 6) * (random.coin() ? 1.0 : 1e-9);
    points.push_back(x);
    const auto [first, is_new] = expected.emplace(x, i);
    REQUIRE(index.first(points, i) == first->second);
  }
  CHECK(expected.size() > 1000);
  CHECK(expected.size() < 5000);
}

namespace {

// Each triangle with points of its own, all of them off by up to `noise`.
Surface loose(const Surface& s, double noise, test::Random& random) {
  Surface parts;
  for (const Triangle& t : s.triangles) {
    const auto n = static_cast<std::int32_t>(parts.points.size());
    for (Vector x : corners(s.points.span(), t)) {
      for (double& v : x) v += random.uniform(-noise, noise);
      test::add(parts, x);
    }
    test::add(parts, Triangle{n, n + 1, n + 2});
  }
  return parts;
}

} // namespace

TEST_CASE("open edges are joined within the tolerance, and no farther") {
  test::Random random(2);
  const Surface sphere = icosphere(6);
  const Surface parts = loose(sphere, 1e-7, random);
  const Welded welded = weld_open_edges(parts, 1e-6);
  CHECK(welded.surface.points.size() == sphere.points.size());
  CHECK(welded.joined_points == parts.points.size() - sphere.points.size());
  CHECK(welded.surface.triangles.size() == sphere.triangles.size());
  CHECK(find_faults(welded.surface, Components::one).text().empty());
  for (std::int64_t p = 0; p < welded.points.size(); ++p)
    REQUIRE(welded.surface.points[p] == parts.points[welded.points[p]]);

  const Welded too_little = weld_open_edges(parts, 1e-8);
  CHECK(too_little.surface.points.size() > 2 * sphere.points.size());
  CHECK(find_faults(too_little.surface, Components::one).count(FaultKind::open_edge) > 0);
}

TEST_CASE("points that no open edge has stay apart, and triangles that lose a corner are left out") {
  // A cube whose top's corners 4 and 5 almost coincide: closed, so nothing is joined.
  Surface s = test::cube();
  s.points[5] = {1e-9, 0, 1};
  CHECK(weld_open_edges(s, 1e-6).joined_points == 0);
  // Once the two triangles at edge 4-5 are gone, it is a hole that closes.
  Surface open = s;
  open.triangles[2] = s.triangles[11];
  open.triangles[5] = s.triangles[10];
  open.triangles.resize(10);
  const Welded welded = weld_open_edges(open, 1e-6);
  CHECK(welded.joined_points == 1);
  CHECK(welded.surface.triangles.size() == 10);
  CHECK(find_faults(welded.surface, Components::one).text().empty());
  // A sliver in the hole is left out with it.
  test::add(open, Triangle{0, 5, 4});
  const Welded without = weld_open_edges(open, 1e-6);
  CHECK(without.surface.triangles.size() == 10);
  CHECK(without.triangles.size() == 10);
  CHECK(find_faults(without.surface, Components::one).text().empty());
}

TEST_CASE("a crowd of points within one tolerance is joined at once") {
  // All corners of thousands of loose triangles lie within a ball of the tolerance: no time is lost in it.
  test::Random random(4);
  Surface crowd;
  for (std::int32_t t = 0; t < 20'000; ++t) {
    for (int c = 0; c < 3; ++c)
      test::add(crowd, Vector{random.uniform(0, .5), random.uniform(0, .5), random.uniform(0, .5)});
    test::add(crowd, Triangle{3 * t, 3 * t + 1, 3 * t + 2});
  }
  const Welded welded = weld_open_edges(crowd, 1);
  CHECK(welded.surface.points.size() == 1);
  CHECK(welded.surface.triangles.size() == 0);
}

namespace {

/// Of two that have nothing else wrong.
Faults crossings(const Surface& s) {
  const Faults faults = find_faults(s, Components::any);
  INFO(faults.text());
  CHECK((faults.none() || faults.only(FaultKind::crossing)));
  return faults;
}

/// What single precision makes of it.
Surface rounded(Surface s) {
  for (Vector& x : s.points)
    for (double& v : x) v = static_cast<double>(static_cast<float>(v));
  return s;
}

} // namespace

TEST_CASE("triangles that cross are found, whatever the size of the surface and wherever it lies") {
  const Surface apart = test::together(test::cube(), test::tetrahedron(), {1.5, .1, .2});
  CHECK(crossings(apart).none());
  // A tip that reaches through one face: its three sides meet one of the face's halves, or both.
  const Surface tip = test::together(test::cube(), test::tetrahedron(), {.9, .15, .4});
  CHECK(crossings(tip).count(FaultKind::crossing) > 2);
  CHECK(crossings(tip).text().starts_with("triangles "));
  for (const double size : {1e-50, 1e-6, 1e6, 1e50}) {
    Surface s = tip;
    for (Vector& x : s.points) x = {size * (x[0] + 100), size * x[1], size * x[2]};
    CHECK(crossings(s).count(FaultKind::crossing) == crossings(tip).count(FaultKind::crossing));
  }
}

TEST_CASE("a closed surface that goes through itself is refused, with the triangles") {
  Surface s = icosphere(8);
  CHECK(find_faults(s, Components::one).none());
  for (std::int64_t p = 0; p < s.points.size(); ++p)
    if (s.points[p][2] > .9) s.points[p][2] -= 2.2; // the pole is pushed through the other side
  const Faults faults = find_faults(s, Components::one);
  INFO(faults.text());
  CHECK(faults.only(FaultKind::crossing));
  CHECK(faults.text().find(" cross (the surface goes through itself) take apart what crosses") != std::string::npos);
  turn_round(s);
  CHECK(find_faults(s, Components::one).count(FaultKind::crossing) == faults.count(FaultKind::crossing));
  try {
    const Mesh mesh(std::move(s));
    FAIL("made a mesh");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("cross") != std::string::npos);
  }
}

TEST_CASE("two neighbours at a point are found where one goes through the other") {
  // A tetrahedron whose tip was pushed through its base, seen from a point beside it that all sides share.
  Surface s = icosphere(2);
  const Vector middle = s.points[0];
  std::int32_t near = -1;
  for (const Triangle& t : s.triangles)
    if (t[0] == 0 || t[1] == 0 || t[2] == 0) near = t[0] == 0 ? t[1] : t[0];
  REQUIRE(near > 0);
  for (std::size_t d = 0; d < 3; ++d) s.points[near][d] = -.5 * s.points[near][d] + 1.5 * middle[d];
  CHECK(find_faults(s, Components::one).count(FaultKind::crossing) > 0);
}

TEST_CASE("surfaces that touch do not cross") {
  CHECK(crossings(test::together(test::cube(), test::cube(), {2, 0, 0})).none());
  // A tip on a face, an edge on a face, sides that lie in one plane: all but for what arithmetic or single precision
  // makes of it.
  for (const double deep : {0., 1e-16, 1e-9, -1e-9}) {
    Surface tip = test::tetrahedron();
    for (Vector& x : tip.points) x = {1 + .5 * x[0] + .2 - deep, .2 + .3 * x[1], .3 + .3 * x[2]};
    tip.points[0][0] = 1 - deep;
    CHECK(crossings(test::together(test::cube(), tip)).none());
    Surface beside = test::cube();
    for (Vector& x : beside.points) x = {1 - deep + .5 * x[0], .25 + .5 * x[1], .25 + .5 * x[2]};
    CHECK(crossings(test::together(test::cube(), beside)).none());
    // A ridge that lies across an edge of the cube.
    Surface ridge = test::surface_of({{0, 0, .2}, {0, 1, .2}, {.5, .5, .1}, {.5, .5, .3}},
                                     {{0, 1, 3}, {0, 3, 2}, {1, 0, 2}, {1, 2, 3}});
    for (Vector& x : ridge.points) x = {.5 + x[0] + x[1] - deep, x[1] - x[0] - .5 + deep, x[2]};
    CHECK(crossings(test::together(test::cube(), ridge)).none());
  }
}

TEST_CASE("no shape that is made crosses itself, nor what single precision leaves of it") {
  for (const int frequency : {1, 2, 3, 7, 16, 40}) {
    Surface s = icosphere(frequency);
    CHECK(find_faults(s, Components::one).none());
    CHECK(find_faults(rounded(s), Components::one).none());
    map_to_red_cell(s.points.span(), 3.91e-6, RedCellLatitude::even);
    CHECK(find_faults(s, Components::one).none());
    CHECK(find_faults(rounded(s), Components::one).none());
  }
  for (const std::int64_t points : {12, 100, 642, 3000}) {
    Surface s = spiral_sphere(points);
    CHECK(find_faults(rounded(s), Components::one).none());
    map_to_ellipsoid(s.points.span(), {1e-6, 20e-6, 3e-6});
    CHECK(find_faults(s, Components::one).none());
  }
}

TEST_CASE("large surfaces are searched in seconds, also where many triangles meet at a point") {
  const auto seconds = [](const Surface& s) { // of the processor, which other programs use, too
    const std::clock_t begin = std::clock();
    CHECK(find_faults(s, Components::one).none());
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  const int large = test::sanitized ? 40 : 224; // 1 003 520 triangles
  CHECK(seconds(icosphere(large)) < 20); // some 2 s; the square of the number would be hours
  // A double cone: half of the triangles at each tip.
  const std::int32_t around = test::sanitized ? 500 : 100'000;
  Surface cone;
  cone.points.resize(around + 2);
  cone.triangles.resize(2 * std::int64_t{around});
  cone.points[around] = {0, 0, -1}, cone.points[around + 1] = {0, 0, 1};
  for (std::int32_t i = 0; i < around; ++i) {
    const double angle = 2 * std::acos(-1.) * i / around;
    cone.points[i] = {std::cos(angle), std::sin(angle), 0};
    cone.triangles[2 * std::int64_t{i}] = {i, (i + 1) % around, around + 1};
    cone.triangles[2 * std::int64_t{i} + 1] = {(i + 1) % around, i, around};
  }
  CHECK(seconds(cone) < 20);
}
