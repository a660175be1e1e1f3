// Who runs when: orders, preemption, workers, and what is said of threads that others wait for.
#include "tests/catch.hpp"
#include "tests/cuda_on_host/on_device.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

using namespace corral::test;
using cuda_on_host::Configuration;
using cuda_on_host::Order;
using cuda_on_host::ScopedConfiguration;

namespace {

__global__ void take_ticket(int* next, int* tickets) {
  tickets[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(next, 1);
}

__global__ void take_two_tickets(int* next, int* tickets) {
  tickets[2 * threadIdx.x] = atomicAdd(next, 1);
  tickets[2 * threadIdx.x + 1] = atomicAdd(next, 1);
}

__global__ void some_end_before_barrier(unsigned first, unsigned end) {
  if (threadIdx.x < first || threadIdx.x >= end) return;
  __syncthreads();
}

__global__ void some_wait_for_ever() {
  if (threadIdx.x < 3)
    __syncwarp(0xf);
  else
    __syncthreads();
}

__global__ void look_at_shared(double* seen) {
  CORRAL_SHARED(double, value, [2]);
  if (threadIdx.x == 0) seen[blockIdx.x] = value[1];
  __syncthreads();
  value[threadIdx.x] = 1;
}

Configuration in_order(Order order, int preempt = 0) {
  Configuration configuration = cuda_on_host::configuration();
  configuration.order = order;
  configuration.preempt = preempt;
  configuration.workers = 1;
  return configuration;
}

std::vector<int> tickets(void (*entry)(int*, int*), int blocks, int threads, int count) {
  DeviceArray<int> next(std::vector<int>{0}), taken(static_cast<std::size_t>(count));
  check(CORRAL_LAUNCH(entry, static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, nullptr, next.data(),
                      taken.data()));
  return taken.values();
}

} // namespace

TEST_CASE("threads and blocks come in the order that is asked for", "[cuda_on_host]") {
  std::vector<int> expected(12);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<int>(i);
  {
    const ScopedConfiguration scope(in_order(Order::forward));
    CHECK(tickets(take_ticket, 3, 4, 12) == expected);
  }
  const auto reversed = [&] {
    const ScopedConfiguration scope(in_order(Order::reverse));
    return tickets(take_ticket, 3, 4, 12);
  }();
  const ScopedConfiguration scope(in_order(Order::random));
  const std::vector<int> shuffled = tickets(take_ticket, 3, 4, 12);
  CHECK(shuffled != expected);
  CHECK(shuffled != reversed);
  CHECK(std::ranges::is_permutation(shuffled, expected));
  std::ranges::reverse(expected);
  CHECK(reversed == expected);
}

TEST_CASE("a thread can be preempted at an atomic", "[cuda_on_host]") {
  {
    const ScopedConfiguration scope(in_order(Order::forward));
    CHECK(tickets(take_two_tickets, 1, 2, 4) == std::vector<int>{0, 1, 2, 3});
  }
  const ScopedConfiguration scope(in_order(Order::forward, 1));
  CHECK(tickets(take_two_tickets, 1, 2, 4) == std::vector<int>{0, 2, 1, 3});
}

#ifndef __SANITIZE_THREAD__ // in that build there is one worker
namespace {
std::atomic<int> arrived{0};
__global__ void wait_for_other_block() {
  ++arrived;
  while (arrived < 2) {}
}
} // namespace

TEST_CASE("blocks run at once on several workers", "[cuda_on_host]") {
  Configuration configuration = in_order(Order::forward);
  configuration.workers = 2;
  const ScopedConfiguration scope(configuration);
  arrived = 0;
  check(CORRAL_LAUNCH(wait_for_other_block, 2, 1, 0, nullptr));
  check(cudaDeviceSynchronize());
  CHECK(arrived == 2);
}
#endif

TEST_CASE("threads that others wait for are named", "[cuda_on_host]") {
  const ScopedConfiguration scope(in_order(Order::forward));
  const auto run = [](unsigned first, unsigned end) {
    check(CORRAL_LAUNCH(some_end_before_barrier, 1, 40, 0, nullptr, first, end));
    check(cudaDeviceSynchronize());
  };
  CHECK_THROWS_WITH(run(0, 39), Catch::Matchers::ContainsSubstring("thread (39,0,0) [warp 1 lane 7] ended while others wait for it") &&
                                    Catch::Matchers::ContainsSubstring("schedule.cu:"));
  CHECK_THROWS_WITH(run(1, 40), Catch::Matchers::ContainsSubstring("reached by block (0,0,0) thread (1,0,0) [warp 0 lane 1] after 1 thr"));
  CHECK_NOTHROW(run(0, 40));
  CHECK_THROWS_WITH((check(CORRAL_LAUNCH(some_wait_for_ever, 1, 5, 0, nullptr)), cudaDeviceSynchronize()),
                    Catch::Matchers::ContainsSubstring("deadlock in block (0,0,0): 2 threads wait at the barrier schedule.cu:") &&
                        Catch::Matchers::ContainsSubstring("3 threads wait at the warp collective schedule.cu:"));

  Configuration lenient = in_order(Order::forward);
  lenient.strict_exit = false; // a device lets threads that have ended miss barriers
  const ScopedConfiguration inner(lenient);
  CHECK_NOTHROW(run(0, 39));
  CHECK_NOTHROW(run(1, 40));
}

TEST_CASE("each block finds its shared memory full of NaN", "[cuda_on_host]") {
  DeviceArray<double> seen(std::vector<double>(5, 0));
  check(CORRAL_LAUNCH(look_at_shared, 5, 2, 0, nullptr, seen.data()));
  for (const double value : seen.values()) CHECK(std::isnan(value));
}
