// Barriers of phases: when a phase ends, who waits for it, and what is said of their misuse.
#include "engine/gpu/async_copies.cuh"
#include "tests/catch.hpp"
#include "tests/cuda_on_host/small_kernels.cuh"

#include <algorithm>

using namespace corral::gpu;
using namespace corral::test;
using Catch::Matchers::ContainsSubstring;
using cuda_on_host::Order;
using cuda_on_host::ScopedConfiguration;

namespace {

/// seen: how many threads have added theirs behind a phase that needs all, for each thread three times.
__global__ void meet_by_phases(int* seen) {
  CORRAL_SHARED(int, added, [3]);
  if (threadIdx.x < 3) added[threadIdx.x] = 0;
  const Shared shared = begin_shared(blockDim.x);
  for (unsigned round = 0; round < 3; ++round) {
    atomicAdd(&added[round], 1);
    arrive(*shared.barrier);
    wait_for_phase(*shared.barrier, round % 2);
    seen[3 * threadIdx.x + round] = added[round];
  }
}

__attribute__((no_sanitize("alignment"))) void begin_between_two() {
  CORRAL_SHARED(PhaseBarrier, two, [2]);
  begin(*reinterpret_cast<PhaseBarrier*>(reinterpret_cast<char*>(two) + 4), 1);
}

} // namespace

TEST_CASE("a phase ends with the last arrival, again and again", "[cuda_on_host]") {
  auto configuration = cuda_on_host::configuration();
  for (configuration.preempt = 0; configuration.preempt < 3; ++configuration.preempt) {
    const ScopedConfiguration scope(configuration);
    in_all_orders([] {
      DeviceArray<int> seen(std::vector<int>(3 * 80, 0));
      check(CORRAL_LAUNCH(meet_by_phases, 1, 80, 0, nullptr, seen.data()));
      CHECK(std::ranges::count(seen.values(), 80) == 3 * 80);
    });
  }
}

TEST_CASE("a phase waits for all that it expects, whatever comes first", "[cuda_on_host]") {
  DeviceArray<int> in = numbers(8);
  const int* const from = in.data();
  in_all_orders([=] {
    CHECK(report(64, [=] {
            const Shared shared = begin_shared(2);
            CORRAL_SHARED(int4, more, [1]);
            if (threadIdx.x == 0) {
              wait_for_phase(*shared.barrier, 1); // what comes before phase 0 has ended
              copy_bulk(shared.words, from, 16, *shared.barrier);
              arrive(*shared.barrier);
            }
            __syncthreads(); // the copy may come before its bytes are expected
            if (threadIdx.x == 40) {
              expect(*shared.barrier, 16);
              arrive_expecting(*shared.barrier, 16);
              copy_bulk(more, from + 4, 16, *shared.barrier);
            }
            wait_for_phase(*shared.barrier, 0);
            if (shared.words->w != 4 || more->w != 8) __trap();
          }) == "");
  });
}

TEST_CASE("a thread that misses two phases takes one for the other", "[cuda_on_host]") {
  const ScopedConfiguration scope(with_order(Order::forward));
  CHECK_THAT(report(2, [] {
               const Shared shared = begin_shared(1);
               if (threadIdx.x == 0)
                 wait_for_phase(*shared.barrier, 0);
               else
                 arrive(*shared.barrier), arrive(*shared.barrier);
             }),
             ContainsSubstring("1 threads have ended; 1 threads wait at phases.cu:") &&
                 ContainsSubstring("for phase 2 of the barrier that began at small_kernels.cuh:"));
}

TEST_CASE("a wait that nothing ends is a deadlock", "[cuda_on_host]") {
  in_all_orders([] {
    CHECK_THAT(report(3, [] {
                 const Shared shared = begin_shared(2);
                 if (threadIdx.x == 0) arrive_expecting(*shared.barrier, 64);
                 wait_for_phase(*shared.barrier, 0);
               }),
               ContainsSubstring("deadlock in block (0,0,0): 3 threads wait at phases.cu:") &&
                   ContainsSubstring("(without 1 of 2 arrivals, without 64 bytes)"));
  });
}

TEST_CASE("barriers of phases that are misused are reported", "[cuda_on_host]") {
  const auto with_barrier = [](unsigned arrivals, auto&& use) {
    return report(1, [=] { use(*begin_shared(arrivals).barrier); });
  };
  CHECK(with_barrier(1, [](PhaseBarrier& b) { arrive(b), wait_for_phase(b, 0); }) == "");
  CHECK_THAT(report(1,
                    [] {
                      CORRAL_SHARED(PhaseBarrier, other, [1]);
                      wait_for_phase(other[0], 0);
                    }),
             ContainsSubstring("a barrier of phases that begin() was never called for, or that was overwritten"));
  CHECK_THAT(with_barrier(1, [](PhaseBarrier& b) { b.state = 0, arrive(b); }), ContainsSubstring("was overwritten"));
  CHECK_THAT(with_barrier(1,
                          [](PhaseBarrier& b) {
                            PhaseBarrier copy = b;
                            arrive(copy);
                          }),
             ContainsSubstring("a copy of a barrier of phases, which has not begun"));
  CHECK_THAT(with_barrier(1, [](PhaseBarrier& b) { begin(b, 1); }), ContainsSubstring("that has begun"));
  CHECK_THAT(with_barrier(2, [](PhaseBarrier& b) { expect(b, 16), arrive(b), arrive(b), arrive(b); }),
             ContainsSubstring("more arrivals in a phase than begin() said"));
  CHECK_THAT(with_barrier(0, [](PhaseBarrier&) {}), ContainsSubstring("no arrivals, or 2^20"));
  CHECK_THAT(with_barrier(1 << 20, [](PhaseBarrier&) {}), ContainsSubstring("no arrivals, or 2^20"));
  CHECK_THAT(with_barrier(1, [](PhaseBarrier& b) { expect(b, 1 << 19), arrive_expecting(b, 1 << 19); }),
             ContainsSubstring("a phase that expects 2^20 bytes or more"));
  CHECK_THAT(with_barrier(1, [](PhaseBarrier& b) { wait_for_phase(b, 2); }), ContainsSubstring("parity is 0 or 1"));
  CHECK_THAT(report(1,
                    [] {
                      PhaseBarrier own{};
                      begin(own, 1);
                    }),
             ContainsSubstring("that is not shared memory"));
  CHECK_THAT(report(1, [] { begin_between_two(); }), ContainsSubstring("not aligned to 8 bytes"));
  CHECK_THAT(report(1,
                    [] {
                      CORRAL_SHARED(PhaseBarrier, barrier, [1]);
                      begin(barrier[0], 1);
                      arrive(barrier[0]);
                    }),
             ContainsSubstring("without fence_begun() since begin()"));
}
