#include "tests/catch.hpp"
#include "tests/engine_gpu/device_memory.cuh"

#include <corral/for_each.cuh>

#include <limits>

/// The loops of drivers on the device.
namespace corral::test {
namespace {

constexpr std::array<std::int64_t, 6> sizes{0, 1, 31, 33, 1'000, 10'000};

struct Square {
  const double* from;
  double* to;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const { to[i] = from[i] * from[i]; }
};
struct AddUp {
  const double* from;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, double& sum) const { sum += from[i]; }
};
struct Plus {
  double operator()(double a, double b) const { return a + b; }
};

std::vector<double> numbers(std::int64_t n) {
  Random random(601);
  return random_column<double>(n, random);
}

} // namespace

TEST_CASE("for_each on the device visits every index once") {
  for (const std::int64_t n : sizes) {
    const std::vector<double> from = numbers(n);
    const OnDevice<double> there(from), squares(std::vector<double>(from.size(), -1.0));
    for_each(Gpu{}, n, Square{there.data(), squares.data()});
    const std::vector<double> found = squares.values();
    bool same = true;
    for (std::size_t i = 0; i < found.size(); ++i) same &= found[i] == from[i] * from[i];
    CHECK(same);
  }
}

TEST_CASE("accumulate on the device adds in an order that the count alone decides") {
  for (const std::int64_t n : sizes) {
    const std::vector<double> from = numbers(n);
    const OnDevice<double> there(from);
    const double found = accumulate(Gpu{}, n, 0.0, AddUp{there.data()}, Plus{});
    long double exact = 0;
    for (const double x : from) exact += x;
    CHECK(std::abs(found - static_cast<double>(exact)) <= static_cast<double>(n) * 1e-16 * static_cast<double>(n));
    CHECK(accumulate(Gpu{}, n, 0.0, AddUp{there.data()}, Plus{}) == found);
  }
}

} // namespace corral::test
