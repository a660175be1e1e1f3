#include "tests/fluid/spectral/transform_case.hpp"

#include "engine/cpu/machine/instruction_sets.hpp"

#include <corral/error.hpp>

#include <complex>
#include <cstring>
#include <map>
#include <numbers>

namespace corral::test {
namespace {

using Numbers = std::vector<std::complex<long double>>;

/// The sum itself along one axis of a box, n values `step` apart.
void sum_along(Numbers& x, std::int64_t n, std::int64_t step) {
  std::vector<std::complex<long double>> roots(static_cast<std::size_t>(n)), line(roots);
  for (std::int64_t m = 0; m < n; ++m)
    roots[m] = std::polar(1.0L, -2 * std::numbers::pi_v<long double> * m / n);
  for (std::size_t first = 0; first < x.size(); ++first) {
    if (static_cast<std::int64_t>(first) / step % n != 0) continue;
    const auto at = [&](std::int64_t i) { return first + static_cast<std::size_t>(i * step); };
    for (std::int64_t k = 0; k < n; ++k) {
      auto& sum = line[k] = 0;
      for (std::int64_t i = 0; i < n; ++i) sum += x[at(i)] * roots[i * k % n];
    }
    for (std::int64_t k = 0; k < n; ++k) x[at(k)] = line[k];
  }
}

Numbers sums(const SpectrumShape& s, const Array<double>& values) {
  Numbers x(values.begin(), values.end());
  sum_along(x, s.nx, 1);
  sum_along(x, s.rows, s.nx);
  sum_along(x, s.planes, s.nx * s.rows);
  return x;
}

template <class F> void each_mode(const SpectrumShape& s, F f) {
  for (std::int64_t p = 0; p < s.planes; ++p)
    for (std::int64_t r = 0; r < s.rows; ++r)
      for (std::int64_t k = 0; k < s.modes(); ++k) f(k, r, p);
}

std::vector<SpectrumShape> shapes() {
  std::vector<SpectrumShape> all;
  for (const std::int64_t n : lengths()) {
    all.push_back({n, 3, 4});
    all.push_back({5, n, 2});
    all.push_back({18, n, 1});
    all.push_back({2, 3, n});
  }
  for (const SpectrumShape& s : {SpectrumShape{1, 1, 1}, SpectrumShape{35, 18, 7}, SpectrumShape{16, 21, 9},
                                 SpectrumShape{48, 20, 6}, SpectrumShape{1, 25, 14}, SpectrumShape{32, 9, 5}})
    all.push_back(s);
  return all;
}

Array<double> spectrum_of(RealTransform& transform, const Array<double>& values) {
  Array<double> spectrum(transform.shape().size(), 0.0);
  transform.forward(Cpu{}, values.data(), spectrum.data());
  return spectrum;
}

} // namespace

TEST_CASE("a transform is the sum that defines it, and back again it is the field") {
  for (const SpectrumShape& s : shapes()) {
    INFO(said(s));
    const Array<double> values = random_values(values_of(s), 1);
    RealTransform transform(s);
    Array<double> spectrum = spectrum_of(transform, values);
    const Numbers expected = sums(s, values);
    double worst = 0, square = 0;
    each_mode(s, [&](std::int64_t k, std::int64_t r, std::int64_t p) {
      const std::complex<double> found = mode(s, spectrum.data(), k, r, p);
      const auto wanted = expected[static_cast<std::size_t>(k + s.nx * (r + s.rows * p))];
      worst = std::max(worst, static_cast<double>(std::abs(std::complex<long double>(found) - wanted)));
      square += (k == 0 || 2 * k == s.nx ? 1 : 2) * std::norm(found);
    });
    CHECK(worst <= mode_error(s, norm(values)));
    const auto n = static_cast<double>(values_of(s));
    CHECK(std::abs(square / n - norm(values) * norm(values)) <=
          round_off(values_of(s)) * norm(values) * norm(values)); // Parseval

    Array<double> back(values_of(s), 0.0);
    transform.backward(Cpu{}, spectrum.data(), back.data());
    double difference = 0;
    for (std::int64_t i = 0; i < back.size(); ++i) difference = std::max(difference, std::abs(back[i] / n - values[i]));
    CHECK(difference <= 2 * mode_error(s, norm(values)));
  }
}

TEST_CASE("a transform has the same bits for any number of threads") {
  for (const SpectrumShape& s : {SpectrumShape{32, 30, 28}, SpectrumShape{21, 49, 10}}) {
    RealTransform transform(s);
    const Array<double> values = random_values(values_of(s), 2);
    const auto with_threads = [&](int threads) {
      Array<double> back(values_of(s), 0.0);
      run_with_threads(threads, [&] {
        Array<double> spectrum = spectrum_of(transform, values);
        transform.backward(Cpu{}, spectrum.data(), back.data());
      });
      return back;
    };
    const Array<double> one = with_threads(1);
    for (const int threads : {2, 3, 5}) {
      const Array<double> more = with_threads(threads);
      CHECK(std::memcmp(one.data(), more.data(), static_cast<std::size_t>(one.size()) * sizeof(double)) == 0);
    }
  }
}

TEST_CASE("AVX2 and AVX-512 give the same transforms, and every set nearly so") {
  const SpectrumShape s{48, 35, 18};
  const Array<double> values = random_values(values_of(s), 3);
  std::map<std::int64_t, Array<double>> found;
  const std::int64_t supported = hwy::SupportedTargets() & HWY_TARGETS; // what is compiled, too
  for (int bit = 0; bit < 63; ++bit) {
    const std::int64_t target = std::int64_t{1} << bit;
    if ((supported & target) == 0 && target != HWY_SCALAR) continue;
    hwy::SetSupportedTargetsForTest(target);
    RealTransform transform(s);
    found[target] = spectrum_of(transform, values);
    hwy::SetSupportedTargetsForTest(0);
  }
  RealTransform transform(s);
  const Array<double> chosen = spectrum_of(transform, values);
  for (const auto& [target, spectrum] : found) {
    double worst = 0;
    for (std::int64_t i = 0; i < chosen.size(); ++i) worst = std::max(worst, std::abs(spectrum[i] - chosen[i]));
    CHECK(worst <= mode_error(s, norm(values)));
  }
  if (found.count(HWY_AVX2) == 0 || found.count(HWY_AVX3) == 0) {
    WARN("this processor or build doesn't have both: nothing to compare");
    return;
  }
  CHECK(std::equal(chosen.begin(), chosen.end(), found.at(HWY_AVX2).begin()));
  CHECK(std::equal(chosen.begin(), chosen.end(), found.at(HWY_AVX3).begin()));
  CHECK_FALSE(std::equal(chosen.begin(), chosen.end(), found.at(HWY_SCALAR).begin())); // so that they were compared
}

TEST_CASE("lengths with prime factors above 7 are refused, with the nearest that are not") {
  CHECK_THROWS_WITH(RealTransform({11, 4, 4}),
                    Catch::Matchers::ContainsSubstring("11 cells") && Catch::Matchers::ContainsSubstring("10 or 12"));
  CHECK_THROWS_WITH(RealTransform({4, 257, 4}), Catch::Matchers::ContainsSubstring("take 256 or 270"));
  CHECK_THROWS_AS(RealTransform({4, 4, 13}), Error);
  CHECK_THROWS_AS(RealTransform({0, 4, 4}), Error);
  CHECK(fluid::spectral::length_below(121) == 120);
  CHECK(fluid::spectral::length_above(121) == 125);
  CHECK(fluid::spectral::length_above(1) == 1);
}

} // namespace corral::test
