// CUB's algorithms against the standard library's.
#include <cub/cub.cuh>

#include "tests/catch.hpp"
#include "tests/cuda_on_host/on_device.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

using namespace corral::test;

namespace {

/// The two calls of a CUB algorithm: the first asks how much temporary storage the second needs.
template <class Call> void run_cub(Call&& call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes));
  REQUIRE(bytes > 0);
  DeviceArray<char> temporary(bytes);
  check(call(temporary.data(), bytes));
  check(cudaDeviceSynchronize());
}

std::vector<int> random_numbers(std::size_t count, int below, int from = 0) {
  std::mt19937 random(5);
  std::vector<int> numbers(count);
  for (int& each : numbers) each = from + static_cast<int>(random() % static_cast<unsigned>(below - from));
  return numbers;
}

constexpr std::size_t sizes[] = {0, 1, 31, 33, 1000};

} // namespace

TEST_CASE("radix sorts are stable, signed, and look at the bits they are told", "[cuda_on_host]") {
  for (const std::size_t n : sizes) {
    const std::vector<int> keys = random_numbers(n, 100, -100);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    DeviceArray<int> in(keys), out(n), numbers(order), numbers_out(n);

    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    run_cub([&](void* t, std::size_t& b) {
      return cub::DeviceRadixSort::SortPairs(t, b, in.data(), out.data(), numbers.data(), numbers_out.data(), n);
    });
    CHECK(numbers_out.values() == order);
    CHECK(std::ranges::is_sorted(out.values()));

    const auto bits = [&](int i) { return static_cast<unsigned>(keys[i]) >> 2 & 7; };
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return bits(a) < bits(b); });
    cub::DoubleBuffer<int> both(in.data(), out.data()), numbers_both(numbers.data(), numbers_out.data());
    run_cub([&](void* t, std::size_t& b) {
      return cub::DeviceRadixSort::SortPairs(t, b, both, numbers_both, static_cast<long long>(n), 2, 5);
    });
    CHECK(both.Current() == out.data());
    CHECK(numbers_both.Alternate() == numbers.data());
    CHECK(numbers_out.values() == order);

    std::vector<int> sorted = keys;
    std::ranges::sort(sorted);
    run_cub([&](void* t, std::size_t& b) {
      return cub::DeviceRadixSort::SortKeys(t, b, in.data(), out.data(), static_cast<int>(n));
    });
    CHECK(out.values() == sorted);
  }
}

TEST_CASE("scans and selections", "[cuda_on_host]") {
  for (const std::size_t n : sizes) {
    const std::vector<int> numbers = random_numbers(n, 100);
    DeviceArray<int> in(numbers), out(n), selected(std::size_t{1});
    std::vector<int> expected(n);
    std::exclusive_scan(numbers.begin(), numbers.end(), expected.begin(), 0);
    run_cub([&](void* t, std::size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, in.data(), out.data(), n); });
    CHECK(out.values() == expected);
    std::partial_sum(numbers.begin(), numbers.end(), expected.begin());
    run_cub([&](void* t, std::size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, in.data(), out.data(), n); });
    CHECK(out.values() == expected);

    std::vector<char> flags(n);
    std::vector<int> taken;
    for (std::size_t i = 0; i < n; ++i)
      if ((flags[i] = i % 3 == 1)) taken.push_back(numbers[i]);
    DeviceArray<char> flagged(flags);
    run_cub([&](void* t, std::size_t& b) {
      return cub::DeviceSelect::Flagged(t, b, in.data(), flagged.data(), out.data(), selected.data(), n);
    });
    CHECK(selected.values()[0] == static_cast<int>(taken.size()));
    const std::vector<int> all = out.values();
    CHECK(std::equal(taken.begin(), taken.end(), all.begin()));
  }
}

TEST_CASE("reductions add in an order of their own", "[cuda_on_host]") {
  const double tiny = 1e-16;
  const std::vector<double> uneven{1, tiny, tiny, tiny, tiny};
  for (const std::size_t n : sizes) {
    const std::vector<int> numbers = random_numbers(n, 100);
    DeviceArray<int> in(numbers), sum(std::size_t{1});
    run_cub([&](void* t, std::size_t& b) { return cub::DeviceReduce::Sum(t, b, in.data(), sum.data(), n); });
    CHECK(sum.values()[0] == std::accumulate(numbers.begin(), numbers.end(), 0));
  }
  DeviceArray<double> in(uneven), sum(std::size_t{1});
  run_cub([&](void* t, std::size_t& b) { return cub::DeviceReduce::Sum(t, b, in.data(), sum.data(), 5); });
  CHECK(sum.values()[0] != std::accumulate(uneven.begin(), uneven.end(), 0.0)); // which loses all that is tiny
}

TEST_CASE("runs of equal keys are counted and reduced", "[cuda_on_host]") {
  for (const std::size_t n : sizes) {
    std::vector<int> keys = random_numbers(n, 20);
    std::ranges::sort(keys);
    const std::vector<int> values = random_numbers(n, 100);
    std::vector<int> unique, lengths, sums;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == 0 || keys[i] != keys[i - 1]) unique.push_back(keys[i]), lengths.push_back(0), sums.push_back(0);
      ++lengths.back(), sums.back() += values[i];
    }
    DeviceArray<int> in(keys), of_keys(values), unique_out(n), counts(n), runs(std::size_t{1});
    const auto starts_with = [](const std::vector<int>& all, const std::vector<int>& expected) {
      return std::equal(expected.begin(), expected.end(), all.begin());
    };
    run_cub([&](void* t, std::size_t& b) {
      return cub::DeviceRunLengthEncode::Encode(t, b, in.data(), unique_out.data(), counts.data(), runs.data(), n);
    });
    CHECK(runs.values()[0] == static_cast<int>(unique.size()));
    CHECK(starts_with(unique_out.values(), unique));
    CHECK(starts_with(counts.values(), lengths));
    run_cub([&](void* t, std::size_t& b) {
      return cub::DeviceReduce::ReduceByKey(t, b, in.data(), unique_out.data(), of_keys.data(), counts.data(),
                                            runs.data(), std::plus<int>(), n);
    });
    CHECK(runs.values()[0] == static_cast<int>(unique.size()));
    CHECK(starts_with(counts.values(), sums));
  }
}

