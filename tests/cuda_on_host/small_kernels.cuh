#pragma once

#include "tests/cuda_on_host/on_device.hpp"

/// What tests of the runtime API launch and set.
namespace corral::test {

inline __global__ void add_number(int* values, int count, int number) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += number;
}

inline __global__ void copy_value(const int* from, int* to) { *to = *from; }

inline __global__ void no_arguments() {}

/// The configuration of now, changed.
inline cuda_on_host::Configuration with(auto change) {
  cuda_on_host::Configuration configuration = cuda_on_host::configuration();
  change(configuration);
  return configuration;
}

inline cudaStream_t new_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, flags));
  return stream;
}

} // namespace corral::test
