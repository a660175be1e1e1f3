#include "mppic/seeds/sizes.hpp"
#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <unistd.h>

namespace corral::mppic {
namespace {

const double chain = test::round_off(50);

/// Mean of f(d) over n equal shares of a distribution, one sample in the middle of each.
template <class F> double mean_of_samples(const SizeDistribution& sizes, F f, int n = 200000) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += f(sizes.sample((i + 0.5) / n));
  return sum / n;
}

TEST_CASE("the normal quantile inverts the normal distribution", "[sizes]") {
  // mpmath: sqrt(2) erfinv(2p - 1)
  CHECK(std::abs(normal_quantile(0.975) / 1.9599639845400542 - 1.0) <= chain);
  CHECK(std::abs(normal_quantile(1e-3) / -3.0902323061678135 - 1.0) <= chain);
  CHECK(std::abs(normal_quantile(1e-20) / -9.262340089798408 - 1.0) <= chain);
  CHECK(normal_quantile(0.5) == 0.0);
  for (double p = 1e-300; p < 0.5; p = p < 1e-3 ? p * 7.0 : p + 1.23e-3) {
    INFO("p " << p);
    const double z = normal_quantile(p);
    // z errs by round-off, and p by z^2 times that.
    REQUIRE(std::abs(normal_cdf(z) / p - 1.0) <= chain * (1.0 + z * z));
    if (1.0 - p < 1.0) {
      const double rounded = 1.0 - (1.0 - p);
      REQUIRE(std::abs(normal_quantile(1.0 - p) + normal_quantile(rounded)) <= chain * (1.0 + std::abs(z)));
    }
  }
}

TEST_CASE("one size is every sample", "[sizes]") {
  const auto sizes = SizeDistribution::one_size(2.5e-3);
  CHECK(sizes.sample(0.0) == 2.5e-3);
  CHECK(sizes.sample(0.37) == 2.5e-3);
  CHECK(sizes.sample(1.0) == 2.5e-3);
  CHECK(sizes.mean() == 2.5e-3);
  CHECK(sizes.sauter_mean() == Approx(2.5e-3).epsilon(chain));
  CHECK(sizes.mean_particle_volume() == Approx(std::numbers::pi / 6 * std::pow(2.5e-3, 3)).epsilon(chain));
}

TEST_CASE("samples rise with u from the smallest to the largest diameter", "[sizes]") {
  const std::vector<SizeDistribution> all{
      SizeDistribution::normal(1e-3, 2e-4),
      SizeDistribution::normal(1e-3, 2e-4, {.minimum = 9e-4, .maximum = 1.7e-3}, Weighting::mass),
      SizeDistribution::log_normal(2e-4, 1.8),
      SizeDistribution::log_normal(2e-4, 2.0, {.minimum = 1e-9, .maximum = 1.0}), // beyond eight deviations
      SizeDistribution::log_normal(2e-4, 1.3, {.minimum = 1e-4, .maximum = 2.2e-4}),
      SizeDistribution::table({1e-4, 2e-4, 5e-4, 6e-4}, {0.0, 0.3, 0.3, 1.0}),
  };
  for (const SizeDistribution& sizes : all) {
    CHECK(sizes.sample(0.0) == Approx(sizes.minimum()).epsilon(1e-9));
    CHECK(sizes.sample(1.0) == Approx(sizes.maximum()).epsilon(1e-9));
    double last = sizes.minimum();
    for (int i = 0; i <= 1000; ++i) {
      const double d = sizes.sample(i / 1000.0);
      REQUIRE(d >= last);
      REQUIRE(d <= sizes.maximum());
      last = d;
    }
  }
}

TEST_CASE("a cut normal distribution has the moments of its formula", "[sizes]") {
  const double quadrature = 1e-10; // Simpson's rule over 2048 panels
  const double midpoints = 1e-7;   // of 200000 samples
  const double mean = 1e-3;
  const double deviation = 2e-4;
  const auto sizes = SizeDistribution::normal(mean, deviation, {.minimum = 7e-4, .maximum = 1.2e-3});
  // d10 = mean + s (phi(a) - phi(b))/(Phi(b) - Phi(a)), a = -1.5, b = 1
  const auto phi = [](double z) { return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi); };
  const double share = normal_cdf(1.0) - normal_cdf(-1.5);
  const double shift = (phi(-1.5) - phi(1.0)) / share;
  const double d10 = mean + deviation * shift;
  const double variance = deviation * deviation * (1.0 + (-1.5 * phi(-1.5) - phi(1.0)) / share - shift * shift);
  CHECK(std::abs(sizes.mean() / d10 - 1.0) <= quadrature);
  CHECK(std::abs(sizes.number_moment(2) / (variance + d10 * d10) - 1.0) <= quadrature);
  CHECK(std::abs(mean_of_samples(sizes, [](double d) { return d; }) / d10 - 1.0) <= midpoints);
}

