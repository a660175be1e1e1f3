#include "tests/catch.hpp"

#include <corral/for_each.hpp>

#include <vector>

/// What loops find: places that are kept, and how many fall into a bin.
namespace corral::test {
namespace {

constexpr std::array<std::int64_t, 7> sizes{0, 1, chunk_size - 1, chunk_size, chunk_size + 1, 5 * chunk_size + 3,
                                            200 * chunk_size + 7};

bool kept(std::int64_t i) { return i % 7 == 3 || i % 1'000 < 200; }
int bin(std::int64_t i) { return i % 5 == 0 ? -1 : static_cast<int>(i * i % 11); }

} // namespace

TEST_CASE("select finds every place that is kept, in order, for any number of threads") {
  for (const std::int64_t n : sizes)
    for (const int threads : {1, 3})
      run_with_threads(threads, [&] {
        std::vector<std::int64_t> expected;
        for (std::int64_t i = 0; i < n; ++i)
          if (kept(i)) expected.push_back(i);
        Array<std::int64_t> places(5, -1);
        CHECK(select(Cpu{}, n, kept, places) == static_cast<std::int64_t>(expected.size()));
        CHECK(places.values() == expected);
      });
}

TEST_CASE("a histogram counts every index once, for any number of threads") {
  for (const std::int64_t n : sizes)
    for (const int threads : {1, 3})
      run_with_threads(threads, [&] {
        std::vector<std::int64_t> expected(11, 0);
        for (std::int64_t i = 0; i < n; ++i)
          if (bin(i) >= 0) ++expected[static_cast<std::size_t>(bin(i))];
        CHECK(histogram(Cpu{}, n, 11, bin) == expected);
      });
}

} // namespace corral::test
