#include "tests/catch.hpp"
#include "tests/stokes/points.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace corral::test {
TEST_CASE("where near and far field part makes no difference", "[physics]") {
  const Box box{{0, 0, 0}, {1, 1, 1.5}};
  Numbers next(8);
  const auto sources = uniform(40, box, next);
  const auto s = strengths(sources.size(), next);
  for (const Sum sum : all_sums)
    for (const stokes::WindowShape window :
         {stokes::WindowShape::kaiser_bessel, stokes::WindowShape::exponential_semicircle}) {
      const Task task = task_of(sum, sources.size(), box, 1e-8);
      std::vector<double> first;
      for (const double cut_off : {.25, .5, 1.4}) {
        SumPlan plan(task, {.cut_off = cut_off, .window = window});
        const auto got = by_plan(plan, sources, s, sources);
        if (first.empty()) first = got;
        CAPTURE(name(sum), cut_off);
        const auto off = errors(task, s, got, {first.begin(), first.end()});
        const auto size = errors(task, s, std::vector<double>(got.size(), 0), {first.begin(), first.end()});
        for (std::size_t r = 0; r < off.size(); ++r) CHECK(off[r] < 2e-8 * std::max(1.0, size[r]));
      }
    }
}

namespace {

/// Anywhere, all in a thousandth of the box, on a sphere, on a line.
std::array<std::vector<Point>, 4> distributions(std::size_t n, Numbers& next) {
  std::array<std::vector<Point>, 4> all;
  for (std::size_t i = 0; i < n; ++i) {
    all[0].push_back({next(), next(), next()});
    all[1].push_back({.4 + .1 * next(), .7 + .1 * next(), .95 + .1 * next()});
    const double z = 2 * next() - 1, phi = 2 * std::numbers::pi * next(), s = std::sqrt(1 - z * z);
    all[2].push_back({.5 + .3 * s * std::cos(phi), .5 + .3 * s * std::sin(phi), .5 + .3 * z});
    all[3].push_back({next(), .25, .75});
  }
  return all;
}

/// `xi`: of the direct sum, whose pairs and modes it weighs.
void keep_to_tolerances(Sum sum, std::size_t n, std::size_t targets, double xi) {
  const Box box{};
  Numbers next(9);
  for (const std::vector<Point>& points : distributions(n, next)) {
    const auto s = strengths(n, next);
    const std::vector<Point> at(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(targets));
    const auto right = stokes::DirectSum{.sum = sum, .box = box, .xi = xi}(points, s, at);
    for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) {
      SumPlan plan(task_of(sum, n, box, tolerance, false));
      const auto off = errors(plan.task(), s, by_plan(plan, points, s, at), right);
      const auto size = errors(plan.task(), s, std::vector<double>(right.size(), 0), right);
      CAPTURE(name(sum), points[0], tolerance, off[0], size[0]);
      CHECK(off[0] < tolerance * std::max(1.0, size[0]));
      if (n > 10000) WARN(name(sum) << " " << tolerance << ": " << off[0] << ", of " << size[0]);
    }
  }
}

} // namespace

TEST_CASE("crowds, spheres and lines keep to the tolerance", "[physics]") {
  keep_to_tolerances(Sum::stokeslet, 1000, 20, 9);
}

TEST_CASE("a hundred thousand points keep to the tolerance, however they lie", "[long]") {
  for (const Sum sum : {Sum::stokeslet, Sum::stresslet}) keep_to_tolerances(sum, 100000, 200, 6);
}

} // namespace corral::test
