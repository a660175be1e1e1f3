// Copies that a thread goes on without: when they arrive, and which are refused.
#include "engine/gpu/async_copies.cuh"
#include "tests/catch.hpp"
#include "tests/cuda_on_host/small_kernels.cuh"

using namespace corral::gpu;
using namespace corral::test;
using Catch::Matchers::ContainsSubstring;
using cuda_on_host::Order;
using cuda_on_host::ScopedConfiguration;

#ifndef __SANITIZE_THREAD__ // which reports such looks as the races that they are
namespace {

/// out: a word at once after it was asked for, behind a barrier of the block, and after the wait for all groups but the
/// last; the last group's word then, and after the wait for all.
__global__ void look_at_words(const int* in, int* out) {
  CORRAL_SHARED(int, words, [2]);
  if (threadIdx.x == 0) {
    copy_word(&words[0], in);
    out[0] = words[0];
    commit_copies();
    copy_word(&words[1], in + 1);
    commit_copies();
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[1] = words[0];
  wait_copies<1>();
  out[2] = words[0];
  out[3] = words[1];
  wait_copies<0>();
  out[4] = words[1];
}

/// out: a word at once after its bulk copy was asked for, behind a barrier of the block, and behind the phase.
__global__ void look_at_bulk(const int* in, int* out) {
  const Shared shared = begin_shared(1);
  if (threadIdx.x == 0) {
    shared.words->x = 100;
    arrive_expecting(*shared.barrier, 16);
    copy_bulk(shared.words, in, 16, *shared.barrier);
    out[0] = shared.words->x;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[1] = shared.words->x;
  __syncthreads();
  wait_for_phase(*shared.barrier, 0);
  if (threadIdx.x == 0) out[2] = shared.words->x;
}

std::vector<int> looks(void (*look)(const int*, int*), std::size_t count) {
  DeviceArray<int> in = numbers(4), out(std::vector<int>(count, 0));
  check(CORRAL_LAUNCH(look, 1, 64, 0, nullptr, in.data(), out.data()));
  return out.values();
}

} // namespace

TEST_CASE("what is copied arrives as late as it may", "[cuda_on_host]") {
  for (const Order order : {Order::forward, Order::reverse, Order::warps}) {
    const ScopedConfiguration scope(with_order(order));
    CHECK(looks(look_at_words, 5) == std::vector<int>{-1, -1, 1, -1, 2});
    CHECK(looks(look_at_bulk, 3) == std::vector<int>{-1, -1, 1});
  }
}

TEST_CASE("in random order what is copied arrives at any time", "[cuda_on_host]") {
  bool early[2]{}, late[2]{};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const ScopedConfiguration scope(with_order(Order::random, seed));
    const std::vector<int> words = looks(look_at_words, 5), bulk = looks(look_at_bulk, 3);
    CHECK(words[0] == -1);
    CHECK(words[2] == 1);
    CHECK(words[4] == 2);
    CHECK(bulk[0] == -1);
    CHECK(bulk[2] == 1);
    (words[3] == 2 ? early : late)[0] = true;
    (bulk[1] == 1 ? early : late)[1] = true;
  }
  for (const int kind : {0, 1}) {
    CHECK(early[kind]);
    CHECK(late[kind]);
  }
}

#endif

TEST_CASE("what a block leaves on its way is reported", "[cuda_on_host]") {
  const ScopedConfiguration scope(with_order(Order::forward));
  DeviceArray<int> in = numbers(4);
  const int* const from = in.data();
  const auto leave = [=](unsigned expected, bool copied) {
    return report(1, [=] {
      const Shared shared = begin_shared(1);
      arrive_expecting(*shared.barrier, expected);
      if (copied) copy_bulk(shared.words, from, 16, *shared.barrier);
      copy_word(shared.words, from); // harms nobody
      commit_copies();
    });
  };
  CHECK_THAT(leave(16, true), ContainsSubstring("block (0,0,0) ended before the bulk copy of 16 bytes at async_"));
  CHECK_THAT(leave(16, false), ContainsSubstring("block (0,0,0) ended in phase 0 of the barrier that began at small") &&
                                   ContainsSubstring("(without 0 of 1 arrivals, without 16 bytes)"));
  CHECK(leave(0, false) == "");
}

TEST_CASE("copies that a device could not make are refused", "[cuda_on_host]") {
  DeviceArray<int> in = numbers(6);
  const int* const from = in.data();
  const auto bulk = [=](int to_byte, int from_byte, unsigned bytes) {
    return report(1, [=] {
      const Shared shared = begin_shared(1);
      arrive_expecting(*shared.barrier, bytes);
      copy_bulk(reinterpret_cast<char*>(shared.words) + to_byte, reinterpret_cast<const char*>(from) + from_byte, bytes,
                *shared.barrier);
      wait_for_phase(*shared.barrier, 0);
    });
  };
  CHECK(bulk(0, 0, 16) == "");
  CHECK_THAT(bulk(0, 0, 16 - 4), ContainsSubstring("[warp 0 lane 0]: bulk copy of 12 bytes at async_copies.cu:") &&
                                     ContainsSubstring("its size is no multiple of 16"));
  CHECK_THAT(bulk(8, 0, 16), ContainsSubstring("its destination is not aligned to 16 bytes"));
  CHECK_THAT(bulk(0, 8, 16), ContainsSubstring("its source is not aligned to 16 bytes"));
  CHECK_THAT(bulk(0, 0, 32), ContainsSubstring("its destination lies outside the block's variables, or ends there"));
  CHECK_THAT(bulk(0, 16, 16), ContainsSubstring("its source ends outside device memory") &&
                                  ContainsSubstring("in the allocation of 24 bytes made at"));
  CHECK_THAT(bulk(0, 32, 16), ContainsSubstring("its source ends outside device memory") &&
                                  ContainsSubstring("8 bytes past the end of the allocation"));

  const auto words = [=](int count, int to_byte, int from_byte) {
    return report(1, [=] {
      const Shared shared = begin_shared(1);
      void* const to = reinterpret_cast<char*>(shared.words) + to_byte;
      const void* const source = reinterpret_cast<const char*>(from) + from_byte;
      count == 1 ? copy_word(to, source) : count == 2 ? copy_two_words(to, source) : copy_four_words(to, source);
    });
  };
  CHECK(words(1, 4, 20) == "");
  CHECK(words(2, 8, 8) == "");
  CHECK(words(4, 0, 0) == "");
  CHECK_THAT(words(1, 2, 0), ContainsSubstring(": copy of 4 bytes at async_copies.cu:") &&
                                 ContainsSubstring("its destination is not aligned to 4 bytes"));
  CHECK_THAT(words(2, 4, 0), ContainsSubstring("its destination is not aligned to 8 bytes"));
  CHECK_THAT(words(2, 0, 4), ContainsSubstring("its source is not aligned to 8 bytes"));
  CHECK_THAT(words(4, 0, 8), ContainsSubstring("its source is not aligned to 16 bytes"));
  CHECK_THAT(words(1, 16, 0), ContainsSubstring("its destination lies outside"));
  CHECK_THAT(words(1, 0, 24), ContainsSubstring("its source ends outside device memory"));
}

TEST_CASE("copies from and to memory of another kind are refused", "[cuda_on_host]") {
  DeviceArray<int> in = numbers(4);
  int* const from = in.data();
  const auto with_words = [](auto&& copy) {
    return report(1, [copy] {
      int4 own{};
      copy(begin_shared(1).words, &own);
    });
  };
  CHECK(with_words([=](int4* shared, int4*) { copy_four_words(shared, from); }) == "");
  CHECK_THAT(with_words([=](int4*, int4* own) { copy_four_words(own, from); }),
             ContainsSubstring("its destination is not shared memory"));
  CHECK_THAT(with_words([=](int4*, int4*) { copy_four_words(from, from); }),
             ContainsSubstring("its destination is not shared memory"));
  CHECK_THAT(with_words([=](int4* shared, int4* own) { copy_four_words(shared, own); }),
             ContainsSubstring("its source is not device memory"));
  CHECK_THAT(with_words([=](int4* shared, int4*) { copy_four_words(shared, shared); }),
             ContainsSubstring("its source is not device memory"));
}
