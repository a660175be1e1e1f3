#include "structure/radial/sphere/site_table.hpp"
#include "structure/radial/sphere/sphere_sites.hpp"
#include "tests/catch.hpp"
#include "tests/sanitized.hpp"
#include "tests/structure/radial/smooth_function.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <iostream>
#include <vector>

namespace corral::test {
namespace {

using namespace structure::radial;

constexpr SurfaceDerivative all_derivatives[] = {SurfaceDerivative::value,     SurfaceDerivative::first_1,
                                                 SurfaceDerivative::first_2,   SurfaceDerivative::second_11,
                                                 SurfaceDerivative::second_12, SurfaceDerivative::second_22};

/// Largest sum of absolute values in a row, of both parts: what round-off of values at data sites is multiplied by.
double amplification(const SiteOperators& operators, const Spiral& data, SurfaceDerivative derivative) {
  double most = 0;
  for (int part = 0; part < 2; ++part)
    for (std::int64_t i = 0; i < operators.sites().representatives(); ++i) {
      double sum = 0;
      for (std::int64_t j = 0; j < (part == 0 ? data.representatives() : data.pairs()); ++j)
        sum += std::abs(operators.row(derivative, part, i)[j]);
      most = std::max(most, sum);
    }
  return most;
}

SiteTable applied(const SiteOperators& operators, const Spiral& data, SurfaceDerivative derivative,
                  const SiteTable& values) {
  HalvedTable halved;
  halve_values(Cpu{}, data, values, halved);
  SiteTable results;
  operators.apply(Cpu{}, derivative, halved, results);
  return results;
}

/// Root of the mean square error of an operator on a smooth function.
std::array<double, surface_derivatives> errors(std::int64_t data_sites) {
  const Spiral data(data_sites), sites(301);
  const SiteOperators operators(Cpu{}, data, SphereInterpolation(data), sites);
  const SmoothFunction f;
  const SiteTable values = table_of(data, 4, [&](std::int64_t j, std::int64_t) { return f(data.point(j)); });
  std::array<double, surface_derivatives> squares{};
  for (const SurfaceDerivative derivative : all_derivatives) {
    const SiteTable results = applied(operators, data, derivative, values);
    const auto d = static_cast<std::size_t>(derivative);
    for (std::int64_t i = 0; i < sites.count(); ++i) {
      if (sites.partner(i) == i && d > 0) continue; // exact there by symmetry or not: it has a frame of its own
      squares[d] += std::pow(results.at(i)[0] - f.at(sites.point(i), sites.frame(i))[d], 2);
    }
    squares[d] = std::sqrt(squares[d] / static_cast<double>(sites.count()));
  }
  return squares;
}

} // namespace

TEST_CASE("harmonics have the derivatives of differences along great circles") {
  const Direction x{0.36, 0.48, -0.8};
  const Frame frame{{0.8, -0.6, 0}, {-0.48, -0.64, -0.6}};
  const double step = std::pow(2.0, -12); // second differences lose half the digits, and are of second order
  const auto at = [&](double s, double t) {
    const double length = std::hypot(s, t), c = std::cos(length), sinc = length > 0 ? std::sin(length) / length : 1;
    Direction moved;
    for (std::size_t d = 0; d < 3; ++d) moved[d] = c * x[d] + sinc * (s * frame.first[d] + t * frame.second[d]);
    return harmonics(moved, frame);
  };
  const auto here = at(0, 0), p1 = at(step, 0), m1 = at(-step, 0), p2 = at(0, step), m2 = at(0, -step);
  const auto pp = at(step, step), pm = at(step, -step), mp = at(-step, step), mm = at(-step, -step);
  double squares = 0;
  for (std::size_t k = 0; k < here.size(); ++k) {
    const double h2 = step * step, bound = truncation(2, step, 500); // fourth derivatives of degree 5: below 6^4
    CHECK(std::abs((p1[k][0] - m1[k][0]) / (2 * step) - here[k][1]) < bound);
    CHECK(std::abs((p2[k][0] - m2[k][0]) / (2 * step) - here[k][2]) < bound);
    CHECK(std::abs((p1[k][0] - 2 * here[k][0] + m1[k][0]) / h2 - here[k][3]) < bound);
    CHECK(std::abs((pp[k][0] - pm[k][0] - mp[k][0] + mm[k][0]) / (4 * h2) - here[k][4]) < bound);
    CHECK(std::abs((p2[k][0] - 2 * here[k][0] + m2[k][0]) / h2 - here[k][5]) < bound);
    squares += here[k][0] * here[k][0];
  }
  CHECK(squares == Approx(harmonic_count).epsilon(round_off(harmonic_count))); // the addition theorem
}

TEST_CASE("operators are exact for harmonics up to degree 5") {
  for (const std::int64_t data_sites : {85, 216, sanitized ? 217 : 864}) {
    const Spiral data(data_sites), sites(150);
    const SiteOperators operators(Cpu{}, data, SphereInterpolation(data), sites);
    const SiteTable values = table_of(data, harmonic_count, [&](std::int64_t j, std::int64_t k) {
      return harmonics(data.point(j), data.frame(j))[k][0];
    });
    for (const SurfaceDerivative derivative : all_derivatives) {
      const auto d = static_cast<std::size_t>(derivative);
      const SiteTable results = applied(operators, data, derivative, values);
      double error = 0;
      for (std::int64_t i = 0; i < sites.count(); ++i) {
        const auto exact = harmonics(sites.point(i), sites.frame(i));
        for (std::size_t k = 0; k < exact.size(); ++k)
          error = std::max(error, std::abs(results.at(i)[k] - exact[k][d]));
      }
      INFO(data_sites << " data sites, operator " << d);
      // The factorisation is stable: its errors are those of sums of as many terms, of the size of the row's.
      CHECK(error < amplification(operators, data, derivative) * 3.3 * round_off(data_sites) / 4);
    }
  }
}

TEST_CASE("operators converge on a smooth function faster than its seventh power alone would") {
  const std::int64_t coarse = 108, fine = sanitized ? 216 : 432;
  const auto before = errors(coarse), after = errors(fine);
  const double ratio = std::sqrt(static_cast<double>(fine) / static_cast<double>(coarse));
  const double least[surface_derivatives] = {9, 8, 8, 7, 7, 7}; // 11 and above in value while the function is smooth
  std::cout << "order of value, first, second derivatives:";
  for (std::size_t d = 0; d < surface_derivatives; ++d) {
    const double order = std::log(before[d] / after[d]) / std::log(ratio);
    std::cout << ' ' << order;
    CHECK(order > least[d]);
  }
  std::cout << "\n  errors with " << fine << " data sites: " << after[0] << ", " << after[1] << ", " << after[3] << '\n';
}

TEST_CASE("transposed operators give every function the same sum") {
  for (const std::int64_t data_sites : {72, 85})
    for (const std::int64_t sample_sites : {150, 301}) {
      const Spiral data(data_sites), sites(sample_sites);
      const SiteOperators operators(Cpu{}, data, SphereInterpolation(data), sites);
      const SiteTable values = table_of(data, 4, any_number);
      const SiteTable weights = table_of(sites, 4, [](std::int64_t i, std::int64_t c) { return any_number(i + 7, c); });
      for (const SurfaceDerivative derivative : all_derivatives) {
        const SiteTable results = applied(operators, data, derivative, values);
        HalvedTable halved, sums;
        halve_weights(Cpu{}, sites, weights, halved);
        sums.resize(data.representatives(), 4);
        sums.zero();
        operators.add_transposed(Cpu{}, derivative, halved, sums);
        SiteTable back;
        join_weights(Cpu{}, data, sums, back);
        for (std::int64_t c = 0; c < 4; ++c) {
          double there = 0, here = 0, terms = 0;
          for (std::int64_t i = 0; i < sites.count(); ++i) {
            there += results.at(i)[c] * weights.at(i)[c];
            terms += std::abs(results.at(i)[c] * weights.at(i)[c]);
          }
          for (std::int64_t j = 0; j < data.count(); ++j) here += values.at(j)[c] * back.at(j)[c];
          CHECK(std::abs(here - there) < round_off(data_sites * 4) * terms);
        }
      }
    }
}

TEST_CASE("operators have the same bits for any number of threads") {
  const auto built = [](int threads) {
    Array<double> values;
    run_with_threads(threads, [&] {
      const SphereSites sites(Cpu{}, 100, 301);
      const auto& operators = sites.at_samples();
      const SmoothFunction f;
      HalvedTable halved;
      halve_values(Cpu{}, sites.data(),
                   table_of(sites.data(), 12, [&](std::int64_t j, std::int64_t) { return f(sites.data().point(j)); }),
                   halved);
      SiteTable results;
      operators.apply(Cpu{}, SurfaceDerivative::second_12, halved, results);
      values = std::move(results.values);
      const std::int64_t first = values.size();
      values.resize(first + sites.sample_weights().size());
      for (std::int64_t i = 0; i < sites.sample_weights().size(); ++i) values[first + i] = sites.sample_weights()[i];
    });
    return values.values();
  };
  const auto one = built(1);
  CHECK(built(2) == one);
  CHECK(built(3) == one);
}

TEST_CASE("too few data sites are refused") {
  CHECK_THROWS_WITH(SphereSites(Cpu{}, 71, 200), Catch::Matchers::ContainsSubstring("at least 72"));
  CHECK_NOTHROW(SphereSites(Cpu{}, 80, 79));
}

namespace {

/// Any numbers between -1 and 1.
std::vector<double> numbers(std::int64_t count, double seed) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = std::sin(seed = 1.7 * seed + 3.1 - 10 * std::floor((1.7 * seed + 3.1) / 10));
  return values;
}

bool multiplies_in_one() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

} // namespace

TEST_CASE("a product's elements are sums in the order of terms, whatever is computed beside them") {
  for (const std::int64_t rows : {1, 3, 8, 21})
    for (const std::int64_t columns : {4, 12, 24, 64})
      for (const bool transposed : {false, true}) {
        const std::int64_t terms = 37, stored = transposed ? rows : terms;
        const std::vector<double> a = numbers(rows * terms, 0.3), x = numbers(terms * columns, 0.4);
        std::vector<double> y = numbers(rows * columns, 0.5), expected = y;
        const Factor factor{a.data(), transposed ? 1 : stored, transposed ? stored : 1};
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t c = 0; c < columns; ++c)
            for (std::int64_t k = 0; k < terms; ++k) {
              const double f = a[r * factor.row_step + k * factor.term_step];
              const double value = x[k * columns + c];
              double& sum = expected[r * columns + c];
              sum = multiplies_in_one() ? std::fma(f, value, sum) : sum + f * value;
            }
        add_product(rows, terms, columns, factor, x.data(), y.data());
        INFO(rows << " rows, " << columns << " columns" << (transposed ? ", transposed" : ""));
        CHECK(y == expected);
      }
}

} // namespace corral::test
