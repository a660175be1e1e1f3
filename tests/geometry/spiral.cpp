#include "geometry/shapes/shapes.hpp"

#include "geometry/mesh.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/geometry/solids.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <vector>

using namespace corral;
using namespace corral::geometry;

namespace {

// Sound (closed, oriented outward, every node in it) and 2 n - 4 triangles, which is Euler's formula.
void check_sound(const Surface& s) {
  REQUIRE(s.triangles.size() == 2 * s.points.size() - 4);
  Surface copy = s;
  CHECK_NOTHROW(Mesh(std::move(copy)));
}

// No point lies above a face: a hull by its definition.
void check_hull(const Surface& s) {
  double highest = -1;
  for (const Triangle& t : s.triangles) {
    const auto [a, b, c] = corners(s.points.span(), t);
    const Vector n = cross(b - a, c - a);
    for (const Vector& x : s.points) highest = std::max(highest, dot(x - a, n));
  }
  CHECK(highest < 8 * 0x1p-40); // to which points are rounded
}

std::vector<Vector> random_nodes(std::int64_t count, test::Random& random) {
  std::vector<Vector> nodes;
  while (static_cast<std::int64_t>(nodes.size()) < count) {
    const Vector x{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (length(x) < 1 && length(x) > .1) nodes.push_back(direction(x));
  }
  return nodes;
}

Surface hull_of(const std::vector<Vector>& nodes) {
  Surface s;
  s.points.assign(nodes);
  s.triangles = sphere_hull(nodes);
  return s;
}

} // namespace

TEST_CASE("spiral nodes lie where Bauer's formula puts them") {
  const Array<Vector> nodes = spiral_nodes(864);
  for (std::int64_t i = 0; i < 864; ++i) {
    const double z = -1 + (2.0 * static_cast<double>(i) + 1) / 864;
    const double longitude = std::sqrt(3.14159265358979323846 * 864) * std::asin(z);
    REQUIRE(nodes[i][2] == z);
    REQUIRE(std::abs(length(nodes[i]) - 1) <= test::round_off(3));
    REQUIRE(std::abs(nodes[i][0] * std::sin(longitude) - nodes[i][1] * std::cos(longitude)) <=
            100 * test::round_off(3));
    REQUIRE(nodes[i][0] * std::cos(longitude) + nodes[i][1] * std::sin(longitude) > 0);
  }
}

TEST_CASE("spirals of 4 to 200 nodes have hulls by the definition") {
  for (std::int64_t n = 4; n <= 200; ++n) {
    INFO(n << " nodes");
    const Surface s = spiral_sphere(n);
    check_sound(s);
    check_hull(s);
  }
}

TEST_CASE("spirals of 864 and 8832 nodes have sound hulls") {
  for (const std::int64_t n : {864, 8832}) check_sound(spiral_sphere(n));
}

TEST_CASE("the hull of 50,000 spiral nodes is sound", "[long]") { check_sound(spiral_sphere(50'000)); }

TEST_CASE("an icosphere's triangles come back, and hulls don't depend on the order of nodes") {
  const Surface sphere = icosphere(7);
  const auto as_set = [](std::span<const Triangle> triangles) {
    std::set<Triangle> all;
    for (Triangle t : triangles) {
      std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
      all.insert(t);
    }
    return all;
  };
  CHECK(as_set(sphere_hull(sphere.points.span()).span()) == as_set(sphere.triangles.span()));

  const Array<Vector> nodes = spiral_nodes(500);
  const std::vector<Vector> backwards(std::make_reverse_iterator(nodes.end()),
                                      std::make_reverse_iterator(nodes.begin()));
  Array<Triangle> turned = sphere_hull(backwards);
  for (Triangle& t : turned) t = {499 - t[0], 499 - t[1], 499 - t[2]};
  CHECK(as_set(turned.span()) == as_set(sphere_hull(nodes.span()).span()));
}

TEST_CASE("random, crowded and lopsided nodes have hulls by the definition") {
  test::Random random(5);
  check_sound(hull_of(random_nodes(2000, random)));
  check_hull(hull_of(random_nodes(300, random)));
  // A cap of .01 alone: the centre lies outside of the hull.
  std::vector<Vector> cap = random_nodes(300, random);
  for (Vector& x : cap) x = direction({.01 * x[0], .01 * x[1], 1});
  check_sound(hull_of(cap));
  check_hull(hull_of(cap));
}

TEST_CASE("nodes of which many lie on one circle have a triangulation") {
  check_sound(hull_of({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}));
  std::vector<Vector> cube;
  for (const Vector& x : test::cube().points) cube.push_back(direction({x[0] - .5, x[1] - .5, x[2] - .5}));
  check_sound(hull_of(cube));
  check_hull(hull_of(cube));
  // Rings of latitude, whose points are symmetric up to round-off, with both poles.
  std::vector<Vector> rings{{0, 0, 1}, {0, 0, -1}};
  for (int ring = 1; ring < 16; ++ring)
    for (int i = 0; i < 32; ++i) {
      const double polar = 3.14159265358979323846 * ring / 16, around = 3.14159265358979323846 * i / 16;
      rings.push_back({std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around), std::cos(polar)});
    }
  check_sound(hull_of(rings));
  check_hull(hull_of(rings));
}

TEST_CASE("nodes that make no hull are refused") {
  const auto said = [](const std::vector<Vector>& nodes) { return test::message_of([&] { sphere_hull(nodes); }); };
  CHECK(said({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) == "a hull of 3 nodes (4 to 25000000)");
  CHECK(said({{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}) ==
        "nodes that lie in one plane (a hull needs four that do not)");
  CHECK(said({{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}) ==
        "nodes that lie in one plane (a hull needs four that do not)");
  CHECK(said({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}}).find("lies within the hull of the others") !=
        std::string::npos);
  CHECK(said({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-2, 0, 0}}) ==
        "node 3 lies 2.000000 from the centre (nodes lie on the unit sphere)");
  CHECK(said({{1, 0, 0}, {0, 1, 0}, {0, 0, std::numeric_limits<double>::quiet_NaN()}, {-1, 0, 0}})
            .starts_with("node 2 lies nan"));
  CHECK(test::message_of([] { spiral_nodes(3); }) == "a spiral of 3 nodes (4 to 25000000)");
  CHECK(test::message_of([] { spiral_nodes(25'000'001); }).starts_with("a spiral of 25000001 nodes"));
}
