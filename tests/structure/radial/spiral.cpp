#include "structure/radial/sphere/spiral.hpp"

#include "geometry/vector.hpp"
#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <numbers>

namespace corral::test {
namespace {

using namespace structure::radial;

using geometry::dot;

} // namespace

TEST_CASE("sites of a spiral are Bauer's") {
  const Spiral spiral(10);
  for (std::int64_t i = 0; i < 10; ++i) {
    const double z = -1 + (2 * static_cast<double>(i) + 1) / 10, latitude = std::asin(z);
    const double longitude = std::sqrt(std::numbers::pi * 10) * latitude;
    CHECK(std::abs(spiral.point(i)[0] - std::cos(latitude) * std::cos(longitude)) < round_off(8));
    CHECK(std::abs(spiral.point(i)[1] - std::cos(latitude) * std::sin(longitude)) < round_off(8));
    CHECK(std::abs(spiral.point(i)[2] - z) < round_off(1));
  }
}

TEST_CASE("half a turn maps a spiral onto itself to the bit, frames included, but for the middle site's") {
  for (const std::int64_t n : {2, 7, 864}) {
    const Spiral spiral(n);
    CHECK(spiral.representatives() + spiral.pairs() == n);
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t other = spiral.partner(i);
      CHECK(spiral.point(other) == half_turn(spiral.point(i)));
      if (other == i) continue;
      CHECK(spiral.frame(other).first == half_turn(spiral.frame(i).first));
      CHECK(spiral.frame(other).second == half_turn(spiral.frame(i).second));
    }
  }
}

TEST_CASE("frames are orthonormal and right-handed at every site, poles included") {
  const Spiral spiral(2001);
  for (std::int64_t i = 0; i < spiral.count(); ++i) {
    const Direction& x = spiral.point(i);
    const auto [a, b] = spiral.frame(i);
    const double volume = x[0] * (a[1] * b[2] - a[2] * b[1]) + x[1] * (a[2] * b[0] - a[0] * b[2]) +
                          x[2] * (a[0] * b[1] - a[1] * b[0]);
    const double errors[] = {dot(x, x) - 1, dot(a, a) - 1, dot(b, b) - 1, dot(x, a), dot(x, b), dot(a, b), volume - 1};
    for (const double error : errors) REQUIRE(std::abs(error) < round_off(12));
  }
}

TEST_CASE("a spiral needs two sites") { CHECK_THROWS_AS(Spiral(1), Error); }

} // namespace corral::test
