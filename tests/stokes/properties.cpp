#include "tests/catch.hpp"
#include "tests/stokes/points.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <algorithm>
#include <limits>
#include <numbers>
#include <string>

namespace corral::test {
namespace {

using stokes::Parameters;

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// What is said of what is refused; empty where nothing is.
template <class F> std::string said(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

} // namespace

TEST_CASE("a sum has the same bits for any number of threads") {
  const Box box{{0, 0, 0}, {1, 2, .7}};
  Numbers next(1);
  const auto sources = uniform(3000, box, next), targets = uniform(500, box, next);
  const auto s = strengths(sources.size(), next);
  for (const Sum sum : all_sums) {
    SumPlan plan(task_of(sum, sources.size(), box, 1e-5));
    std::vector<double> one;
    for (const int threads : {1, 2, 4}) {
      std::vector<double> got;
      run_with_threads(threads, [&] { got = by_plan(plan, sources, s, targets); });
      if (threads == 1) one = got;
      CHECK(got == one);
    }
  }
}

TEST_CASE("a flow moves with its sources, around the ends of the box and with its axes") {
  const Box box{{-1, 0, 2}, {1.5, 1.5, 1.5}};
  Numbers next(2);
  const auto sources = uniform(60, box, next);
  const auto s = strengths(sources.size(), next);
  const double tolerance = 1e-11;
  SumPlan plan(task_of(Sum::stokeslet, sources.size(), box, tolerance, false));
  const auto still = by_plan(plan, sources, s, sources);
  auto moved = sources;
  for (Point& x : moved) x = {x[0] + .4, x[1] - 5.3, x[2] + 3.1};
  const double unit = largest(still);
  CHECK(largest_difference(by_plan(plan, moved, s, moved), still) < 3 * tolerance * unit);
  // x -> y -> z -> x
  auto turned = sources;
  auto turned_s = s;
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      turned[i][d] = sources[i][(d + 1) % 3];
      turned_s[i][d] = s[i][(d + 1) % 3];
    }
  const auto other = by_plan(plan, turned, turned_s, turned);
  std::vector<double> back(other.size());
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) back[3 * i + (d + 1) % 3] = other[3 * i + d];
  CHECK(largest_difference(back, still) < 3 * tolerance * unit);
}

TEST_CASE("what one force does along another is what that does along the first") {
  const Box box{};
  Numbers next(4);
  const auto sources = uniform(300, box, next);
  const auto f = strengths(sources.size(), next), g = strengths(sources.size(), next);
  // Spread and interpolation are adjoint and tensors symmetric: to round-off, whatever the tolerance.
  SumPlan plan(task_of(Sum::stokeslet, sources.size(), box, 1e-3, false));
  const auto u = by_plan(plan, sources, f, sources), v = by_plan(plan, sources, g, sources);
  double fv = 0, gu = 0, size = 0;
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      fv += f[i][d] * v[3 * i + d];
      gu += g[i][d] * u[3 * i + d];
      size += std::abs(f[i][d] * v[3 * i + d]);
    }
  CHECK(std::abs(fv - gu) < 1e-13 * size);
  CHECK(size > 100);
}

TEST_CASE("the mean of a flow over the box is 0, and so is its divergence") {
  const Box box{{0, 0, 0}, {1, 1.2, .9}};
  Numbers next(6);
  const auto sources = uniform(20, box, next);
  const auto s = strengths(sources.size(), next);
  std::vector<Point> everywhere; // the mean of what is smooth; singular points between
  constexpr int n = 24;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) everywhere.push_back({(i + .5) / n * 1, (j + .5) / n * 1.2, (k + .5) / n * .9});
  for (const Sum sum : {Sum::stokeslet, Sum::rotlet}) {
    SumPlan plan(task_of(sum, sources.size(), box, 1e-8));
    const auto u = by_plan(plan, sources, s, everywhere);
    const auto out = static_cast<std::size_t>(stokes::columns(sum, true));
    const auto gradient = static_cast<std::size_t>(stokes::first_column(sum, stokes::Result::gradient));
    double mean = 0, mean_size = 0, divergence = 0, slope = 0;
    for (std::size_t t = 0; t < everywhere.size(); ++t) {
      mean += u[t * out];
      mean_size += std::abs(u[t * out]);
      divergence =
          std::max(divergence, std::abs(u[t * out + gradient] + u[t * out + gradient + 4] + u[t * out + gradient + 8]));
      slope = std::max(slope, std::abs(u[t * out + gradient]));
    }
    CAPTURE(name(sum), mean, mean_size, divergence, slope);
    CHECK(std::abs(mean) < 0.05 * mean_size); // points of a grid see 1/r to so much
    CHECK(divergence < 1e-6 * slope);
  }
}

