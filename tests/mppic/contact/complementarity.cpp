#include "mppic/contact/complementarity.t.hpp"

#include "mppic/laws/stress.hpp"
#include "tests/catch.hpp"
#include "tests/engine/boxes/shapes.hpp"
#include "tests/engine/cases.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::Complementarity;

fluid::Domain box(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic) {
  std::array<SideKind, 6> sides{};
  std::array<double, 3> size{};
  for (std::size_t d = 0; d < 3; ++d) {
    sides[2 * d] = sides[2 * d + 1] = periodic[d] ? SideKind::periodic : SideKind::free_slip;
    size[d] = static_cast<double>(cells[d]);
  }
  return {fluid::Domain::make_grid(cells, {0, 0, 0}, size, sides), sides, {}};
}

/// r = w + s x, and from x = k on c (1 - k/x) more: a kink with a steep, concave rise behind it, as contact has.
struct Kinked {
  const double *w, *s, *kink, *c; ///< per cell; c = 0 makes the law linear

  Complementarity::Value at(std::int64_t i, double x) const {
    if (x < kink[i]) return {w[i] + s[i] * x, s[i]};
    return {w[i] + s[i] * x + c[i] * (1 - kink[i] / x), s[i] + c[i] * kink[i] / (x * x)};
  }
  double root(std::int64_t i, double a, double sum) const {
    double low = 0, high = std::max(0.0, (sum - w[i]) / (a + s[i])); // without the kink's part it would be here
    while (high > 0) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      (a * middle + at(i, middle).r < sum ? low : high) = middle;
    }
    return high;
  }
  double beyond(std::int64_t i, double x, double e, double a) const {
    const double over = x + e - kink[i];
    return x < kink[i] && over > 0 ? kink[i] + over * (a + s[i]) / (a + at(i, kink[i]).slope) : x + e;
  }
};

/// A random problem on a grid, and its matrix as a list of pairs.
struct Problem {
  fluid::Domain domain;
  fluid::FaceArrays b;
  std::vector<double> w, s, kink, c;
  struct Pair {
    std::int64_t below, above;
    double b;
  };
  std::vector<Pair> pairs;

  static constexpr double least_slope = 0.05;

  Problem(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, double contrast, double blocked, bool kinks,
          unsigned seed)
      : domain(box(cells, periodic)), b(fluid::make_face_arrays(domain.grid())) {
    Random random(seed);
    for (auto& values : b)
      for (double& value : values)
        value = std::pow(contrast, random.uniform(-0.5, 0.5)) * (random.uniform(0, 1) < blocked ? 0 : 1);
    for (int d = 0; d < 3; ++d)
      each_face_in_turn(domain.grid(), d, [&](const fluid::Face& f) {
        double& value = b[d][f.index];
        if (f.boundary()) value = 0;
        if (value > 0 && f.below != f.above) pairs.push_back({f.below, f.above, value});
      });
    for (std::int64_t i = 0; i < domain.grid().cells(); ++i) {
      w.push_back(random.uniform(-1, 1));
      s.push_back(random.uniform(least_slope, 1));
      kink.push_back(random.uniform(0.01, 0.5));
      c.push_back(kinks ? random.uniform(0, 3) : 0);
    }
  }
  Kinked law() const { return {w.data(), s.data(), kink.data(), c.data()}; }
  std::int64_t size() const { return domain.grid().cells(); }

  std::vector<double> F(const Array<double>& x) const {
    std::vector<double> f(static_cast<std::size_t>(size()));
    for (std::int64_t i = 0; i < size(); ++i) f[i] = law().at(i, x[i]).r;
    for (const Pair& p : pairs) {
      f[p.below] += p.b * (x[p.below] - x[p.above]);
      f[p.above] += p.b * (x[p.above] - x[p.below]);
    }
    return f;
  }
  /// Projected Gauss-Seidel until nothing changes any more.
  Array<double> brute_force() const {
    std::vector<std::vector<std::pair<std::int64_t, double>>> beside(static_cast<std::size_t>(size()));
    for (const Pair& p : pairs) {
      beside[p.below].emplace_back(p.above, p.b);
      beside[p.above].emplace_back(p.below, p.b);
    }
    Array<double> x(size(), 0.0);
    for (int sweep = 0; sweep < 100'000; ++sweep) {
      double change = 0, largest = 0;
      for (std::int64_t i = 0; i < size(); ++i) {
        double a = 0, sum = 0;
        for (const auto& [j, value] : beside[i]) a += value, sum += value * x[j];
        const double next = law().root(i, a, sum);
        change = std::max(change, std::abs(next - x[i]));
        largest = std::max(largest, x[i] = next);
      }
      if (change <= 4e-16 * largest) break;
    }
    return x;
  }
};

constexpr double tolerance = 1e-9;

