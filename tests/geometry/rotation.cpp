#include "geometry/vector.hpp"

#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

using namespace corral;
using namespace corral::geometry;

namespace {

void check_equal(const Vector& a, const Vector& b, double tolerance) {
  INFO(a[0] << " " << a[1] << " " << a[2] << " and " << b[0] << " " << b[1] << " " << b[2]);
  for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(a[d] - b[d]) <= tolerance);
}

} // namespace

TEST_CASE("quarter turns go where the right hand says") {
  const double few = test::round_off(3);
  const Rotation z = Rotation::about({0, 0, 2}, std::numbers::pi / 2),
                 x = Rotation::about({1, 0, 0}, std::numbers::pi / 2);
  check_equal(z({1, 0, 0}), {0, 1, 0}, few);
  check_equal(z({0, 1, 0}), {-1, 0, 0}, few);
  check_equal(x({0, 1, 0}), {0, 0, 1}, few);
  check_equal((z * x)({0, 0, 1}), {1, 0, 0}, few); // to -y, then to x
  check_equal((x * z)({0, 0, 1}), {0, -1, 0}, few);
  check_equal((z * x).inverse()({1, 0, 0}), {0, 0, 1}, few);
  check_equal(Rotation::from_quaternion({3, 0, 0, 3})({1, 0, 0}), {0, 1, 0}, few);
  check_equal(Rotation()({1, 2, 3}), {1, 2, 3}, 0);
}

TEST_CASE("what is no rotation is refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(test::message_of([] { Rotation::from_quaternion({0, 0, 0, 0}); }).starts_with("a quaternion of length 0.0"));
  CHECK(test::message_of([=] { Rotation::from_quaternion({nan, 0, 0, 0}); }).starts_with("a quaternion of length nan"));
  CHECK(test::message_of([] { Rotation::about({0, 0, 0}, 1); }).starts_with("an axis of length 0.0"));
  CHECK(test::message_of([=] { Rotation::about({0, 0, 1}, nan); }).starts_with("an axis of length 1.0"));
}

TEST_CASE("random rotations are rotations, and each is as likely as any other") {
  // Of uniform rotations, each element of the matrix has the mean 0 and the square 1/3, two elements are not
  // correlated, and the trace has the square 1 (characters are orthonormal) and the fourth power 3.
  test::Random random(3);
  constexpr int n = 200'000;
  std::array<double, 9> mean{}, square{};
  double product = 0, trace2 = 0, trace4 = 0;
  for (int i = 0; i < n; ++i) {
    const Rotation r = random_rotation(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
    const auto& m = r.rows();
    for (std::size_t e = 0; e < 9; ++e) {
      mean[e] += m[e / 3][e % 3] / n;
      square[e] += m[e / 3][e % 3] * m[e / 3][e % 3] / n;
    }
    product += m[0][0] * m[1][1] / n;
    const double trace = m[0][0] + m[1][1] + m[2][2];
    trace2 += trace * trace / n;
    trace4 += trace * trace * trace * trace / n;
    if (i < 100) {
      check_equal(cross(m[0], m[1]), m[2], test::round_off(10));
      for (std::size_t a = 0; a < 3; ++a) CHECK(std::abs(dot(m[a], m[a]) - 1) <= test::round_off(10));
      check_equal((r * r.inverse())({1, 2, 3}), {1, 2, 3}, 6 * test::round_off(10));
    }
  }
  // Five standard deviations of means of n numbers whose own deviations are at most 1; of trace^4 at most 10.
  const double spread = 5 / std::sqrt(n);
  for (std::size_t e = 0; e < 9; ++e) {
    CHECK(std::abs(mean[e]) < spread);
    CHECK(std::abs(square[e] - 1.0 / 3) < spread);
  }
  CHECK(std::abs(product) < spread);
  CHECK(std::abs(trace2 - 1) < 2 * spread);
  CHECK(std::abs(trace4 - 3) < 10 * spread);
}

TEST_CASE("points are turned about the origin, scaled from there and shifted") {
  std::vector<Vector> points{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  rotate(points, Rotation::about({0, 0, 1}, std::numbers::pi));
  check_equal(points[0], {-1, 0, 0}, test::round_off(3));
  check_equal(points[1], {0, -2, 0}, 2 * test::round_off(3));
  scale(points, .5);
  check_equal(points[2], {0, 0, 1.5}, 0);
  shift(points, {1, 2, 3});
  check_equal(points[2], {1, 2, 4.5}, 0);
}