TEST_CASE("gradients are those of the velocities", "[physics]") {
  const Box box{};
  Numbers next(7);
  const auto sources = uniform(10, box, next), at = uniform(5, box, next);
  const auto s = strengths(sources.size(), next);
  for (const Sum sum : all_sums) {
    SumPlan plan(task_of(sum, sources.size(), box, 1e-12));
    const auto here = by_plan(plan, sources, s, at);
    const auto out = static_cast<std::size_t>(stokes::columns(sum, true));
    const auto first = static_cast<std::size_t>(stokes::first_column(sum, stokes::Result::gradient));
    const auto components = static_cast<std::size_t>(stokes::result_columns(sum, stokes::Result::velocity));
    for (std::size_t l = 0; l < 3; ++l) {
      const double h = 1e-4;
      auto above = at, below = at;
      for (Point& x : above) x[l] += h;
      for (Point& x : below) x[l] -= h;
      const auto high = by_plan(plan, sources, s, above), low = by_plan(plan, sources, s, below);
      for (std::size_t t = 0; t < at.size(); ++t)
        for (std::size_t c = 0; c < components; ++c) {
          const double slope = (high[t * out + c] - low[t * out + c]) / (2 * h);
          CAPTURE(name(sum), l, t, c);
          CHECK(std::abs(slope - here[t * out + first + 3 * c + l]) < 1e-3 * (1 + std::abs(slope)));
        }
    }
  }
}

TEST_CASE("spheres on lattices fall as Hasimoto has it") {
  // Drag on a sphere of a dilute lattice: 1 + b c^(1/3), c the share of the volume.
  const struct {
    std::vector<Point> at;
    double b;
  } lattices[]{{{{0, 0, 0}}, 1.76011888},
               {{{0, 0, 0}, {.5, .5, .5}}, 1.79185851},
               {{{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}}, 1.79174723}};
  for (const auto& lattice : lattices) {
    SumPlan plan(task_of(Sum::stokeslet, lattice.at.size(), {}, 1e-10, false));
    const auto u = by_plan(plan, lattice.at, std::vector<Strength>(lattice.at.size(), Strength{1}), lattice.at);
    const double root = std::cbrt(4 * std::numbers::pi / 3 * static_cast<double>(lattice.at.size()));
    CHECK(std::abs(-0.75 * u[0] / root - lattice.b) < 1e-7);
  }
}

TEST_CASE("a source at a target's place acts by its images alone") {
  const Box box{};
  const std::vector<Point> one{{.2, .3, .4}}, twice{one[0], one[0]}, image{{1.2, .3, -.6}};
  const Strength f{1, 2, -1, .5, .3, -.7};
  for (const Sum sum : all_sums) {
    SumPlan plan(task_of(sum, 2, box, 1e-10));
    const auto alone = by_plan(plan, one, {f}, one), both = by_plan(plan, twice, {f, f}, twice);
    const auto out = static_cast<std::size_t>(stokes::columns(sum, true));
    for (std::size_t c = 0; c < out; ++c) {
      CAPTURE(name(sum), c);
      CHECK(std::abs(both[c] - 2 * alone[c]) < 1e-11 * (1 + std::abs(alone[c])));
      CHECK(both[c] == both[out + c]);
    }
    // A source moved by whole boxes is at the same place, to round-off of its coordinates.
    CHECK(largest_difference(by_plan(plan, image, {f}, one), alone) < 1e-9);
  }
}

TEST_CASE("no sources give no flow, no targets nothing, and a plan takes more of both than it was told of") {
  const Box box{};
  Numbers next(15);
  const auto few = uniform(3, box, next), many = uniform(700, box, next);
  const auto s = strengths(many.size(), next);
  for (const Sum sum : all_sums) {
    SumPlan plan(task_of(sum, 3, box, 1e-6)), larger(task_of(sum, many.size(), box, 1e-6));
    CHECK(by_plan(plan, {}, {}, few) ==
          std::vector<double>(3 * static_cast<std::size_t>(stokes::columns(sum, true)), 0.0));
    CHECK(by_plan(plan, few, {s[0], s[1], s[2]}, {}).empty());
    const auto got = by_plan(plan, many, s, few), right = by_plan(larger, many, s, few);
    CHECK(largest_difference(got, right) < 1e-3 * largest(right));
  }
}

