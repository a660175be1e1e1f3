#include "geometry/soundness/weld.hpp"

#include "geometry/mesh.hpp"
#include "geometry/shapes/icosphere.hpp"
#include "geometry/soundness/find_faults.hpp"
#include "geometry/soundness/point_index.hpp"
#include "tests/catch.hpp"
#include "tests/engine/random.hpp"
#include "tests/geometry/solids.hpp"

#include <map>
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
