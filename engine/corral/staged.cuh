#pragma once

/// Copies of `Staged` values, for `.cu` files.

#include <corral/device_code.cuh>
#include <corral/execution.hpp>
#include <corral/staged.hpp>

#include <cstddef>

namespace corral {

/// To the device, in order on the stream. What lies here is read until the stream has been waited for.
template <class T> void send(Gpu gpu, Staged<T>& values) {
  if (values.size() == 0) return;
  detail::check_cuda(cudaMemcpyAsync(values.there.data(), values.here.data(), static_cast<std::size_t>(values.size()) * sizeof(T),
                                     cudaMemcpyHostToDevice, gpu.stream),
                     "send");
}

/// From the device. Waits for the stream.
template <class T> void fetch(Gpu gpu, Staged<T>& values) {
  if (values.size() == 0) return;
  detail::check_cuda(cudaMemcpyAsync(values.here.data(), values.there.data(), static_cast<std::size_t>(values.size()) * sizeof(T),
                                     cudaMemcpyDeviceToHost, gpu.stream),
                     "fetch");
  detail::check_cuda(cudaStreamSynchronize(gpu.stream), "fetch");
}

} // namespace corral
