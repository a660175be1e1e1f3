// Barriers, votes, shuffles: each against values counted by hand.
#include "tests/catch.hpp"
#include "tests/cuda_on_host/small_kernels.cuh"

#include <cmath>
#include <numeric>

using corral::test::per_thread;
using corral::test::report;

namespace {

template <class T> std::vector<T> numbers(int count, auto value) {
  std::vector<T> all;
  for (int i = 0; i < count; ++i) all.push_back(static_cast<T>(value(i)));
  return all;
}

int lane() { return static_cast<int>(threadIdx.x) % 32; }
constexpr unsigned all_lanes = ~0u;

} // namespace

TEST_CASE("threads know their place", "[cuda_on_host]") {
  const auto linear = per_thread<int>(dim3(3, 4, 5), [] {
    return static_cast<int>(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockDim.x + 10000 * gridDim.x);
  });
  CHECK(linear.size() == 60);
  CHECK(linear[0] == 13000);
  CHECK(linear[3 * 4 * 2 + 3 * 1 + 2] == 13212);
}

TEST_CASE("__syncthreads lets what was written before be read after", "[cuda_on_host]") {
  const auto neighbour = per_thread<int>(100, [] {
    CORRAL_SHARED(int, left, [100]);
    left[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    return left[(threadIdx.x + 1) % 100];
  });
  CHECK(neighbour == numbers<int>(100, [](int i) { return (i + 1) % 100; }));
}

TEST_CASE("barriers count, and, or", "[cuda_on_host]") {
  const auto result = per_thread<int>(70, [] {
    const int i = static_cast<int>(threadIdx.x);
    const int few = __syncthreads_count(i < 7), none = __syncthreads_count(0);
    const int all = __syncthreads_and(i < 70), not_all = __syncthreads_and(i != 69);
    const int any = __syncthreads_or(i == 3), not_any = __syncthreads_or(i == 70);
    return few * 1000 + (none != 0) * 100 + (all && !not_all) * 10 + (any && !not_any);
  });
  CHECK(result == std::vector<int>(70, 7011));
}

TEST_CASE("votes", "[cuda_on_host]") {
  CHECK(per_thread<unsigned>(64, [] { return __ballot_sync(all_lanes, lane() % 3 == 0); }) ==
        std::vector<unsigned>(64, 0x49249249u));
  // Each half of the warp by itself.
  CHECK(per_thread<unsigned>(32, [] {
          const unsigned mine = lane() < 16 ? 0xffffu : 0xffff0000u;
          return __ballot_sync(mine, lane() % 2);
        }) == numbers<unsigned>(32, [](int i) { return i < 16 ? 0xaaaau : 0xaaaa0000u; }));
  CHECK(per_thread<int>(32, [] { return __any_sync(all_lanes, lane() == 5) && !__any_sync(all_lanes, 0); }) ==
        std::vector<int>(32, 1));
  CHECK(per_thread<int>(32, [] { return __all_sync(all_lanes, 1) && !__all_sync(all_lanes, lane() != 5); }) ==
        std::vector<int>(32, 1));
}

TEST_CASE("shuffles, also within groups of lanes", "[cuda_on_host]") {
  const auto shuffled = [](auto exchange) { return per_thread<int>(32, [=] { return exchange(100 + lane()); }); };
  const auto from = [](auto source) { return numbers<int>(32, [=](int i) { return 100 + source(i); }); };
  CHECK(shuffled([](int v) { return __shfl_sync(all_lanes, v, 7); }) == from([](int) { return 7; }));
  CHECK(shuffled([](int v) { return __shfl_sync(all_lanes, v, 39); }) == from([](int) { return 7; }));
  CHECK(shuffled([](int v) { return __shfl_sync(all_lanes, v, 3, 8); }) == from([](int i) { return i / 8 * 8 + 3; }));
  CHECK(shuffled([](int v) { return __shfl_up_sync(all_lanes, v, 1); }) == from([](int i) { return i ? i - 1 : 0; }));
  CHECK(shuffled([](int v) { return __shfl_up_sync(all_lanes, v, 2, 8); }) ==
        from([](int i) { return i % 8 < 2 ? i : i - 2; }));
  CHECK(shuffled([](int v) { return __shfl_down_sync(all_lanes, v, 5); }) ==
        from([](int i) { return i + 5 < 32 ? i + 5 : i; }));
  CHECK(shuffled([](int v) { return __shfl_down_sync(all_lanes, v, 3, 4); }) ==
        from([](int i) { return i % 4 ? i : i + 3; }));
  CHECK(shuffled([](int v) { return __shfl_xor_sync(all_lanes, v, 21); }) == from([](int i) { return i ^ 21; }));
  // Beyond its group, a lane reads earlier groups, but not later ones.
  CHECK(shuffled([](int v) { return __shfl_xor_sync(all_lanes, v, 8, 8); }) ==
        from([](int i) { return i & 8 ? i ^ 8 : i; }));
}

TEST_CASE("a shuffle carries every type of four or eight bytes", "[cuda_on_host]") {
  const auto carried = per_thread<int>(32, [] {
    const int source = (lane() + 1) % 32;
    return __shfl_sync(all_lanes, 1.5 + lane(), source) == 1.5 + source &&
        __shfl_sync(all_lanes, 1.5f + static_cast<float>(lane()), source) == 1.5f + static_cast<float>(source) &&
        __shfl_sync(all_lanes, -1ll - lane(), source) == -1ll - source &&
        __shfl_sync(all_lanes, ~0u - static_cast<unsigned>(lane()), source) == ~0u - static_cast<unsigned>(source);
  });
  CHECK(carried == std::vector<int>(32, 1));
}

TEST_CASE("from a lane that takes no part comes no number", "[cuda_on_host]") {
  const auto result = per_thread<double>(32, [] {
    if (lane() >= 16) return 1.0;
    return std::isnan(__shfl_sync(0xffffu, 2.0, 20)) ? 1.0 : 0.0;
  });
  CHECK(result == std::vector<double>(32, 1.0));
}

TEST_CASE("lanes with the same value find each other", "[cuda_on_host]") {
  CHECK(per_thread<unsigned>(32, [] { return __match_any_sync(all_lanes, lane() / 10); }) ==
        numbers<unsigned>(32, [](int i) {
          return i < 10 ? 0x3ffu : i < 20 ? 0xffc00u : i < 30 ? 0x3ff00000u : 0xc0000000u;
        }));
  CHECK(per_thread<unsigned>(32, [] { return __match_any_sync(all_lanes, lane() % 2 ? 0.5 : 0.25); }) ==
        numbers<unsigned>(32, [](int i) { return i % 2 ? 0xaaaaaaaau : 0x55555555u; }));
}

TEST_CASE("reductions over a warp", "[cuda_on_host]") {
  const auto result = per_thread<int>(32, [] {
    const int v = lane() - 10;
    const unsigned u = 0x80000000u + static_cast<unsigned>(lane());
    return __reduce_add_sync(all_lanes, v) == 176 && __reduce_min_sync(all_lanes, v) == -10 &&
        __reduce_max_sync(all_lanes, v) == 21 && __reduce_add_sync(all_lanes, u) == 496u &&
        __reduce_min_sync(all_lanes, u) == 0x80000000u && __reduce_max_sync(all_lanes, u) == 0x8000001fu &&
        __reduce_or_sync(all_lanes, u) == 0x8000001fu && __reduce_and_sync(all_lanes, u) == 0x80000000u &&
        __reduce_xor_sync(all_lanes, 1u << lane()) == ~0u;
  });
  CHECK(result == std::vector<int>(32, 1));
}

TEST_CASE("a tensor step multiplies 8 x 4 by 4 x 8", "[cuda_on_host]") {
  // a[i][k] = i + 10 k, b[k][j] = k - j: d[i][j] = sum over k of (i + 10 k)(k - j) = 6 i + 140 - 4 i j - 60 j.
  const auto at = [](int i, int j) { return 1000 + 6 * i + 140 - 4 * i * j - 60 * j; };
  for (const int half : {0, 1}) {
    const auto result = per_thread<double>(32, [=] {
      double d[2] = {1000, 1000};
      cuda_on_host::mma_m8n8k4(d, lane() / 4 + 10 * (lane() % 4), lane() % 4 - lane() / 4);
      return d[half];
    });
    CHECK(result == numbers<double>(32, [&](int i) { return at(i / 4, i % 4 * 2 + half); }));
  }
}

TEST_CASE("a tensor step needs a whole warp", "[cuda_on_host]") {
  const auto step = [](unsigned threads) {
    return report(threads, [] {
      double sum[4]{};
      corral::gpu::multiply_16x8x4(sum, 1, 1, 1);
      if (sum[0] != 4 || sum[3] != 4) __trap();
    });
  };
  CHECK(step(64) == "");
  CHECK_THAT(step(31), Catch::Matchers::ContainsSubstring("the mask names lanes outside the block"));
  auto lenient = cuda_on_host::configuration();
  lenient.strict_exit = false; // threads that have ended may miss what orders others, but bring no numbers
  const cuda_on_host::ScopedConfiguration scope(lenient);
  CHECK_THAT(report(32,
                    [] {
                      double sum[4]{};
                      if (threadIdx.x != 7) corral::gpu::multiply_16x8x4(sum, 1, 1, 1);
                    }),
             Catch::Matchers::ContainsSubstring("the mask names lanes that have ended"));
}
