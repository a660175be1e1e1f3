#include "tests/catch.hpp"
#include "tests/stokes/points.hpp"

#include <limits>

namespace corral::test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr std::array tolerances{1e-3, 1e-6, 1e-9, 1e-12};

} // namespace

TEST_CASE("published values of sums in a unit box are met to the tolerance") {
  const std::vector<Point> origin{{0, 0, 0}};
  for (const double tolerance : tolerances) {
    stokes::SumPlan flow({.sum = Sum::stokeslet, .tolerance = tolerance});
    const double G[3][3]{{1.14821832164643, .41151572454894, -.80300456207740},
                         {.41151572454894, -.70295624428474, -.29673328253320},
                         {-.80300456207740, -.29673328253320, .00677751563071}};
    const std::vector<Point> at{{.3, .1, -.2}, {0, 0, 0}, {.5, .5, .5}};
    for (std::size_t j = 0; j < 3; ++j) {
      Strength f{};
      f[j] = 1;
      const auto u = by_plan(flow, origin, {f}, at);
      for (std::size_t i = 0; i < 3; ++i) {
        CAPTURE(tolerance, i, j);
        const double unit = i == j ? 1 : 0, most = 3 * tolerance + 2e-13;
        CHECK(std::abs(u[i] - G[i][j]) < most);
        CHECK(std::abs(u[3 + i] - unit * -3.783063305974) < most + 1e-12);
        CHECK(std::abs(u[6 + i] - unit * -1.069247960037) < most + 1e-12);
      }
    }
    stokes::SumPlan stress({.sum = Sum::stresslet, .tolerance = tolerance});
    const auto u = by_plan(stress, origin, {{.7, -.4, .2, .1, .9, -.3}}, {{.3, .1, -.2}});
    const double T[3]{-5.711140927436, -2.847198192988, 3.625089466874};
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(u[i] - T[i]) < 3 * tolerance + 1e-12);
  }
}

TEST_CASE("direct sums do not depend on where near and far field part") {
  const stokes::Box box{{.3, -1, 2}, {1, 1.3, .8}};
  Numbers next(3);
  const auto sources = uniform(5, box, next), targets = uniform(3, box, next);
  const auto s = strengths(5, next);
  for (const Sum sum : all_sums) {
    CAPTURE(name(sum));
    const auto one = stokes::DirectSum{.sum = sum, .all_results = true, .box = box, .xi = 4}(sources, s, targets);
    const auto other = stokes::DirectSum{.sum = sum, .all_results = true, .box = box, .xi = 7}(sources, s, targets);
    for (std::size_t i = 0; i < one.size(); ++i) {
      CAPTURE(i, one[i], other[i]);
      CHECK(std::abs(one[i] - other[i]) < 1e-13L * (1 + std::abs(one[i])));
    }
  }
}

TEST_CASE("sums err by their tolerance, not more and not much less", "[physics]") {
  const stokes::Box box{{.3, -1, 2}, {1, 1.3, .8}};
  Numbers next(5);
  const auto sources = uniform(200, box, next);
  auto targets = uniform(40, box, next);
  targets.insert(targets.end(), sources.begin(), sources.begin() + 10);
  const auto s = strengths(sources.size(), next);
  for (const Sum sum : all_sums) {
    const auto right = stokes::DirectSum{.sum = sum, .all_results = true, .box = box}(sources, s, targets);
    for (const double tolerance : tolerances) {
      stokes::SumPlan plan(
          {.sum = sum, .all_results = true, .box = box, .tolerance = tolerance, .sources = 200, .targets = 50});
      const auto off = errors(plan.task(), s, by_plan(plan, sources, s, targets), right);
      CAPTURE(name(sum), tolerance, off, stokes::report(plan.task(), plan.parameters()));
      const auto size = errors(plan.task(), s, std::vector<double>(right.size(), 0), right);
      for (std::size_t r = 0; r < off.size(); ++r) CHECK(off[r] < tolerance * std::max(1.0, size[r]) + 2000 * epsilon);
      CHECK(*std::ranges::max_element(off) > tolerance / 10);
    }
  }
}

} // namespace corral::test
