#include "geometry/soundness/faults.hpp"

#include "geometry/shapes/shapes.hpp"
#include "tests/catch.hpp"
#include "tests/geometry/solids.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

using namespace corral;
using namespace corral::geometry;

namespace {

// What is said of a surface in which nothing but one sort of fault is found, and this many of it.
std::string alone(const Surface& s, FaultKind kind, std::int64_t count, Components components = Components::one) {
  const Faults faults = find_faults(s, components);
  INFO(faults.text());
  CHECK(faults.only(kind));
  CHECK(faults.count(kind) == count);
  return faults.text();
}

} // namespace

TEST_CASE("good surfaces have no faults") {
  CHECK(find_faults(test::tetrahedron(), Components::one).none());
  CHECK(find_faults(test::cube(), Components::one).none());
  CHECK(find_faults(icosphere(4), Components::one).none());
  CHECK(find_faults(test::together(test::cube(), test::cube(), {2, 0, 0}), Components::any).none());
  CHECK(find_faults(test::cube(), Components::one).text().empty());
  // Neither the size nor the place of a surface matters.
  for (const double size : {1e-50, 1e-6, 1e6, 1e50}) {
    Surface s = test::cube();
    for (Vector& x : s.points) x = {size * (x[0] + 100), size * x[1], size * x[2]};
    CHECK(find_faults(s, Components::one).text().empty());
  }
}

TEST_CASE("coordinates that are not finite are found") {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(), 2e60}) {
    Surface s = test::cube();
    s.points[5][1] = bad;
    const std::string said = alone(s, FaultKind::coordinate, 1);
    CHECK(said.starts_with("vertex 5 lies at (1, "));
    CHECK(said.ends_with(", 1) (coordinates are finite, and at most 1e60 m)"));
  }
}

TEST_CASE("corners that are no points are found") {
  Surface s = test::cube();
  s.triangles[3][1] = 8;
  CHECK(alone(s, FaultKind::index, 1) == "triangle 3 has vertex 8 as a corner (there are 8, numbered from 0)");
  s.triangles[5] = {0, -1, 4};
  CHECK(alone(s, FaultKind::index, 2).ends_with("triangle 5 has vertex -1 as a corner (there are 8, numbered from 0)"));
  test::add(s, Vector{2, 2, 2}); // the wrong corner may have been meant for it
  s.triangles[3][1] = 9;
  alone(s, FaultKind::index, 2);
}

TEST_CASE("degenerate triangles are found") {
  Surface s = test::cube();
  test::add(s, Triangle{4, 5, 4});
  CHECK(alone(s, FaultKind::repeated_corner, 1) ==
        "triangle 12 has vertex 4 twice (corners are three different vertices) leave it out");

  // A point in the middle of an edge, from which one neighbour takes two triangles and the other one a flat third.
  s = test::tetrahedron();
  test::add(s, Vector{.5, 0, 0});
  s.triangles[0] = {0, 2, 4};
  test::add(s, Triangle{4, 2, 1});
  test::add(s, Triangle{0, 4, 1});
  CHECK(alone(s, FaultKind::no_area, 1) ==
        "triangle 5 has no area (its corners (0, 0, 0), (0.5, 0, 0), (1, 0, 0) lie on a line)");
  for (const double size : {1e-50, 1e-6, 1e50}) {
    Surface scaled = s;
    for (Vector& x : scaled.points) x = size * x;
    alone(scaled, FaultKind::no_area, 1);
  }
  // Thin ones are none: a height of 1e-9 of the base.
  s.points[4] = {.5, -1e-9, -1e-9};
  CHECK(find_faults(s, Components::one).text().empty());
}

TEST_CASE("repeated triangles are found, whichever way they run") {
  Surface s = test::cube();
  test::add(s, Triangle{5, 7, 4});
  CHECK(alone(s, FaultKind::repeated_triangle, 1) ==
        "triangle 12 joins the same vertices as triangle 2 (4, 5, 7) leave it out");
  test::add(s, Triangle{7, 5, 4});
  CHECK(alone(s, FaultKind::repeated_triangle, 2)
            .ends_with("triangle 13 joins the same vertices as triangle 2 (4, 5, 7) leave it out"));
}

TEST_CASE("repeated points are found") {
  // Two tetrahedra that touch in a point that each has for itself.
  Surface s = test::together(test::tetrahedron(), test::tetrahedron());
  for (std::int64_t p = 4; p < 8; ++p)
    for (double& x : s.points[p]) x = x == 0 ? -0.0 : -x;
  for (std::int64_t t = 4; t < 8; ++t) std::swap(s.triangles[t][1], s.triangles[t][2]);
  CHECK(alone(s, FaultKind::repeated_point, 1, Components::any) ==
        "vertex 4 lies where vertex 0 does (triangles that meet at a point have one vertex there) join them");
}

TEST_CASE("unused points are found") {
  Surface s = test::cube();
  test::add(s, Vector{0, 0, 0}); // where another one lies: said once
  CHECK(alone(s, FaultKind::unused_point, 1) == "vertex 8 belongs to no triangle (leave it out)");
}

TEST_CASE("open edges are found") {
  Surface s = test::cube();
  s.triangles.resize(11);
  CHECK(alone(s, FaultKind::open_edge, 3)
            .starts_with("edge 1-5 belongs to triangle 4 alone (the surface is open there) close the hole\nedge 1-7 "
                         "belongs to triangle 10"));
}

