#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/engine_gpu/device_memory.cuh"

#include <corral/atomic.hpp>
#include <corral/for_each.cuh>
#include <corral/together.cuh>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

/// The loops of drivers on the device.
namespace corral::test {
namespace {

constexpr std::array<std::int64_t, 8> sizes{0, 1, 31, 33, 1'000, 4'096, 4'097, 100'000};

struct Square {
  const double* from;
  double* to;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const { to[i] = from[i] * from[i]; }
};
struct AddUp {
  const double* from;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, double& sum) const { sum += from[i]; }
};
struct Value {
  const double* from;
  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const { return from[i]; }
};

/// A sum too large for more than a warp's to be in shared memory: how many indices were of each class modulo `classes`.
constexpr int classes = 150;
struct Counts {
  std::int64_t of[classes];
};
struct Count {
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, Counts& counts) const { ++counts.of[i % classes]; }
};
struct AddCounts {
  CORRAL_HOST_DEVICE void operator()(Counts& a, const Counts& b) const {
    for (int c = 0; c < classes; ++c) a.of[c] += b.of[c];
  }
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
    const double found = accumulate(Gpu{}, n, 0.0, AddUp{there.data()}, AddInPlace{});
    long double exact = 0, all = 0;
    for (const double x : from) exact += x, all += std::abs(x);
    CHECK(std::abs(found - static_cast<double>(exact)) <= 5e-15 * static_cast<double>(all));
    CHECK(accumulate(Gpu{}, n, 0.0, AddUp{there.data()}, AddInPlace{}) == found);
    CHECK(sum(Gpu{}, n, Value{there.data()}) == found);
  }
}

TEST_CASE("accumulate on the device counts every index once, in sums of any size") {
  for (const std::int64_t n : sizes) {
    const Counts found = accumulate(Gpu{}, n, Counts{}, Count{}, AddCounts{});
    bool same = true;
    for (int c = 0; c < classes; ++c) same &= found.of[c] == (n - c + classes - 1) / classes;
    CHECK(same);
  }
}

TEST_CASE("reduce on the device finds what it finds on the CPU") {
  for (const std::int64_t n : sizes) {
    std::vector<double> from = numbers(n);
    for (double& x : from) x -= 2; // all below 0: an identity of 0 must not get in
    const OnDevice<double> there(from);
    const double largest = maximum(Cpu{}, n, -10.0, Value{from.data()});
    CHECK(maximum(Gpu{}, n, -10.0, Value{there.data()}) == largest);
    if (n == 0) continue;
    from[n / 2] = std::numeric_limits<double>::quiet_NaN();
    const OnDevice<double> with_nan(from);
    CHECK(std::isnan(maximum(Gpu{}, n, -10.0, Value{with_nan.data()})));
  }
}

// What loops on the device find: places that are kept, and how many fall into a bin.

namespace {

constexpr std::array<std::int64_t, 8> lengths{0, 1, 31, 257, 16'384, 16'385, 40'000, 100'000};

struct Unmarked {
  const std::uint8_t* marks;
  CORRAL_HOST_DEVICE bool operator()(std::int64_t i) const { return marks[i] == 0; }
};
struct BinOf {
  const double* values;
  CORRAL_HOST_DEVICE int operator()(std::int64_t i) const {
    const int b = static_cast<int>(values[i] * 300);
    return b < 200 ? b : -1;
  }
};

std::vector<std::uint8_t> some_marks(std::int64_t n) {
  std::vector<std::uint8_t> marks;
  for (std::int64_t i = 0; i < n; ++i) marks.push_back(i % 7 == 3 || i / 1'000 % 3 == 1 ? 0 : 5);
  return marks;
}

struct AddToBin {
  BinOf bin;
  std::uint64_t* counts;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    if (const int b = bin(i); b >= 0) add_atomically(counts[b], 1);
  }
};

} // namespace

TEST_CASE("select on the device finds every place that is kept, in order") {
  for (const std::int64_t n : lengths) {
    const std::vector<std::uint8_t> marks = some_marks(n);
    const OnDevice<std::uint8_t> there(marks);
    std::vector<std::int64_t> expected;
    for (std::int64_t i = 0; i < n; ++i)
      if (marks[i] == 0) expected.push_back(i);
    Array<std::int64_t> places(Memory::device);
    CHECK(select(Gpu{}, n, Unmarked{there.data()}, places) == static_cast<std::int64_t>(expected.size()));
    CHECK(places.values() == expected);
  }
}

TEST_CASE("a histogram on the device counts every index once") {
  for (const std::int64_t n : lengths) {
    Random random(11);
    const std::vector<double> values = random_column<double>(n, random);
    const OnDevice<double> there(values);
    std::vector<std::int64_t> expected(200, 0);
    const BinOf bin{values.data()};
    for (std::int64_t i = 0; i < n; ++i)
      if (bin(i) >= 0) ++expected[static_cast<std::size_t>(bin(i))];
    CHECK(histogram(Gpu{}, n, 200, BinOf{there.data()}) == expected);
    Array<std::uint64_t> counts(200, 7, Memory::device), added(200, 7, Memory::device);
    add_histogram(Gpu{}, n, counts, BinOf{there.data()});
    for_each(Gpu{}, n, AddToBin{{there.data()}, added.data()});
    std::vector<std::uint64_t> all;
    for (const std::int64_t count : expected) all.push_back(static_cast<std::uint64_t>(7 + count));
    CHECK(counts.values() == all);
    CHECK(added.values() == all);
  }
  CHECK(message_of([] { histogram(Gpu{}, 1, 20'000, BinOf{nullptr}); }) ==
        "a histogram of 20000 bins (a block on a device has room for 12288) take fewer");
}

namespace {

struct ValueOf {
  const double* values;
  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const { return values[i]; }
};

} // namespace

TEST_CASE("sums and largest values of several loops come from the device together, whatever their lengths are") {
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  std::vector<OnDevice<double>> there;
  std::vector<double> sums, largest;
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{4'096}, std::int64_t{4'097}, std::int64_t{100'000},
                               std::int64_t{4'300'000}}) { // shares of 1024 blocks are longer then
    Random random(13);
    std::vector<double> values = random_column<double>(n, random);
    for (double& v : values) v = -1 - std::floor(1000 * v); // whole: no order shows
    sums.push_back(std::accumulate(values.begin(), values.end(), 0.0));
    largest.push_back(values.empty() ? lowest : *std::max_element(values.begin(), values.end()));
    there.emplace_back(values);
  }
  Together<Gpu> together{Gpu{}};
  CHECK(together.values()[0] == 0); // of nothing
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const std::int64_t n = there[k].size();
    CHECK(together.sum(n, ValueOf{there[k].data()}) == static_cast<int>(2 * k));
    CHECK(together.maximum(n, lowest, ValueOf{there[k].data()}) == static_cast<int>(2 * k + 1));
    if (k == 3) CHECK(together.values()[6] == sums[3]); // and more may follow
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    CHECK(together.values()[2 * k] == sums[k]);
    CHECK(together.values()[2 * k + 1] == largest[k]);
  }
  const OnDevice<double> one(std::vector<double>{-3, std::numeric_limits<double>::quiet_NaN(), -2});
  const int number = together.maximum(3, lowest, ValueOf{one.data()}), floor = together.maximum(1, 5, ValueOf{one.data()});
  CHECK(std::isnan(together.values()[static_cast<std::size_t>(number)]));
  CHECK(together.values()[static_cast<std::size_t>(floor)] == 5);
}

} // namespace corral::test
