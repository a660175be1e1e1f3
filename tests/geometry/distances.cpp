#include "geometry/distances/surface_tree.hpp"

#include "geometry/distances/distance_table.hpp"
#include "geometry/shapes/shapes.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/geometry/solids.hpp"
#include "tests/sanitized.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <utility>
#include <vector>

using namespace corral;
using namespace corral::geometry;

namespace {

Mesh red_cell(int frequency) {
  Surface s = icosphere(frequency);
  map_to_red_cell(s.points.span(), 1);
  return Mesh(std::move(s));
}

std::vector<TriangleCorners> corners_of(const Mesh& mesh, const Placement& at = {}) {
  std::vector<TriangleCorners> all;
  for (const Triangle& t : mesh.triangles()) {
    const auto [a, b, c] = corners(mesh.points(), t);
    all.push_back({at(a), at(b), at(c)});
  }
  return all;
}

Vector random_point(test::Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
Placement random_placement(test::Random& random, double size) {
  return {random_rotation(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)),
          random_point(random, size)};
}

double distance_by_samples(const TriangleCorners& s, const TriangleCorners& t) {
  double least2 = 1e300;
  constexpr int n = 24;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n - i; ++j)
      least2 = std::min(least2, distance2_to_triangle((1.0 / n) * (i * s[0] + j * s[1] + (n - i - j) * s[2]), t));
  return std::sqrt(least2);
}

} // namespace

TEST_CASE("the nearest point of a triangle lies as far as the triangle, and on it") {
  test::Random random(5);
  for (int i = 0; i < 200; ++i) {
    const TriangleCorners t{random_point(random, 1), random_point(random, 1), random_point(random, 1)};
    const Vector x = random_point(random, 2), on = nearest_on_triangle(x, t);
    CHECK(dot(x - on, x - on) == Approx(distance2_to_triangle(x, t)).epsilon(1e-12));
    CHECK(distance2_to_triangle(on, t) < 1e-28);
  }
  CHECK(nearest_on_triangle({1, 1, 1}, {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}}) == Vector{1, 0, 0}); // shrunk to a segment
  CHECK(nearest_on_triangle({1, 1, 1}, {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}) == Vector{0, 0, 0});
}

TEST_CASE("distances to a triangle and between segments are those one sees") {
  const TriangleCorners t{{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}};
  CHECK(distance2_to_triangle({.5, .5, 3}, t) == 9);       // above its inner
  CHECK(distance2_to_triangle({1, -2, 0}, t) == 4);        // beside an edge
  CHECK(distance2_to_triangle({2, 2, 0}, t) == Approx(2)); // beside the longest one
  CHECK(distance2_to_triangle({-3, -4, 0}, t) == 25);      // beside a corner
  CHECK(distance2_to_triangle({.25, .25, 0}, t) == 0);
  CHECK(distance2_to_triangle({1, 1, 1}, {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}}) == 2); // shrunk to a segment
  CHECK(distance2_to_triangle({1, 1, 1}, {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}) == 3); // and to a point

  CHECK(distance2_of_segments({-1, 0, 0}, {1, 0, 0}, {0, -1, 2}, {0, 1, 2}) == 4); // crossing
  CHECK(distance2_of_segments({-1, 0, 0}, {1, 0, 0}, {3, 0, 0}, {4, 0, 0}) == 4);  // in a row
  CHECK(distance2_of_segments({-1, 0, 0}, {1, 0, 0}, {-3, 1, 0}, {3, 1, 0}) == 1); // parallel
  CHECK(distance2_of_segments({-1, 0, 0}, {1, 0, 0}, {2, 1, -1}, {2, 1, 1}) == 2); // end and inner
  // Each of the four ends is the nearest one once.
  CHECK(distance2_of_segments({-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 3, 0}) == 1);
  CHECK(distance2_of_segments({-1, 0, 0}, {1, 0, 0}, {0, 3, 0}, {0, 1, 0}) == 1);
  CHECK(distance2_of_segments({0, 1, 0}, {0, 3, 0}, {-1, 0, 0}, {1, 0, 0}) == 1);
  CHECK(distance2_of_segments({0, 3, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}) == 1);
  CHECK(distance2_of_segments({0, 0, 0}, {0, 0, 0}, {3, 4, 0}, {3, 4, 0}) == 25); // points

  CHECK(goes_through({.5, .5, -1}, {.5, .5, 1}, t));
  CHECK(goes_through({.5, .5, 1}, {.5, .5, -1}, t));
  CHECK_FALSE(goes_through({.5, .5, 1}, {.5, .5, 2}, t));
  CHECK_FALSE(goes_through({1.5, 1.5, -1}, {1.5, 1.5, 1}, t));
}

