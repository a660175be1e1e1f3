#include "geometry/measures.hpp"
#include "geometry/mesh.hpp"
#include "geometry/shapes/shapes.hpp"
#include "geometry/vector.hpp"
#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/geometry/solids.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

using namespace corral;
using namespace corral::geometry;

namespace {

std::vector<std::int32_t> values(std::span<const std::int32_t> of) { return {of.begin(), of.end()}; }

bool is_triangle_of(const Triangle& t, std::int32_t a, std::int32_t b, std::int32_t c) {
  return t == Triangle{a, b, c} || t == Triangle{b, c, a} || t == Triangle{c, a, b};
}

// Neighbours by their definition, from nothing but the triangles.
void check_neighbours(const Mesh& mesh) {
  const auto triangles = mesh.triangles();
  const auto at = [&](std::int32_t t) { return triangles[t]; };
  REQUIRE(2 * mesh.edge_count() == 3 * mesh.triangle_count());
  for (std::int64_t e = 0; e < mesh.edge_count(); ++e) {
    const auto& [p, t, o] = mesh.edges()[e];
    REQUIRE(p[0] < p[1]);
    REQUIRE(is_triangle_of(at(t[0]), p[0], p[1], o[0]));
    REQUIRE(is_triangle_of(at(t[1]), p[1], p[0], o[1]));
    if (e > 0) REQUIRE(mesh.edges()[e - 1].points < p);
  }
  for (std::int32_t t = 0; t < mesh.triangle_count(); ++t)
    for (std::size_t c = 0; c < 3; ++c) {
      std::array<std::int32_t, 2> ends{at(t)[c], at(t)[(c + 1) % 3]};
      std::sort(ends.begin(), ends.end());
      REQUIRE(mesh.edges()[static_cast<std::size_t>(mesh.edges_of(t)[c])].points == ends);
    }
  std::size_t ends = 0;
  for (std::int32_t p = 0; p < mesh.point_count(); ++p) {
    const auto ring = mesh.ring(p), around = mesh.triangles_around(p);
    REQUIRE(ring.size() == around.size());
    for (std::size_t k = 0; k < ring.size(); ++k)
      REQUIRE(is_triangle_of(at(around[k]), p, ring[k], ring[(k + 1) % ring.size()]));
    ends += ring.size();
    auto sorted = values(around);
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  }
  REQUIRE(static_cast<std::int64_t>(ends) == 2 * mesh.edge_count());
}

} // namespace

TEST_CASE("neighbours in a tetrahedron are those that one counts by hand") {
  const Mesh mesh(test::tetrahedron()); // triangles 0 2 1, 0 1 3, 0 3 2, 1 2 3
  REQUIRE(mesh.edge_count() == 6);
  CHECK(mesh.edges()[0].points == std::array<std::int32_t, 2>{0, 1});
  CHECK(mesh.edges()[0].triangles == std::array<std::int32_t, 2>{1, 0});
  CHECK(mesh.edges()[0].opposite == std::array<std::int32_t, 2>{3, 2});
  CHECK(mesh.edges()[5].points == std::array<std::int32_t, 2>{2, 3});
  CHECK(mesh.edges()[5].triangles == std::array<std::int32_t, 2>{3, 2});
  CHECK(mesh.edges()[5].opposite == std::array<std::int32_t, 2>{1, 0});
  CHECK(mesh.edges_of(0) == std::array<std::int32_t, 3>{1, 3, 0});
  CHECK(values(mesh.ring(0)) == std::vector<std::int32_t>{2, 1, 3});
  CHECK(values(mesh.triangles_around(0)) == std::vector<std::int32_t>{0, 1, 2});
  CHECK(values(mesh.ring(3)) == std::vector<std::int32_t>{0, 1, 2});
  CHECK(values(mesh.triangles_around(3)) == std::vector<std::int32_t>{1, 3, 2});
}

TEST_CASE("neighbours are consistent in a tetrahedron, a cube and icospheres") {
  check_neighbours(Mesh(test::tetrahedron()));
  check_neighbours(Mesh(test::cube()));
  for (const int n : {1, 2, 3, 5}) check_neighbours(Mesh(icosphere(n)));
  check_neighbours(Mesh(test::together(test::cube(), test::tetrahedron(), {3, 0, 0}), Components::any));
}

TEST_CASE("a mesh is moved by its points and keeps its neighbours") {
  Mesh mesh(test::cube());
  mesh.points()[7] = {2, 2, 2};
  CHECK(std::as_const(mesh).points()[7] == Vector{2, 2, 2});
  const Mesh copy = mesh;
  CHECK(copy.surface().points[7] == Vector{2, 2, 2});
  check_neighbours(copy);
}

TEST_CASE("no mesh is made of a surface that is not sound") {
  Surface open = test::cube();
  open.triangles.resize(11);
  const std::string said = test::message_of([&] { Mesh mesh(std::move(open)); });
  CHECK(said == "edge 1-5 belongs to triangle 4 alone (the surface is open there) close the hole\n"
                "edge 1-7 belongs to triangle 10 alone (the surface is open there) close the hole\n"
                "edge 5-7 belongs to triangle 2 alone (the surface is open there) close the hole");
  CHECK(test::message_of([&] {
          Mesh mesh(test::together(test::cube(), test::tetrahedron(), {3, 0, 0}));
        }) == "triangle 12 belongs to a separate surface (one closed surface is asked for) keep one of them");
}

