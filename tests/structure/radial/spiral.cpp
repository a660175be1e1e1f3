#include "geometry/vector.hpp"
#include "structure/radial/sphere/spiral.hpp"
#include "tests/catch.hpp"
#include "tests/sanitized.hpp"
#include "tests/structure/radial/smooth_function.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <iostream>
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

namespace {

/// Root of the mean square of relative errors for exp(a . x), over turned a: single ones come out well by luck.
double error_of(std::int64_t n) {
  const Spiral sites(n);
  const Array<double> weights = distance_weights(Cpu{}, sites);
  double squares = 0;
  constexpr int turns = 8;
  for (int turn = 0; turn < turns; ++turn) {
    SmoothFunction f;
    f.a = {2 * std::cos(turn), 2 * std::sin(turn), 0.5 * turn};
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += weights[i] * f(sites.point(i));
    squares += std::pow(sum / (4 * std::numbers::pi * f.mean()) - 1, 2);
  }
  return std::sqrt(squares / turns);
}

} // namespace

TEST_CASE("weights of the sphere are positive, nearly equal, and of sum 4 pi") {
  for (const std::int64_t n : {7, 72, 220, 625}) {
    const Array<double> weights = distance_weights(Cpu{}, Spiral(n));
    double sum = 0, least = 1, most = 0;
    for (const double w : weights) {
      sum += w;
      least = std::min(least, w);
      most = std::max(most, w);
    }
    const double mean = 4 * std::numbers::pi / static_cast<double>(n);
    INFO(n << " sites: " << least / mean << " to " << most / mean);
    CHECK(std::abs(sum - 4 * std::numbers::pi) < round_off(n) * sum);
    CHECK(least > (n < 72 ? 0.5 : 0.95) * mean);
    CHECK(most < 1.05 * mean);
  }
}

TEST_CASE("the rule is what interpolation by distances gives") {
  // The integral of |x - y| over the sphere is 16 pi/3 for every y: the rule has it, to one constant, at all its sites.
  const Spiral sites(85);
  const Array<double> weights = distance_weights(Cpu{}, sites);
  const auto integral = [&](std::int64_t of) {
    double sum = 0;
    for (std::int64_t j = 0; j < sites.count(); ++j) {
      const Direction &x = sites.point(of), &y = sites.point(j);
      sum += weights[j] * std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
    }
    return sum;
  };
  const double first = integral(0);
  CHECK(first == Approx(16 * std::numbers::pi / 3).epsilon(0.01));
  for (std::int64_t i = 1; i < sites.count(); ++i)
    CHECK(std::abs(integral(i) - first) < 100 * round_off(sites.count()) * first); // a system of condition about 100
}

TEST_CASE("weights are made exact for harmonics by a small change") {
  for (const std::int64_t n : {72, 301, sanitized ? 440 : 1000}) {
    const Spiral sites(n);
    const Array<double> before = distance_weights(Cpu{}, sites);
    Array<double> weights = before;
    make_exact(Cpu{}, sites, exact_degree(n), weights);
    const double mean = 4 * std::numbers::pi / static_cast<double>(n);
    double change = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      change = std::max(change, std::abs(weights[i] - before[i]) / mean);
      REQUIRE(weights[i] == weights[sites.partner(i)]);
      REQUIRE(weights[i] > 0.9 * mean);
    }
    INFO(n << " sites, change " << change);
    CHECK(change < 6e-3);
    for (unsigned l = 0; l <= static_cast<unsigned>(exact_degree(n)); ++l)
      for (unsigned m = 0; m <= l; ++m) {
        double cosine = 0, sine = 0, terms = 0;
        for (std::int64_t i = 0; i < n; ++i) {
          const Direction& x = sites.point(i);
          const double f = weights[i] * std::sph_legendre(l, m, std::acos(x[2])), phi = m * std::atan2(x[1], x[0]);
          cosine += f * std::cos(phi);
          sine += f * std::sin(phi);
          terms += std::abs(f);
        }
        const double exact = l == 0 ? std::sqrt(4 * std::numbers::pi) : 0; // of the constant 1/sqrt(4 pi)
        CHECK(std::abs(cosine - exact) < 4 * round_off(n) * terms);
        CHECK(std::abs(sine) < 4 * round_off(n) * terms);
      }
  }
}

TEST_CASE("the sphere's rule converges on smooth functions") {
  const std::int64_t coarse = 110, fine = sanitized ? 440 : 880;
  const double before = error_of(coarse), after = error_of(fine);
  const double order = std::log(before / after) / std::log(std::sqrt(static_cast<double>(fine) / coarse));
  std::cout << "quadrature: order " << order << ", error with " << fine << " sites " << after << '\n';
  CHECK(order > 3); // of an interpolation by distances, and better on the whole sphere
}

} // namespace corral::test
