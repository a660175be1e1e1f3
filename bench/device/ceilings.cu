#include "bench/device/device.hpp"

#include "bench/measure.hpp"
#include "engine/gpu/device.cuh"

#include <algorithm>

namespace corral::bench {

namespace {

constexpr int threads = 256, copies_per_thread = 4;
constexpr int shared_reads_in_a_row = 8; // with their places known to the compiler: then nothing but reads is issued

/// Each thread copies 16 bytes four times; n is a multiple of what a block copies.
__global__ void __launch_bounds__(threads) copy_global(const double2* from, double2* to) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * threads * copies_per_thread + threadIdx.x;
  double2 value[copies_per_thread];
  for (int i = 0; i < copies_per_thread; ++i) value[i] = from[first + i * threads];
  for (int i = 0; i < copies_per_thread; ++i) to[first + i * threads] = value[i];
}

/// The finaliser of MurmurHash3 (Appleby 2011): neighbouring numbers go far apart.
__device__ inline std::uint32_t scattered(std::uint32_t i) {
  i = (i ^ i >> 16) * 0x85ebca6bu;
  i = (i ^ i >> 13) * 0xc2b2ae35u;
  return i ^ i >> 16;
}

/// A thread adds 1 to one place of a field of mask + 1, a power of two.
template <bool at_random>
__global__ void __launch_bounds__(threads) add_global(std::uint32_t mask, double* field) {
  const auto i = static_cast<std::uint32_t>(gpu::thread_number());
  atomicAdd(field + ((at_random ? scattered(i) : i) & mask), 1.0);
}

__global__ void __launch_bounds__(threads) read_shared_global(int rounds, double* sums) {
  CORRAL_SHARED(double, values, [2 * threads]);
  values[threadIdx.x] = values[threads + threadIdx.x] = 1;
  __syncthreads();
  const volatile double* const mine = values + threadIdx.x; // volatile: each read is made
  double sum = 0;
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int i = 0; i < shared_reads_in_a_row; ++i) sum += mine[32 * i];
  sums[gpu::thread_number()] = sum;
}

/// Amount per second of what is over within milliseconds, the median of several times.
template <class F> double rate(double amount, F work) {
  constexpr int repeats = 5;
  seconds_on_device(work); // warms up
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) seconds.push_back(seconds_on_device(work));
  return amount / median(seconds);
}

template <bool at_random> double adds_per_second(std::int64_t adds, std::int64_t places, double* field) {
  return rate(static_cast<double>(adds), [=] {
    gpu::check(CORRAL_LAUNCH((add_global<at_random>), gpu::blocks_for(adds, threads), threads, 0, nullptr,
                             static_cast<std::uint32_t>(places - 1), field),
               "adding");
  });
}

} // namespace

std::vector<Ceiling> measure_ceilings(std::int64_t bytes) {
  const std::int64_t pairs = bytes / static_cast<std::int64_t>(sizeof(double2));
  Array<double2> from = device_memory<double2>(pairs), to = device_memory<double2>(pairs);
  from.zero();
  to.zero();
  const double2* const source = from.data();
  double2* const target = to.data();
  auto* const field = reinterpret_cast<double*>(to.data());

  std::vector<Ceiling> all;
  all.push_back({"copy", "bytes/s", rate(2.0 * static_cast<double>(bytes), [=] {
                   gpu::check(CORRAL_LAUNCH(copy_global, gpu::blocks_for(pairs, threads * copies_per_thread), threads,
                                            0, nullptr, source, target),
                              "copying");
                 })});

  const std::int64_t places = bytes / static_cast<std::int64_t>(sizeof(double)), adds = places;
  const std::int64_t cached = std::min<std::int64_t>(places, 1 << 20);
  all.push_back({"atomic_adds_coalesced", "adds/s", adds_per_second<false>(adds, cached, field)});
  all.push_back({"atomic_adds_scattered", "adds/s", adds_per_second<true>(adds, cached, field)});
  all.push_back({"atomic_adds_scattered_wide", "adds/s", adds_per_second<true>(adds, places, field)});

  const std::int64_t readers = std::min<std::int64_t>(places, 1 << 20);
  const int rounds = static_cast<int>(std::clamp<std::int64_t>(bytes >> 20, 1, 256));
  const double read = static_cast<double>(readers) * rounds * shared_reads_in_a_row * sizeof(double);
  all.push_back({"shared_reads", "bytes/s", rate(read, [=] {
                   gpu::check(CORRAL_LAUNCH(read_shared_global, gpu::blocks_for(readers, threads), threads, 0, nullptr,
                                            rounds, field),
                              "reading shared memory");
                 })});
  return all;
}

} // namespace corral::bench
