#include "mppic/contact/complementarity.t.hpp"

#include "mppic/laws/stress.hpp"
#include "tests/catch.hpp"
#include "tests/engine/boxes/shapes.hpp"
#include "tests/mppic/contact/random_inequality.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using mppic::Complementarity;

constexpr double tolerance = 1e-9;

/// x >= 0, F >= -tolerance, |F| <= tolerance where x > 0.
void check_complementary(const RandomInequality& p, const Array<double>& x) {
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
          const RandomInequality p(shape.cells, shape.periodic, contrast, blocked, kinks, ++seed);
          INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2] << ", contrast " << contrast
                              << ", blocked " << blocked << (kinks ? ", kinks" : ", linear") << ", seed " << seed);
          // A cell without neighbours has no contact to ask for: x = 0 there, and the oracle has a root of r alone.
          std::vector<bool> alone(static_cast<std::size_t>(p.size()), true);
          for (const auto& pair : p.pairs)
            alone[pair.below] = alone[pair.above] = false;
          const Array<double> expected = p.brute_force();
          for (const double guess : {0., 1., 1e3}) {
            mppic::StepScratch scratch(p.domain);
            Complementarity complementarity(p.domain, scratch);
            Array<double> x(p.size(), guess);
            const auto report = complementarity.solve(Cpu{}, p.b, p.law(), x, tolerance);
            CHECK(report.converged);
            // The inverse of an M-matrix with diagonal surplus s has norm 1/s at most.
            for (std::int64_t i = 0; i < p.size(); ++i)
              if (!alone[i])
                CHECK(std::abs(x[i] - expected[i]) <= 2 * tolerance / RandomInequality::least_slope);
            if (blocked == 0 && p.size() > 1) check_complementary(p, x);
          }
        }
}

TEST_CASE("nothing in contact is no pressure, everything in contact in a closed box the pressure of its packing") {
  RandomInequality p({5, 4, 3}, {true, false, false}, 1e2, 0, true, 7);
  mppic::StepScratch scratch(p.domain);
  Complementarity complementarity(p.domain, scratch);
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
      RandomInequality p({width, 1, 110}, {false, false, false}, 1, 0, false, 1);
      for (std::int64_t i = 0; i < p.size(); ++i) {
        const std::int64_t k = i / width;
        p.w[i] = k == 0 ? -G : k < 100 ? 0 : 1e3;
        p.s[i] = 0;
        p.kink[i] = 1e-4;
        p.c[i] = k < 100 ? softness : 0;
      }
      mppic::StepScratch scratch(p.domain);
      Complementarity complementarity(p.domain, scratch);
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
  const RandomInequality p({9, 21, 19}, {true, true, true}, 1e4, 0.1, true, 3);
  std::vector<double> reference;
  for (const int threads : {1, 2, 3}) {
    std::vector<double> state;
    run_with_threads(threads, [&] {
      mppic::StepScratch scratch(p.domain);
      Complementarity complementarity(p.domain, scratch);
      Array<double> x(p.size(), 0.0);
      complementarity.solve(Cpu{}, p.b, p.law(), x, tolerance);
      state.assign(x.begin(), x.end());
    });
    if (threads == 1) reference = state;
    CHECK(state == reference);
  }
}

} // namespace corral::test