TEST_CASE("a plan says what it cannot do") {
  const auto plan = [](const Task& task, const Parameters& fixed = {}) {
    return said([&] { stokes::choose(task, fixed); });
  };
  CHECK_THAT(plan({.box = {{0, 0, 0}, {1, 0, 1}}}), Catch::Contains("box of 1 x 0 x 1"));
  CHECK_THAT(plan({.box = {{0, 0, 0}, {1, std::numeric_limits<double>::infinity(), 1}}}), Catch::Contains("finite"));
  CHECK_THAT(plan({.tolerance = 1e-20}), Catch::Contains("tolerance 1e-20"));
  CHECK_THAT(plan({.tolerance = .5}), Catch::Contains("tolerance .5") || Catch::Contains("tolerance 0.5"));
  CHECK_THAT(plan({}, {.cut_off = 1e-3}), Catch::Contains("2^32"));
  CHECK_THAT(plan({}, {.cut_off = -1}), Catch::Contains("cut-off"));
  CHECK_THAT(plan({}, {.support = 5}), Catch::Contains("5 points"));
  // What is not given makes up for what is: a coarse grid asks for a long cut-off.
  const Task moderate = task_of(Sum::stokeslet, 1000, {}, 1e-4);
  CHECK(expect(moderate, choose(moderate, {.modes = {32, 32, 32}})).total < 1e-4);
  CHECK(expect(moderate, choose(moderate, {.support = 6})).total < 1e-4);
  CHECK(expect(moderate, choose(moderate, {.xi = 12})).total < 1e-4);
  CHECK_THAT(plan({}, {.xi = 1e-300}), Catch::Contains("xi 1e-300"));
  CHECK_THAT(plan({}, {.xi = 1, .cut_off = .1}), Catch::Contains("err by"));
  CHECK_THAT(plan({.box = {{0, 0, 0}, {1e200, 1e200, 1e200}}}), Catch::Contains("volume"));
  CHECK_THAT(plan({}, {.xi = 6, .modes = {4096, 4096, 4096}}), Catch::Contains("4.1e+03 x") && Catch::Contains("2^32"));
  CHECK_THAT(plan({}, {.modes = {22, 0, 0}}), Catch::Contains("22 modes"));

  SumPlan flow(task_of(Sum::stokeslet, 2, {}, 1e-3, false));
  std::vector<double> x{.1, .2, .3, .4, .5, .6}, f(6, 1.0), u(6);
  const auto call = [&](std::int64_t sources, std::int64_t forces, std::int64_t targets, bool pressure = false) {
    return said([&] {
      stokes::Sources from{positions(x.data(), sources)};
      stokes::Targets to;
      to.at = positions(x.data(), 2);
      for (std::size_t d = 0; d < 3; ++d) {
        from.strength[d] = {f.data() + d, forces, 3};
        to.velocity[d] = {u.data() + d, targets, 3};
      }
      if (pressure) to.pressure = {u.data(), 2, 1};
      flow(Cpu{}, from, to);
    });
  };
  CHECK(call(2, 2, 2).empty());
  const std::vector<double> before = u;
  CHECK_THAT(call(2, 1, 2), Catch::Contains("strength 0"));
  CHECK_THAT(call(2, 2, 1), Catch::Contains("velocity"));
  CHECK_THAT(call(2, 2, 2, true), Catch::Contains("all_results"));
  f[4] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(call(2, 2, 2), Catch::Contains("strength 1 is not finite"));
  f[4] = 1;
  x[3] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(call(2, 2, 2), Catch::Contains("1 of 2 sources"));
  CHECK(u == before);
  x[3] = 1e17;
  CHECK_THAT(call(2, 2, 2), Catch::Contains("1 of 2 sources are more than a million boxes away"));
  x[3] = 1.1;
  SumPlan space(task_of(Sum::stokeslet, 2, {{0, 0, 0}, {1, 1, 1}, {}}, 1e-3, false));
  std::swap(flow, space);
  CHECK_THAT(call(2, 2, 2), Catch::Contains("outside of the box"));
  CHECK(u == before);
}

} // namespace corral::test
