#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"

#include <corral/atomic.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

/// Loops and reductions of fixed chunks.
namespace corral::test {

TEST_CASE("for_each visits every index once") {
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, chunk_size - 1, chunk_size, chunk_size + 1,
                               5 * chunk_size + 3})
    for (const int threads : {1, 3})
      run_with_threads(threads, [&] {
        std::vector<int> visits(static_cast<std::size_t>(n), 0);
        for_each(Cpu{}, n, [&](std::int64_t i) { ++visits[i]; });
        CHECK(std::all_of(visits.begin(), visits.end(), [](int v) { return v == 1; }));
      });
}

TEST_CASE("for_each_chunk cuts at fixed places") {
  std::mutex guard;
  std::vector<std::pair<std::int64_t, std::int64_t>> chunks;
  run_with_threads(3, [&] {
    for_each_chunk(Cpu{}, 10, 4, [&](std::int64_t begin, std::int64_t end) {
      const std::lock_guard lock(guard);
      chunks.emplace_back(begin, end);
    });
  });
  std::sort(chunks.begin(), chunks.end());
  CHECK(chunks == std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 4}, {4, 8}, {8, 10}});
}

TEST_CASE("an exception in a loop reaches the caller") {
  for (const int threads : {1, 3})
    run_with_threads(threads, [] {
      CHECK_THROWS_AS(for_each(Cpu{}, 10 * chunk_size,
                               [](std::int64_t i) {
                                 if (i == 7 * chunk_size + 5) throw Error("stop");
                               }),
                      Error);
    });
}

TEST_CASE("reduce combines chunks in order") {
  // The values are places of a list, so that a wrong order of combination would show.
  struct Run {
    std::int64_t first, last;
    bool in_order;
  };
  const auto combine = [](Run& a, const Run& b) {
    if (b.first < 0) return;
    a = a.first < 0 ? b : Run{a.first, b.last, a.in_order && b.in_order && a.last + 1 == b.first};
  };
  for (const std::int64_t n : {std::int64_t{1}, chunk_size, chunk_size + 1, 9 * chunk_size + 7})
    for (const int threads : {1, 4})
      run_with_threads(threads, [&] {
        const Run r = reduce(Cpu{}, n, Run{-1, -1, true}, [](std::int64_t i) { return Run{i, i, true}; }, combine);
        CHECK(r.first == 0);
        CHECK(r.last == n - 1);
        CHECK(r.in_order);
      });
}

TEST_CASE("accumulate calls each index once, in order within fixed chunks") {
  const std::int64_t n = 3 * chunk_size + 11;
  std::vector<int> visits(static_cast<std::size_t>(n), 0);
  const auto in_chunk = [](std::int64_t i) { return static_cast<double>(i % 7) * 0.1; };
  double expected = 0;
  for (std::int64_t begin = 0; begin < n; begin += chunk_size) {
    double part = 0;
    for (std::int64_t i = begin; i < std::min(n, begin + chunk_size); ++i) part += in_chunk(i);
    expected += part;
  }
  const double total = accumulate(
      Cpu{}, n, 0.0,
      [&](std::int64_t i, double& s) {
        ++visits[i];
        s += in_chunk(i);
      },
      [](double& a, double b) { a += b; });
  CHECK(total == expected); // to the bit
  CHECK(std::all_of(visits.begin(), visits.end(), [](int v) { return v == 1; }));
}

TEST_CASE("sum and maximum of nothing, of few, and with NaN") {
  const auto square = [](std::int64_t i) { return static_cast<double>(i * i); };
  CHECK(sum(Cpu{}, 0, square) == 0);
  CHECK(sum(Cpu{}, 4, square) == 14);
  CHECK(sum(Cpu{}, 3 * chunk_size, [](std::int64_t) { return 1.0; }) == 3 * chunk_size);
  CHECK(maximum(Cpu{}, 0, -1.5, square) == -1.5);
  CHECK(maximum(Cpu{}, 4, 100, square) == 100);
  CHECK(maximum(Cpu{}, 3 * chunk_size, 0, square) == square(3 * chunk_size - 1));
  for (const std::int64_t at : {std::int64_t{0}, std::int64_t{5}, chunk_size, 3 * chunk_size - 1}) {
    const auto with_nan = [at](std::int64_t i) {
      return i == at ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(i);
    };
    CHECK(std::isnan(maximum(Cpu{}, 3 * chunk_size, 0, with_nan)));
    CHECK(std::isnan(sum(Cpu{}, 3 * chunk_size, with_nan)));
  }
}

TEST_CASE("run_with_threads nests and gives the number back") {
  run_with_threads(4, [] {
    CHECK(current_threads() == 4);
    run_with_threads(2, [] { CHECK(current_threads() == 2); });
    CHECK(current_threads() == 4);
  });
  std::atomic<std::int64_t> calls = 0;
  run_with_threads(2, [&] { for_each(Cpu{}, 100, [&](std::int64_t) { ++calls; }); });
  CHECK(calls == 100);
}

// What loops find: places that are kept, and how many fall into a bin.

namespace {

constexpr std::array<std::int64_t, 7> sizes{0, 1, chunk_size - 1, chunk_size, chunk_size + 1, 5 * chunk_size + 3,
                                            200 * chunk_size + 7};

bool kept(std::int64_t i) { return i % 7 == 3 || i % 1'000 < 200; }
int bin(std::int64_t i) { return i % 5 == 0 ? -1 : static_cast<int>(i * i % 11); }

} // namespace

TEST_CASE("two works run at once, each on threads of its own") {
  for (const int first : {1, 2})
    for (const int second : {1, 3}) {
      std::atomic<bool> one_is_here = false, other_is_here = false;
      std::array<int, 2> threads{};
      const auto meet = [](std::atomic<bool>& here, const std::atomic<bool>& there) { // each waits for the other
        here = true;
        while (!there) std::this_thread::yield();
      };
      run_at_once(
          first, [&] { meet(one_is_here, other_is_here), threads[0] = current_threads(); },
          second, [&] { meet(other_is_here, one_is_here), threads[1] = current_threads(); });
      CHECK(threads == std::array{first, second});
    }
  const auto message = [](auto first, auto second) { return message_of([&] { run_at_once(1, first, 1, second); }); };
  bool ended = false;
  CHECK(message([] { throw Error("one"); }, [&] { ended = true; }) == "one");
  CHECK(ended);
  CHECK(message([] {}, [] { throw Error("other"); }) == "other");
  CHECK(message([] { throw Error("one"); }, [] { throw Error("other"); }) == "one");
  CHECK(message([] {}, std::function<void()>()) == "threads without work (the function is empty)");
}

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
        Array<std::uint64_t> counts(11, 7), added(11, 7);
        add_histogram(Cpu{}, n, counts, bin);
        for_each(Cpu{}, n, [&](std::int64_t i) {
          if (bin(i) >= 0) add_atomically(added[bin(i)], 1);
        });
        for (std::int64_t b = 0; b < 11; ++b) {
          const auto all = static_cast<std::uint64_t>(7 + expected[static_cast<std::size_t>(b)]);
          CHECK(counts[b] == all);
          CHECK(added[b] == all);
        }
      });
}

} // namespace corral::test