TEST_CASE("triangles come as near as points of them do") {
  test::Random random(1);
  int crossing = 0;
  for (int i = 0; i < (test::sanitized ? 300 : 3000); ++i) {
    TriangleCorners s, t;
    for (Vector& x : s) x = random_point(random, 1);
    for (Vector& x : t) x = random_point(random, 1) + Vector{random.uniform(0, 2), 0, 0};
    crossing += come_nearer(s, t, 0) ? 1 : 0;
    CHECK(come_nearer(s, t, 0) == come_nearer(t, s, 0));
    // Samples lie within .06 of each other along edges of at most 3.5: the distance is between theirs and .08 less.
    const double above = distance_by_samples(s, t), gap = random.uniform(0, 1);
    if (above < gap) REQUIRE(come_nearer(s, t, gap));
    if (above > gap + .1) REQUIRE_FALSE(come_nearer(s, t, gap));
    if (come_nearer(s, t, 0)) REQUIRE(above < .1);
  }
  CHECK(crossing > 10);
}

TEST_CASE("inside is where the solid angle says") {
  test::Random random(2);
  for (const Mesh& mesh : {red_cell(8), Mesh(test::cube()), Mesh(test::tetrahedron())}) {
    const SurfaceTree tree(mesh);
    const std::vector<TriangleCorners> all = corners_of(mesh);
    int inside = 0;
    for (int i = 0; i < 500; ++i) {
      const Vector x = random_point(random, 1.2);
      const double windings = solid_angle_windings(all, x);
      REQUIRE(std::abs(windings - std::round(windings)) < test::round_off(static_cast<std::int64_t>(all.size())) * 100);
      REQUIRE(tree.windings(x) == std::lround(windings));
      inside += tree.inside(x) ? 1 : 0;
    }
    CHECK(inside > 3); // the tetrahedron takes the least of the box: .012
  }
  // Rays to the corners and along the faces of a cube: what is unclear is asked again.
  const SurfaceTree cube{Mesh(test::cube())};
  for (const double at : {.5, .25, 1e-6, 1 - 1e-6}) CHECK(cube.inside({at, at, at}));
  for (const double at : {1 + 1e-6, -1e-6, 2.0}) {
    CHECK_FALSE(cube.inside({at, at, at}));
    CHECK_FALSE(cube.inside({.5, .5, at}));
  }
  // A ray through a corner exactly, as those of the search go.
  const Vector along = direction({.3819, .7236, .5748});
  Surface pierced = test::cube();
  pierced.points[7] = Vector{.5, .5, .5} + .9 * along;
  const SurfaceTree tree{Mesh(std::move(pierced))};
  CHECK(tree.windings({.5, .5, .5}) == 1);
  CHECK(tree.windings({-.2, -.2, -.2}) == 0);
  // A surface turned round goes around its inside the other way; two in one, twice.
  Mesh twice(test::together(test::cube(), icosphere(3), {.5, .5, .5}), Components::any);
  CHECK(SurfaceTree(twice).windings({.5, .5, .5}) == 2);
  CHECK(SurfaceTree(twice).windings({.5, .5, -.2}) == 1);
}

TEST_CASE("distances to a surface are the least of those to its triangles") {
  test::Random random(3);
  const Mesh mesh = red_cell(6);
  const SurfaceTree tree(mesh);
  const std::vector<TriangleCorners> all = corners_of(mesh);
  for (int i = 0; i < 300; ++i) {
    const Vector x = random_point(random, 2);
    double least2 = 1e300;
    for (const TriangleCorners& t : all) least2 = std::min(least2, distance2_to_triangle(x, t));
    REQUIRE(tree.distance(x) == std::sqrt(least2));
    REQUIRE(tree.distance(x, .5) == std::min(.5, std::sqrt(least2)));
  }
}

