#include "tests/catch.hpp"

#include "run/random.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>

using namespace corral::run;

namespace {

// Means of n independent samples lie within 5 standard deviations of the expectation but for one seed in a million.
double sampling_error(double variance, std::int64_t n) { return 5 * std::sqrt(variance / static_cast<double>(n)); }

double mean(std::int64_t n, const std::function<double(std::int64_t)>& sample) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += sample(i);
  return sum / static_cast<double>(n);
}

constexpr std::int64_t samples = 200000;

} // namespace

TEST_CASE("Random gives Random123's known answers for Philox 4x32-10") {
  // kat_vectors of Random123 1.14; the four counter words are id, id, step and step | draw | purpose.
  SECTION("zeros") {
    const Random r(0);
    CHECK(r.bits(Purpose{0}, 0, 0, 0) == 0xe169c58d6627e8d5);
    CHECK(r.bits(Purpose{0}, 0, 0, 1) == 0x9b00dbd8bc57ac4c);
  }
  SECTION("ones") {
    const Random r(0xffffffffffffffff);
    CHECK(r.bits(Purpose{0xff}, 0xffffffffff, 0xffffffffffffffff, 0x1fffe) == 0x41c83b0e408f276d);
    CHECK(r.bits(Purpose{0xff}, 0xffffffffff, 0xffffffffffffffff, 0x1ffff) == 0x6d5451fda20bc7c6);
  }
  SECTION("digits of pi") {
    const Random r(0x299f31d0a4093822);
    CHECK(r.bits(Purpose{0x44}, 0x0313198a2e, 0x85a308d3243f6a88, 2 * 0x7073) == 0x94fdccebd16cfe09);
    CHECK(r.bits(Purpose{0x44}, 0x0313198a2e, 0x85a308d3243f6a88, 2 * 0x7073 + 1) == 0x24126ea15001e420);
  }
}

TEST_CASE("Uniform numbers have the moments of a uniform distribution") {
  const Random r(42);
  const auto u = [&](std::int64_t i) { return r.uniform(Purpose::position, 7, static_cast<std::uint64_t>(i)); };
  CHECK(std::abs(mean(samples, u) - 1.0 / 2) < sampling_error(1.0 / 12, samples));
  CHECK(std::abs(mean(samples, [&](std::int64_t i) { return u(i) * u(i); }) - 1.0 / 3) <
        sampling_error(4.0 / 45, samples));

  std::array<double, 64> bins{};
  for (std::int64_t i = 0; i < samples; ++i) bins[static_cast<std::size_t>(64 * u(i))] += 1;
  double chi2 = 0;
  const double expected = samples / 64.0;
  for (const double b : bins) chi2 += (b - expected) * (b - expected) / expected;
  CHECK(std::abs(chi2 - 63) < sampling_error(2 * 63, 1));
}

TEST_CASE("Uniform numbers use 53 bits and stay within their bounds") {
  const Random r(1);
  bool odd = false;
  for (std::uint64_t id = 0; id < 10000; ++id) {
    const double u = r.uniform(Purpose::size, 0, id), o = r.uniform_open(Purpose::size, 0, id);
    REQUIRE((u >= 0 && u < 1));
    REQUIRE((o > 0 && o < 1));
    odd = odd || std::fmod(u * 0x1p53, 2.0) == 1.0;
  }
  CHECK(odd);
}

TEST_CASE("Normal numbers have the moments of a normal distribution") {
  const Random r(3);
  const auto x = [&](std::int64_t i) { return r.normal(Purpose::velocity, 0, static_cast<std::uint64_t>(i), 2); };
  const auto power = [&](int p) {
    return mean(samples, [&](std::int64_t i) { return std::pow(x(i), p); });
  };
  CHECK(std::abs(power(1)) < sampling_error(1, samples));
  CHECK(std::abs(power(2) - 1) < sampling_error(2, samples));
  CHECK(std::abs(power(3)) < sampling_error(15, samples));
  CHECK(std::abs(power(4) - 3) < sampling_error(96, samples));
}

TEST_CASE("Numbers that differ in one argument are uncorrelated") {
  const Random r(11), other_seed(12);
  const auto centred = [](double u) { return u - 0.5; };
  const auto correlation = [&](const std::function<double(std::uint64_t)>& b) {
    return std::abs(mean(samples, [&](std::int64_t i) {
      const auto id = static_cast<std::uint64_t>(i);
      return centred(r.uniform(Purpose::position, 5, id, 1)) * centred(b(id));
    }));
  };
  const double bound = sampling_error(1.0 / 144, samples);
  CHECK(correlation([&](std::uint64_t id) { return other_seed.uniform(Purpose::position, 5, id, 1); }) < bound);
  CHECK(correlation([&](std::uint64_t id) { return r.uniform(Purpose::size, 5, id, 1); }) < bound);
  CHECK(correlation([&](std::uint64_t id) { return r.uniform(Purpose::position, 6, id, 1); }) < bound);
  CHECK(correlation([&](std::uint64_t id) { return r.uniform(Purpose::position, 5, id + 1, 1); }) < bound);
  CHECK(correlation([&](std::uint64_t id) { return r.uniform(Purpose::position, 5, id, 0); }) < bound);
  CHECK(correlation([&](std::uint64_t id) { return r.uniform(Purpose::position, 5, id, 2); }) < bound);
}