TEST_CASE("edges of more than two triangles are found") {
  // Two tetrahedra that share the edge 0-1.
  Surface s = test::tetrahedron();
  test::add(s, Vector{0, -1, 0});
  test::add(s, Vector{0, 0, -1});
  for (const Triangle& t : {Triangle{0, 4, 1}, Triangle{0, 1, 5}, Triangle{0, 5, 4}, Triangle{1, 4, 5}})
    test::add(s, t);
  CHECK(alone(s, FaultKind::crowded_edge, 1) ==
        "edge 0-1 belongs to 4 triangles, first 0, 1 and 4 (two meet at an edge) "
        "take the surfaces apart that meet there");
}

TEST_CASE("a triangle that is turned round is found, and so is a whole surface") {
  Surface s = test::cube();
  std::swap(s.triangles[6][0], s.triangles[6][1]);
  const std::string said = alone(s, FaultKind::orientation, 3);
  CHECK(std::count(said.begin(), said.end(), '\n') == 2);
  CHECK(said.starts_with(
      "triangles 6 and 9 run along edge 2-6 the same way (neighbours run opposite ways) turn one of them round"));

  s = test::cube();
  turn_round(s);
  CHECK(alone(s, FaultKind::inside_out, 1) ==
        "the surface is inside out (its triangles run clockwise as seen from outside) turn it round");
  turn_round(s);
  CHECK(find_faults(s, Components::one).none());
}

TEST_CASE("points where parts touch are found") {
  // Two tetrahedra with one point in common.
  Surface s = test::tetrahedron();
  test::add(s, Vector{-1, 0, 0});
  test::add(s, Vector{0, -1, 0});
  test::add(s, Vector{0, 0, -1});
  for (const Triangle& t : {Triangle{0, 4, 5}, Triangle{0, 6, 4}, Triangle{0, 5, 6}, Triangle{4, 6, 5}})
    test::add(s, t);
  CHECK(alone(s, FaultKind::touching_point, 1) == "at vertex 0 triangle 4 belongs to a part of the surface that "
                                                  "touches another one in that vertex alone (one ring of "
                                                  "triangles goes around a vertex) take them apart");
}

TEST_CASE("separate surfaces are found where one is asked for") {
  Surface s = test::together(test::cube(), test::tetrahedron(), {3, 0, 0});
  s = test::together(std::move(s), test::cube(), {6, 0, 0});
  CHECK(alone(s, FaultKind::several_components, 2) ==
        "triangle 12 belongs to a separate surface (one closed surface is asked for) keep one of them\n"
        "triangle 16 belongs to a separate surface (one closed surface is asked for) keep one of them");
  CHECK(find_faults(s, Components::any).none());
}

TEST_CASE("surfaces without triangles or volume are found") {
  CHECK(alone(Surface{}, FaultKind::size, 1) ==
        "a surface of 0 triangles and 0 vertices (there are 4 to 50000000 triangles, and at most 150000000 vertices)");
  // A square, back and front, cut along different diagonals.
  const Surface flat =
      test::surface_of({{0, 0, 0}, {1, 0, 1}, {1, 1, 1}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}, {1, 0, 3}, {1, 3, 2}});
  CHECK(alone(flat, FaultKind::no_volume, 1) == "the surface encloses no volume (4 triangles that lie flat)");
}

TEST_CASE("faults of all sorts are found at once, ten of each are told") {
  Surface s = icosphere(4); // 162 points, 320 triangles
  s.points[3][0] = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 13; ++i) test::add(s, Vector{5.0 + i, 0, 0});
  test::add(s, Triangle{7, 7, 9});
  const Triangle first = s.triangles[0];
  test::add(s, first);
  s.triangles[40] = s.triangles[41]; // a hole, and once more a repeated one
  const Faults faults = find_faults(s, Components::one);
  CHECK(faults.count(FaultKind::coordinate) == 1);
  CHECK(faults.count(FaultKind::unused_point) == 13);
  CHECK(faults.count(FaultKind::repeated_corner) == 1);
  CHECK(faults.count(FaultKind::repeated_triangle) == 2);
  CHECK(faults.count(FaultKind::open_edge) == 3);
  CHECK_FALSE(faults.none());
  CHECK_FALSE(faults.only(FaultKind::open_edge));
  const std::string said = faults.text();
  CHECK(std::count(said.begin(), said.end(), '\n') == 1 + 1 + 2 + 10 + 1 + 3 - 1);
  CHECK(said.find("\nand 3 more unused points\n") != said.npos);
}

TEST_CASE("places are lines or bytes of the file, and points have numbers only where the file numbers them") {
  Surface s = test::cube();
  s.triangles.resize(11);
  SurfaceOrigin origin;
  origin.file = "cube.off";
  origin.points.resize(8, 3);
  origin.triangles.resize(11, 100);
  for (std::uint32_t t = 0; t < 11; ++t) origin.triangles[t] += t;
  CHECK(find_faults(s, Components::one, &origin)
            .text()
            .starts_with("cube.off:104: edge 1-5 belongs to triangle 4 alone"));
  origin.binary = true;
  origin.numbered = false;
  origin.unit = .001;
  CHECK(find_faults(s, Components::one, &origin)
            .text()
            .starts_with("cube.off:byte 104: edge (1000, 0, 0)-(1000, 0, 1000) belongs to triangle 4 alone"));
  s = test::cube();
  turn_round(s);
  CHECK(find_faults(s, Components::one, &origin).text().starts_with("cube.off:byte 0: the surface is inside out"));
  origin.binary = false;
  CHECK(find_faults(s, Components::one, &origin).text().starts_with("cube.off:1: the surface is inside out"));
}