TEST_CASE("temporary storage is checked", "[cuda_on_host]") {
  DeviceArray<int> in(std::vector<int>(100, 1)), out(std::size_t{100});
  int host[100] = {};
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, in.data(), out.data(), 100));
  DeviceArray<char> temporary(bytes);
  std::vector<char> on_host(bytes);
  std::size_t less = bytes - 1;
  CHECK(cub::DeviceScan::ExclusiveSum(temporary.data(), less, in.data(), out.data(), 100) == cudaErrorInvalidValue);
  CHECK_THROWS_WITH(cub::DeviceScan::ExclusiveSum(on_host.data(), bytes, in.data(), out.data(), 100),
                    Catch::Matchers::ContainsSubstring("temporary storage"));
  CHECK_THROWS_WITH(cub::DeviceScan::ExclusiveSum(temporary.data() + 1, bytes, in.data(), out.data(), 100),
                    Catch::Matchers::ContainsSubstring("temporary storage"));
  CHECK_THROWS_WITH(cub::DeviceScan::ExclusiveSum(temporary.data(), bytes, host, out.data(), 100),
                    Catch::Matchers::ContainsSubstring("a host pointer"));
  check(cub::DeviceScan::ExclusiveSum(temporary.data(), bytes, in.data(), out.data(), 100));
  CHECK(temporary.values() == std::vector<char>(bytes, static_cast<char>(0xdd))); // nobody else may use it
  DeviceArray<char> more(std::size_t{4096});
  bytes = 4096;
  CHECK(cub::DeviceRadixSort::SortKeys(more.data(), bytes, in.data(), in.data(), 100) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("collectives of a warp and a block", "[cuda_on_host]") {
  const auto i = [] { return static_cast<int>(threadIdx.x); };
  const auto numbers = [](int count, auto value) {
    std::vector<int> all;
    for (int k = 0; k < count; ++k) all.push_back(value(k));
    return all;
  };
  CHECK(per_thread<int>(64, [=] {
          cub::WarpReduce<int>::TempStorage storage;
          const int sum = cub::WarpReduce<int>(storage).Sum(i());
          return i() % 32 ? 0 : sum;
        }) == numbers(64, [](int k) { return k % 32 ? 0 : 496 + 32 * k; }));
  CHECK(per_thread<int>(32, [=] {
          cub::WarpReduce<int, 8>::TempStorage storage;
          const int most = cub::WarpReduce<int, 8>(storage).Reduce(i(), [](int a, int b) { return a > b ? a : b; });
          return i() % 8 ? 0 : most;
        }) == numbers(32, [](int k) { return k % 8 ? 0 : k + 7; }));
  CHECK(per_thread<int>(32, [=] {
          cub::WarpReduce<int>::TempStorage storage;
          const int sum = cub::WarpReduce<int>(storage).HeadSegmentedSum(1, i() % 5 == 0);
          return i() % 5 ? 0 : sum;
        }) == numbers(32, [](int k) { return k % 5 ? 0 : 5 - 3 * (k == 30); }));
  CHECK(per_thread<int>(64, [=] {
          cub::WarpScan<int>::TempStorage storage;
          int inclusive, exclusive;
          cub::WarpScan<int>(storage).InclusiveSum(1, inclusive);
          cub::WarpScan<int>(storage).ExclusiveSum(1, exclusive);
          return 100 * inclusive + exclusive;
        }) == numbers(64, [](int k) { return 100 * (k % 32 + 1) + k % 32; }));
  CHECK(per_thread<int>(48, [=] {
          using Storage = cub::BlockReduce<int, 48>::TempStorage;
          CORRAL_SHARED(Storage, storage);
          const int sum = cub::BlockReduce<int, 48>(storage).Sum(i());
          return i() ? 0 : sum;
        }) == numbers(48, [](int k) { return k ? 0 : 1128; }));
  CHECK(per_thread<int>(48, [=] {
          using Storage = cub::BlockScan<int, 48>::TempStorage;
          CORRAL_SHARED(Storage, storage);
          int before, total;
          cub::BlockScan<int, 48>(storage).ExclusiveSum(2, before, total);
          return 1000 * before + total;
        }) == numbers(48, [](int k) { return 2000 * k + 96; }));
  CHECK(per_thread<int>(16, [=] {
          using Sort = cub::BlockRadixSort<unsigned, 16, 2, int>;
          CORRAL_SHARED(Sort::TempStorage, storage);
          unsigned keys[2] = {31u - 2 * threadIdx.x, 30u - 2 * threadIdx.x};
          int values[2] = {2 * i(), 2 * i() + 1};
          Sort(storage).Sort(keys, values);
          return static_cast<int>(keys[0] * 1000 + keys[1]) * (values[0] == 31 - 2 * i() && values[1] == 30 - 2 * i());
        }) == numbers(16, [](int k) { return 2000 * k + 2 * k + 1; }));
}