/// x >= 0, F >= -tolerance, |F| <= tolerance where x > 0.
void check_complementary(const Problem& p, const Array<double>& x) {
  const std::vector<double> F = p.F(x);
  for (std::int64_t i = 0; i < p.size(); ++i) {
    const double f = F[i];
    CHECK(x[i] >= 0);
    CHECK(f >= -2 * tolerance);
    if (x[i] > 0) CHECK(f <= 2 * tolerance);
  }
}

} // namespace

TEST_CASE("complementarity agrees with projected Gauss-Seidel run to round-off, whatever the first guess") {
  unsigned seed = 1;
  for (const Shape& shape : shapes)
    for (const double contrast : {1., 1e4})
      for (const double blocked : {0., 0.3})
        for (const bool kinks : {false, true}) {
          const Problem p(shape.cells, shape.periodic, contrast, blocked, kinks, ++seed);
          INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2] << ", contrast " << contrast
                              << ", blocked " << blocked << (kinks ? ", kinks" : ", linear") << ", seed " << seed);
          // A cell without neighbours has no contact to ask for: x = 0 there, and the oracle has a root of r alone.
          std::vector<bool> alone(static_cast<std::size_t>(p.size()), true);
          for (const auto& pair : p.pairs)
            alone[pair.below] = alone[pair.above] = false;
          const Array<double> expected = p.brute_force();
          for (const double guess : {0., 1., 1e3}) {
            Complementarity complementarity(p.domain);
            Array<double> x(p.size(), guess);
            const auto report = complementarity.solve(Cpu{}, p.b, p.law(), x, tolerance);
            CHECK(report.converged);
            // The inverse of an M-matrix with diagonal surplus s has norm 1/s at most.
            for (std::int64_t i = 0; i < p.size(); ++i)
              if (!alone[i])
                CHECK(std::abs(x[i] - expected[i]) <= 2 * tolerance / Problem::least_slope);
            if (blocked == 0 && p.size() > 1) check_complementary(p, x);
          }
        }
}

TEST_CASE("nothing in contact is no pressure, everything in contact in a closed box the pressure of its packing") {
  Problem p({5, 4, 3}, {true, false, false}, 1e2, 0, true, 7);
  Complementarity complementarity(p.domain);
  for (double& w : p.w) w = 0.1;
  Array<double> x(p.size(), 3.0);
  auto report = complementarity.solve(Cpu{}, p.b, p.law(), x, tolerance);
  CHECK(report.converged);
  for (const double value : x) CHECK(value == 0);

  // Alike in every cell: r = -w + s x + c (1 - k/x) = 0 for x = 2.
  for (std::size_t i = 0; i < p.w.size(); ++i) p.s[i] = 0.5, p.c[i] = 2, p.kink[i] = 0.5, p.w[i] = -2.5;
  x.fill(0);
  report = complementarity.solve(Cpu{}, p.b, p.law(), x, tolerance);
  CHECK(report.converged);
  for (const double value : x) CHECK(std::abs(value - 2) <= 2 * tolerance / 0.5);
}

TEST_CASE("a column of 100 cells carries its weight after 10 rounds from a cold start") {
  // Gravity compresses the lowest cell alone; the cells above the bed have room: x = G (100 - k).
  constexpr double G = 2e-3;
  for (const double softness : {0., 1e-6})
    for (const std::int64_t width : {1, 3}) {
      Problem p({width, 1, 110}, {false, false, false}, 1, 0, false, 1);
      for (std::int64_t i = 0; i < p.size(); ++i) {
        const std::int64_t k = i / width;
        p.w[i] = k == 0 ? -G : k < 100 ? 0 : 1e3;
        p.s[i] = 0;
        p.kink[i] = 1e-4;
        p.c[i] = k < 100 ? softness : 0;
      }
      Complementarity complementarity(p.domain);
      Array<double> x(p.size(), 0.0);
      const auto report = complementarity.solve(Cpu{}, p.b, p.law(), x, 1e-3 * G);
      INFO("softness " << softness << ", width " << width << ", rounds " << report.rounds);
      CHECK(report.converged);
      CHECK(report.rounds <= 10);
      // Of residuals of 1e-3 G in each of 100 cells; the softness takes c in each.
      const double most = 100 * 100 * (1e-3 * G + softness);
      for (std::int64_t i = 0; i < p.size(); ++i) {
        const std::int64_t k = i / width;
        CHECK(std::abs(x[i] - G * std::max<double>(0, static_cast<double>(100 - k))) <= most);
      }
    }
}

TEST_CASE("complementarity has the same bits for any number of threads") {
  const Problem p({9, 21, 19}, {true, true, true}, 1e4, 0.1, true, 3);
  std::vector<double> reference;
  for (const int threads : {1, 2, 3}) {
    std::vector<double> state;
    run_with_threads(threads, [&] {
      Complementarity complementarity(p.domain);
      Array<double> x(p.size(), 0.0);
      complementarity.solve(Cpu{}, p.b, p.law(), x, tolerance);
      state.assign(x.begin(), x.end());
    });
    if (threads == 1) reference = state;
    CHECK(state == reference);
  }
}

} // namespace corral::test