namespace {

Solid solid_of(const Surface& s) { return solid(Cpu{}, s.points.span(), s.triangles.span()); }

void check_close(double found, double expected, double tolerance) {
  INFO(found << " and " << expected);
  CHECK(std::abs(found - expected) <= tolerance);
}

} // namespace

TEST_CASE("the corner of a cube has the measures that one computes by hand") {
  const Surface s = test::tetrahedron();
  const Solid found = solid_of(s);
  const double few = test::round_off(4);
  check_close(found.volume, 1.0 / 6, few);
  for (const double c : found.centroid) check_close(c, 1.0 / 4, few);
  // Integrals of x^2 and x y are 1/60 and 1/120; from them, V c^2 = 1/96 is taken.
  for (std::size_t i = 0; i < 3; ++i) check_close(found.second_moments[i], 1.0 / 60 - 1.0 / 96, few);
  for (std::size_t i = 3; i < 6; ++i) check_close(found.second_moments[i], 1.0 / 120 - 1.0 / 96, few);
  check_close(volume(Cpu{}, s.points.span(), s.triangles.span()), 1.0 / 6, few);
  check_close(area(Cpu{}, s.points.span(), s.triangles.span()), (3 + std::sqrt(3)) / 2, few);
  const EdgeLengths edges = edge_lengths(Cpu{}, s.points.span(), s.triangles.span());
  CHECK(edges.shortest == 1);
  check_close(edges.longest, std::sqrt(2), few);
  check_close(edges.mean, (1 + std::sqrt(2)) / 2, few);
}

TEST_CASE("a cube far from the origin keeps its digits, and measures scale") {
  Surface s = test::cube();
  scale(s.points.span(), 2);
  shift(s.points.span(), {1e6, -1e6, 1e6});
  const Solid found = solid_of(s);
  const double few = 8 * test::round_off(12);
  check_close(found.volume, 8, few);
  check_close(found.centroid[0], 1e6 + 1, 1e6 * few);
  check_close(found.centroid[1], -1e6 + 1, 1e6 * few);
  // V a^2/12 with a = 2.
  for (std::size_t i = 0; i < 3; ++i) check_close(found.second_moments[i], 8.0 / 3, few);
  for (std::size_t i = 3; i < 6; ++i) check_close(found.second_moments[i], 0, few);
  turn_round(s);
  check_close(solid_of(s).volume, -8, few);
}

TEST_CASE("second moments of ellipsoids approach V a^2/5 to second order, turned ones those of their axes") {
  const Vector half{3, 2, 1};
  const Rotation turn = Rotation::about({1, 2, 3}, .7);
  const double v = 4 * std::numbers::pi / 3 * half[0] * half[1] * half[2];
  std::array<double, 2> error{}, turned{};
  for (std::size_t fine = 0; fine < 2; ++fine) {
    Surface s = icosphere(fine == 0 ? 8 : 16);
    map_to_ellipsoid(s.points.span(), half);
    const Solid found = solid_of(s);
    for (std::size_t d = 0; d < 3; ++d) {
      const double exact = v * half[d] * half[d] / 5;
      error[fine] = std::max(error[fine], std::abs(found.second_moments[d] / exact - 1));
      check_close(found.second_moments[3 + d], 0, test::round_off(20 * 256) * v);
      check_close(found.centroid[d], 0, test::round_off(20 * 256));
    }
    rotate(s.points.span(), turn);
    shift(s.points.span(), {1, 1, 1});
    // R diag(v a^2/5) R^T
    const Solid other = solid_of(s);
    constexpr std::array<std::array<std::size_t, 2>, 6> places{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
    for (std::size_t k = 0; k < 6; ++k) {
      double exact = 0;
      for (std::size_t d = 0; d < 3; ++d)
        exact += turn.rows()[places[k][0]][d] * turn.rows()[places[k][1]][d] * v * half[d] * half[d] / 5;
      turned[fine] = std::max(turned[fine], std::abs(other.second_moments[k] - exact) / (v * half[0] * half[0] / 5));
    }
    for (const double c : other.centroid) check_close(c, 1, test::round_off(20 * 256) * 4);
  }
  // Fourth order errors are what 4 leaves open, at step 1/8 of an edge of the icosahedron.
  CHECK(error[0] / error[1] == Approx(4).epsilon(test::truncation(2, .2)));
  CHECK(error[1] < test::truncation(2, 1.0 / 16, 1.5));
  CHECK(turned[0] / turned[1] == Approx(4).epsilon(test::truncation(2, .2)));
}

TEST_CASE("measures have the same bits for any number of threads") {
  Surface s = icosphere(40); // 16 chunks
  map_to_red_cell(s.points.span(), 3.91e-6);
  const auto measure = [&](int threads) {
    Solid found;
    double a = 0;
    EdgeLengths edges;
    run_with_threads(threads, [&] {
      found = solid_of(s);
      a = area(Cpu{}, s.points.span(), s.triangles.span());
      edges = edge_lengths(Cpu{}, s.points.span(), s.triangles.span());
    });
    return std::tuple(found.volume, found.centroid, found.second_moments, a, edges.shortest, edges.longest, edges.mean);
  };
  const auto one = measure(1);
  for (const int threads : {2, 3, 4}) CHECK(measure(threads) == one);
}

TEST_CASE("of no triangles, sums are 0") {
  CHECK(solid(Cpu{}, {}, {}).volume == 0);
  CHECK(volume(Cpu{}, {}, {}) == 0);
  CHECK(area(Cpu{}, {}, {}) == 0);
}
