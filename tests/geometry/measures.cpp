#include "geometry/measures.hpp"

#include "geometry/mesh.hpp"
#include "geometry/rotation.hpp"
#include "geometry/shapes/icosphere.hpp"
#include "geometry/shapes/maps.hpp"
#include "tests/catch.hpp"
#include "tests/geometry/solids.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <numbers>

using namespace corral;
using namespace corral::geometry;

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
