#pragma once

#include "engine/gpu/async_copies.cuh"
#include "tests/cuda_on_host/on_device.hpp"

#include <numeric>
#include <string>

/// What tests launch and set.
namespace corral::test {

inline __global__ void add_number(int* values, int count, int number) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += number;
}

inline __global__ void copy_value(const int* from, int* to) { *to = *from; }

inline __global__ void no_arguments() {}

inline DeviceArray<int> numbers(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return DeviceArray<int>(values);
}

/// The configuration of now, changed.
inline cuda_on_host::Configuration with(auto change) {
  cuda_on_host::Configuration configuration = cuda_on_host::configuration();
  change(configuration);
  return configuration;
}

inline auto with_order(cuda_on_host::Order order, std::uint64_t seed = 1) {
  return with([=](auto& configuration) { configuration.order = order, configuration.seed = seed; });
}

inline cudaStream_t new_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, flags));
  return stream;
}

/// What the report of a block that runs `body` says; empty if all went well.
template <class Body> std::string report(unsigned threads, Body body) {
  try {
    check(CORRAL_LAUNCH((call_body<Body>), 1, threads, 0, nullptr, body));
    check(cudaDeviceSynchronize());
  } catch (const cuda_on_host::Error& error) {
    return error.what();
  }
  return "";
}

/// A barrier that thread 0 begins, and four words. Called by the whole block.
struct Shared {
  gpu::PhaseBarrier* barrier;
  int4* words;
};
inline Shared begin_shared(unsigned arrivals) {
  CORRAL_SHARED(gpu::PhaseBarrier, barrier, [1]);
  CORRAL_SHARED(int4, words, [1]);
  if (threadIdx.x == 0) gpu::begin(barrier[0], arrivals), gpu::fence_begun();
  __syncthreads();
  return {barrier, words};
}

} // namespace corral::test