TEST_CASE("surfaces come as near, or overlap, as all of their triangles and points say") {
  test::Random random(4);
  const Mesh a = red_cell(3), b = Mesh(icosphere(2));
  const SurfaceTree tree_a(a), tree_b(b);
  const auto brute_force = [](double gap, const std::vector<TriangleCorners>& s,
                              const std::vector<TriangleCorners>& t) {
    for (const TriangleCorners& x : s)
      for (const TriangleCorners& y : t)
        if (come_nearer(x, y, gap)) return true;
    const auto all_inside = [](const auto& these, const auto& those) {
      for (const TriangleCorners& x : these)
        for (const Vector& corner : x)
          if (std::lround(solid_angle_windings(those, corner)) == 0) return false;
      return true;
    };
    return all_inside(s, t) || all_inside(t, s);
  };
  int near = 0;
  const int pairs = test::sanitized ? 40 : 300;
  for (int i = 0; i < pairs; ++i) {
    const Placement at_a = random_placement(random, .9), at_b = random_placement(random, .9);
    const double gap = i % 3 == 0 ? 0 : random.uniform(0, .2);
    const bool expected = brute_force(gap, corners_of(a, at_a), corners_of(a, at_b));
    REQUIRE(nearer_than(gap, tree_a, at_a, tree_a, at_b) == expected);
    REQUIRE(nearer_than(gap, tree_a, at_b, tree_a, at_a) == expected);
    near += expected ? 1 : 0;
    REQUIRE(nearer_than(gap, tree_a, at_a, tree_b, at_b) == brute_force(gap, corners_of(a, at_a), corners_of(b, at_b)));
  }
  CHECK(near > pairs / 10);
  CHECK(near < pairs * 9 / 10);
}

TEST_CASE("one surface within another one overlaps with it, beside it does not") {
  const SurfaceTree ball{Mesh(icosphere(4))};
  Surface pea = icosphere(2);
  scale(pea.points.span(), .1);
  const SurfaceTree small{Mesh(std::move(pea))};
  const Placement origin;
  CHECK(nearer_than(.01, ball, origin, small, {{}, {.3, 0, 0}}));
  CHECK(nearer_than(.01, small, {{}, {.3, 0, 0}}, ball, origin));
  CHECK_FALSE(nearer_than(.01, ball, origin, small, {{}, {1.2, 0, 0}}));
  CHECK(nearer_than(.11, ball, origin, small, {{}, {1.2, 0, 0}}));
  // In a red cell's dimple lies what is within its bounding ball, but not within it.
  const SurfaceTree cell{red_cell(8)};
  CHECK(cell.bound().radius == Approx(1).margin(1e-9));
  CHECK_FALSE(nearer_than(.05, cell, origin, small, {{}, {0, 0, .3}}));
  CHECK(nearer_than(.05, cell, origin, small, {{}, {0, 0, .2}}));
}

TEST_CASE("a ball holds all points and is as small as symmetry lets it be") {
  const Surface cube = test::cube();
  const Ball ball = bounding_ball(cube.points.span());
  CHECK(ball.centre == Vector{.5, .5, .5});
  CHECK(ball.radius == std::sqrt(3) / 2);
  test::Random random(5);
  std::vector<Vector> points;
  for (int i = 0; i < 100; ++i) points.push_back(random_point(random, 3));
  const Ball around = bounding_ball(points);
  for (const Vector& x : points) CHECK(length(x - around.centre) <= around.radius);
  CHECK(bounding_ball(std::vector<Vector>{{1, 2, 3}}).radius == 0);
}

TEST_CASE("A table's distances are the tree's, and its gradients theirs") {
  const Mesh mesh = red_cell(4);
  const SurfaceTree tree(mesh);
  const DistanceTable table(Cpu{}, tree, {-1, -1, -0.4}, {1, 1, 0.4}, 0.3, 64);
  const double h = table.spacing();
  CHECK(h == Approx(2.6 / 62));
  test::Random random(7);
  int seen = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector x = random_point(random, 1.2);
    const double distance = (tree.inside(x) ? -1 : 1) * tree.distance(x);
    const DistanceTable::Value value = table(x);
    if (distance > 0.3) {
      CHECK((!std::isfinite(value.distance) || value.distance > 0.3 - h));
      continue;
    }
    ++seen;
    CHECK(value.distance == Approx(distance).margin(0.5 * h)); // where two sides are as near; mostly much less
    constexpr double step = 1e-5;
    for (std::size_t d = 0; d < 3; ++d) {
      Vector beyond = x;
      beyond[d] += step;
      const double next = table(beyond).distance; // linear along an axis within a cell
      CHECK(value.gradient[d] == Approx((next - value.distance) / step).margin(0.05));
    }
  }
  CHECK(seen > 200);
  CHECK(!std::isfinite(table({0, 0, 5}).distance));
}
