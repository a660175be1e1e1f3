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

using stokes::all_sums;
using stokes::Box;
using stokes::Parameters;
using stokes::Sum;
using stokes::SumPlan;
using stokes::Task;

Task task_of(Sum sum, std::size_t n, const Box& box, double tolerance, bool all = true) {
  const auto points = static_cast<std::int64_t>(n);
  return {.sum = sum, .all_results = all, .box = box, .tolerance = tolerance, .sources = points, .targets = points};
}

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

TEST_CASE("in free space sums are those over pairs", "[physics]") {
  const Box boxes[]{{{-.5, 2, 0}, {1, 1, 1}, {}}, {{0, 0, 0}, {1.5, .6, 1}, {}}};
  Numbers next(11);
  for (const Box& box : boxes)
    for (const Sum sum : all_sums) {
      auto sources = uniform(150, box, next);
      for (std::size_t d = 0; d < 3; ++d) sources[1][d] = box.origin[d]; // a corner, and as near to the other as may be
      for (std::size_t d = 0; d < 3; ++d) sources[2][d] = box.origin[d] + box.edge[d] * (1 - 1e-12);
      const auto s = strengths(sources.size(), next);
      const auto right = stokes::DirectSum{.sum = sum, .all_results = true, .box = box}(sources, s, sources);
      const auto size = errors(task_of(sum, 1, box, 1), s, std::vector<double>(right.size(), 0), right);
      for (const double tolerance : {1e-3, 1e-6, 1e-11}) {
        if (tolerance != 1e-6 && (box.edge[0] != 1 || (tolerance < 1e-6 && sum != Sum::stokeslet)))
          continue; // seconds each
        SumPlan plan(task_of(sum, sources.size(), box, tolerance));
        const auto off = errors(plan.task(), s, by_plan(plan, sources, s, sources), right);
        CAPTURE(name(sum), tolerance, off, size, stokes::report(plan.task(), plan.parameters()));
        for (std::size_t r = 0; r < off.size(); ++r)
          CHECK(off[r] < tolerance * std::max(1.0, size[r]) + 2000 * std::numeric_limits<double>::epsilon());
      }
    }
}

TEST_CASE("layers have what a periodic box has that is tall", "[physics]") {
  // Modes with a wave number along the layer don't reach the next one; the others, flow along the layer as a function
  // of the height alone, differ by what a periodic box has of them: 4 pi z^2/H + 2 pi H/3 over the area, of charges
  // half of it.
  const double H = 8;
  Numbers next(12);
  for (std::size_t up = 0; up < 3; ++up) {
    Box flat{{0, 0, 0}, {1, 1.2, .9}}, tall = flat;
    flat.edge[up] = .7;
    flat.periodic[up] = false;
    tall.edge[up] = H;
    const double area = flat.volume() / flat.edge[up];
    auto points = uniform(40, flat, next);
    const auto s = strengths(points.size(), next);
    for (const Sum sum : all_sums) {
      SumPlan layer(task_of(sum, points.size(), flat, 1e-10)), box(task_of(sum, points.size(), tall, 1e-10));
      const auto got = by_plan(layer, points, s, points);
      auto right = by_plan(box, points, s, points);
      const auto out = static_cast<std::size_t>(stokes::columns(sum, true));
      const auto gradient = static_cast<std::size_t>(stokes::first_column(sum, stokes::Result::gradient));
      const double pi = std::numbers::pi;
      for (std::size_t t = 0; t < points.size(); ++t)
        for (std::size_t i = 0; i < points.size(); ++i) {
          const double z = points[t][up] - points[i][up], more = 4 * pi * z * z / H + 2 * pi * H / 3;
          double* const at = right.data() + t * out;
          const Strength& f = s[i];
          if (sum == Sum::laplace) {
            at[0] -= f[0] * more / 2 / area;
            at[gradient + up] -= f[0] * 4 * pi * z / H / area;
          } else if (sum == Sum::stokeslet) {
            for (std::size_t c = 0; c < 3; ++c)
              if (c != up) {
                at[c] -= f[c] * more / area;
                at[gradient + 3 * c + up] -= f[c] * 8 * pi * z / H / area;
              }
            at[3] += f[up] * 8 * pi * z / H / area;
          } else if (sum == Sum::rotlet) { // (grad of 1/r) x t: of 2 pi z^2/H
            const double slope = 4 * pi / H / area;
            const std::size_t a = (up + 1) % 3, b = (up + 2) % 3;
            at[a] += slope * z * f[b];
            at[b] -= slope * z * f[a];
            at[gradient + 3 * a + up] += slope * f[b];
            at[gradient + 3 * b + up] -= slope * f[a];
          }
        }
      CAPTURE(name(sum), up);
      if (sum == Sum::stresslet) continue; // compared by other boxes below
      const auto off = errors(layer.task(), s, got, {right.begin(), right.end()});
      const auto size = errors(layer.task(), s, std::vector<double>(got.size(), 0), {right.begin(), right.end()});
      for (std::size_t r = 0; r < off.size(); ++r) CHECK(off[r] < 1e-9 * std::max(1.0, size[r]));
    }
  }
}

