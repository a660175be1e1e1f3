#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/engine_gpu/device_memory.cuh"

#include <corral/for_each.cuh>

/// What loops on the device find: places that are kept, and how many fall into a bin.
namespace corral::test {
namespace {

constexpr std::array<std::int64_t, 8> sizes{0, 1, 31, 257, 16'384, 16'385, 40'000, 100'000};

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

} // namespace

TEST_CASE("select on the device finds every place that is kept, in order") {
  for (const std::int64_t n : sizes) {
    const std::vector<std::uint8_t> marks = some_marks(n);
    const OnDevice<std::uint8_t> there(marks);
    std::vector<std::int64_t> expected;
    for (std::int64_t i = 0; i < n; ++i)
      if (marks[static_cast<std::size_t>(i)] == 0) expected.push_back(i);
    Array<std::int64_t> places(Memory::device);
    CHECK(select(Gpu{}, n, Unmarked{there.data()}, places) == static_cast<std::int64_t>(expected.size()));
    CHECK(places.values() == expected);
  }
}

TEST_CASE("a histogram on the device counts every index once") {
  for (const std::int64_t n : sizes) {
    Random random(11);
    const std::vector<double> values = random_column<double>(n, random);
    const OnDevice<double> there(values);
    std::vector<std::int64_t> expected(200, 0);
    const BinOf bin{values.data()};
    for (std::int64_t i = 0; i < n; ++i)
      if (bin(i) >= 0) ++expected[static_cast<std::size_t>(bin(i))];
    CHECK(histogram(Gpu{}, n, 200, BinOf{there.data()}) == expected);
  }
  CHECK(message_of([] { histogram(Gpu{}, 1, 20'000, BinOf{nullptr}); }) ==
        "a histogram of 20000 bins (a block on a device has room for 12288) take fewer");
}

} // namespace corral::test