TEST_CASE("a log-normal distribution has the moments of its formula", "[sizes]") {
  const double quadrature = 1e-9;
  const double median = 2e-4;
  const double ratio = 1.4;
  const double s = std::log(ratio);
  // Cut at eight deviations, which leaves nothing out: <d^k> = median^k exp(k^2 s^2/2)
  const SizeLimits wide{.minimum = median * std::exp(-8.0 * s), .maximum = median * std::exp(8.0 * s)};
  const auto by_number = SizeDistribution::log_normal(median, ratio, wide);
  CHECK(std::abs(by_number.mean() / (median * std::exp(0.5 * s * s)) - 1.0) <= quadrature);
  CHECK(std::abs(by_number.sauter_mean() / (median * std::exp(2.5 * s * s)) - 1.0) <= quadrature);
  // Hatch and Choate 1929: the median by mass is the median by number times exp(3 s^2).
  const double mass_median = median * std::exp(3.0 * s * s);
  const SizeLimits shifted{.minimum = mass_median * std::exp(-8.0 * s), .maximum = mass_median * std::exp(8.0 * s)};
  const auto by_mass = SizeDistribution::log_normal(mass_median, ratio, shifted, Weighting::mass);
  CHECK(std::abs(by_mass.mean() / by_number.mean() - 1.0) <= quadrature);
  CHECK(std::abs(by_mass.sauter_mean() / by_number.sauter_mean() - 1.0) <= quadrature);
  CHECK(std::abs(by_mass.mean_particle_volume() / by_number.mean_particle_volume() - 1.0) <= quadrature);
}

TEST_CASE("a table has the moments of its straight lines", "[sizes]") {
  const double midpoints = 1e-8;
  const std::vector<double> diameters{1e-4, 2e-4, 5e-4, 6e-4};
  const std::vector<double> shares{0.0, 0.3, 0.3, 1.0};
  const auto by_number = SizeDistribution::table(diameters, shares);
  CHECK(by_number.sample(0.15) == Approx(1.5e-4).epsilon(chain));
  CHECK(by_number.sample(0.65) == Approx(5.5e-4).epsilon(chain));
  CHECK(by_number.mean() == Approx(0.3 * 1.5e-4 + 0.7 * 5.5e-4).epsilon(chain));
  for (const int k : {2, 3}) {
    const double sampled = mean_of_samples(by_number, [k](double d) { return std::pow(d, k); });
    CHECK(by_number.number_moment(k) == Approx(sampled).epsilon(midpoints));
  }
  // By mass: 1/d32 = <1/d>, and the mean particle volume is pi/6 / <1/d^3>.
  const auto by_mass = SizeDistribution::table(diameters, shares, Weighting::mass);
  const double inverse = mean_of_samples(by_mass, [](double d) { return 1.0 / d; });
  const double inverse_cube = mean_of_samples(by_mass, [](double d) { return 1.0 / (d * d * d); });
  CHECK(by_mass.sauter_mean() == Approx(1.0 / inverse).epsilon(midpoints));
  CHECK(by_mass.mean_particle_volume() == Approx(std::numbers::pi / 6 / inverse_cube).epsilon(midpoints));
}