TEST_CASE("along free axes, too, it makes no difference where near and far field part, nor how large the box is",
          "[physics]") {
  Numbers next(13);
  for (int free = 1; free < 7; ++free) {
    Box box{{0, 0, 0}, {1, 1.2, .9}, {(free & 1) == 0, (free & 2) == 0, (free & 4) == 0}};
    const auto points = uniform(40, box, next);
    const auto s = strengths(points.size(), next);
    Box larger = box;
    for (std::size_t d = 0; d < 3; ++d)
      if (!box.periodic[d]) larger.edge[d] *= 1.4, larger.origin[d] -= .1;
    for (const Sum sum : all_sums) {
      if (sum != Sum::stokeslet && !(sum == Sum::stresslet && (free == 1 || free == 6))) continue; // seconds each
      const Task task = task_of(sum, points.size(), box, 1e-7);
      SumPlan one(task, {.cut_off = .3}), other(task, {.cut_off = .7}),
          roomy(task_of(sum, points.size(), larger, 1e-7));
      const auto first = by_plan(one, points, s, points);
      for (SumPlan* plan : {&other, &roomy}) {
        const auto off = errors(task, s, by_plan(*plan, points, s, points), {first.begin(), first.end()});
        const auto size = errors(task, s, std::vector<double>(first.size(), 0), {first.begin(), first.end()});
        CAPTURE(name(sum), free, off, size);
        for (std::size_t r = 0; r < off.size(); ++r) CHECK(off[r] < 3e-7 * std::max(1.0, size[r]));
      }
    }
  }
}

TEST_CASE("a row of images has what its images have, one by one", "[physics]") {
  // Of pairs that cancel each other images fall off fast: the sum over 2 n + 1 of them errs as 1/n^2, twice as many
  // tell how.
  Numbers next(14);
  const Box row{{0, 0, 0}, {.8, .7, 1}, {false, false, true}};
  auto points = uniform(6, row, next);
  auto s = strengths(3, next);
  for (std::size_t i = 0; i < 3; ++i) {
    s.push_back(s[i]);
    for (std::size_t c = 0; c < 3; ++c) s.back()[c] = -s[i][c];
  }
  for (const Sum sum : all_sums) {
    const Box space{{0, 0, 0}, {1, 1, 1}, {}};
    const stokes::DirectSum direct{.sum = sum, .all_results = false, .box = space};
    const auto with_images = [&](int n) {
      std::vector<Point> all;
      std::vector<Strength> strength;
      for (int k = -n; k <= n; ++k)
        for (std::size_t i = 0; i < points.size(); ++i) {
          all.push_back({points[i][0], points[i][1], points[i][2] + k});
          strength.push_back(s[i]);
        }
      return direct(all, strength, points);
    };
    SumPlan plan(task_of(sum, points.size(), row, 1e-9, false));
    const auto got = by_plan(plan, points, s, points);
    const auto coarse = with_images(60), fine = with_images(120);
    for (std::size_t i = 0; i < got.size(); ++i) {
      CAPTURE(name(sum), i);
      CHECK(std::abs(got[i] - static_cast<double>(fine[i])) <
            2 * std::abs(static_cast<double>(fine[i] - coarse[i])) + 1e-7);
      CHECK(std::abs(static_cast<double>(fine[i] - coarse[i])) < 2e-2);
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
  CHECK_THAT(plan({}, {.xi = 1e-300}), Catch::Contains("xi 1e-300"));
  CHECK_THAT(plan({}, {.xi = 1, .cut_off = .1}), Catch::Contains("err by"));
  CHECK_THAT(plan({.box = {{0, 0, 0}, {1e200, 1e200, 1e200}}}), Catch::Contains("volume"));
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
