#include "geometry/mesh.hpp"

#include "geometry/shapes/icosphere.hpp"
#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/geometry/solids.hpp"

#include <algorithm>
#include <array>
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
  const auto at = [&](std::int32_t t) { return triangles[static_cast<std::size_t>(t)]; };
  REQUIRE(2 * mesh.edge_count() == 3 * mesh.triangle_count());
  for (std::int64_t e = 0; e < mesh.edge_count(); ++e) {
    const auto& [p, t, o] = mesh.edges()[static_cast<std::size_t>(e)];
    REQUIRE(p[0] < p[1]);
    REQUIRE(is_triangle_of(at(t[0]), p[0], p[1], o[0]));
    REQUIRE(is_triangle_of(at(t[1]), p[1], p[0], o[1]));
    if (e > 0) REQUIRE(mesh.edges()[static_cast<std::size_t>(e - 1)].points < p);
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
  // 24 and 12 bytes of surface, 24 for each of 18 edges, 12 of edges, 4 for rings: 36 of their points and triangles
  // each.
  CHECK(mesh.bytes() == 8 * 24 + 12 * 12 + 18 * 24 + 12 * 12 + 9 * 4 + 2 * 36 * 4);
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