TEST_CASE("numbers that make no size distribution are refused", "[sizes]") {
  CHECK_THROWS_AS(SizeDistribution::one_size(0.0), Error);
  CHECK_THROWS_AS(SizeDistribution::one_size(NAN), Error);
  CHECK_THROWS_AS(SizeDistribution::normal(1e-3, -1e-4), Error);
  CHECK_THROWS_AS(SizeDistribution::normal(1e-3, 5e-4), Error); // three deviations reach below 0
  CHECK_NOTHROW(SizeDistribution::normal(1e-3, 5e-4, {.minimum = 1e-4}));
  CHECK_THROWS_AS(SizeDistribution::normal(1e-3, 1e-4, {.minimum = 2e-3, .maximum = 3e-3}), Error);
  CHECK_THROWS_AS(SizeDistribution::normal(1e-3, 1e-4, {.minimum = 1.2e-3, .maximum = 1.1e-3}), Error);
  CHECK_THROWS_AS(SizeDistribution::log_normal(1e-3, 1.0), Error);
  CHECK_THROWS_AS(SizeDistribution::table({1e-3}, {1.0}), Error);
  CHECK_THROWS_AS(SizeDistribution::table({1e-3, 1e-3}, {0.0, 1.0}), Error);
  CHECK_THROWS_AS(SizeDistribution::table({1e-3, 2e-3, 3e-3}, {0.0, 0.5, 0.4}), Error);
  CHECK_THROWS_AS(SizeDistribution::table({1e-3, 2e-3}, {0.1, 1.0}), Error);
  CHECK_THROWS_AS(SizeDistribution::table({1e-3, 2e-3}, {0.0, 0.9}), Error);
}

/// A file of the given text, gone when the test ends.
struct TextFile {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("corral_test_sizes_" + std::to_string(getpid()) + ".csv");

  explicit TextFile(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  ~TextFile() { std::filesystem::remove(path); }
};

std::string problems_of(const std::string& text) {
  const TextFile file(text);
  run::Problems problems;
  CHECK_FALSE(read_size_table(file.path, Weighting::number, problems));
  return problems.text();
}

TEST_CASE("a size table is read from a file", "[sizes]") {
  const TextFile file("# sieve analysis\r\n100 um, 0\n\n  2e-4 , 30 %  # fines\n5e-4,0.3\n6e-4, 1");
  run::Problems problems;
  const auto sizes = read_size_table(file.path, Weighting::mass, problems);
  INFO(problems.text());
  REQUIRE(sizes);
  CHECK(sizes->weighting() == Weighting::mass);
  CHECK(sizes->minimum() == 100e-6);
  CHECK(sizes->maximum() == 6e-4);
  CHECK(sizes->sample(0.15) == Approx(1.5e-4).epsilon(chain));
}

TEST_CASE("a wrong size table is answered with its lines", "[sizes]") {
  const std::string many = problems_of("1e-4, 0\n-2e-4, 0.5\n2e-4 0.5\n3e-4, 50\n5e-5, 0.6\n2e-4, nan\n4e-4, 1\n");
  for (const char* line : {"csv:2: ", "csv:3: ", "csv:4: ", "csv:5: ", "csv:6: "}) {
    INFO(many);
    CHECK(many.find(line) != std::string::npos);
  }
  CHECK(many.find("csv:1: ") == std::string::npos);
  CHECK(many.find("csv:7: ") == std::string::npos);
  CHECK(problems_of("1e-4, 0\n2e-4, 0.5\n3e-4, 0.4\n4e-4, 1\n").find("csv:3: ") != std::string::npos);
  CHECK(problems_of("1e-4, 0\n2e-4, 0.5\n").find("csv:2: ") != std::string::npos);
  CHECK(problems_of("1e-4, 0.2\n2e-4, 1\n").find("0.2") != std::string::npos);
  CHECK(problems_of("").find("csv:1: ") != std::string::npos);
  CHECK(problems_of("\n\n# nothing\n").find("0 diameters") != std::string::npos);
  CHECK(problems_of(std::string(2 << 20, '1')).find("1 MiB") != std::string::npos);

  run::Problems problems;
  CHECK_FALSE(read_size_table("no/such/file.csv", Weighting::number, problems));
  CHECK_FALSE(read_size_table(std::filesystem::temp_directory_path(), Weighting::number, problems));
  CHECK(problems.text().find("no/such/file.csv:1: ") != std::string::npos);
  CHECK(problems.text().find("directory") != std::string::npos);
}

} // namespace
} // namespace corral::mppic
