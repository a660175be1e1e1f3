#pragma once

#include <corral/device_code.cuh>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef CORRAL_CUDA_ON_HOST
#include <cuda_on_host/configuration.hpp>
#endif

namespace corral::test {

inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorName(error));
}

/// An array on the device, filled from and read into a std::vector.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(std::size_t size) : size_(size) { check(cudaMalloc(&data_, size * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() { return data_; }
  std::vector<T> values() const {
    std::vector<T> read(size_);
    check(cudaMemcpy(read.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return read;
  }

private:
  std::size_t size_;
  T* data_ = nullptr;
};

#ifdef CORRAL_CUDA_ON_HOST

/// Calls `body` with threads, blocks and streams in forward, reverse and several random orders.
template <class Body> void in_all_orders(Body&& body) {
  using cuda_on_host::Order;
  cuda_on_host::Configuration configuration = cuda_on_host::configuration();
  for (const Order order : {Order::forward, Order::reverse, Order::random, Order::random, Order::random}) {
    configuration.order = order;
    ++configuration.seed;
    const cuda_on_host::ScopedConfiguration scope(configuration);
    body();
  }
}

template <class Body> __global__ void call_body(Body body) { body(); }

/// What body() gives in each thread of one block, run in all orders.
template <class T, class Body> std::vector<T> per_thread(dim3 block, Body body) {
  const std::size_t threads = block.x * block.y * block.z;
  std::vector<T> result;
  in_all_orders([&] {
    DeviceArray<T> out(threads);
    T* to = out.data();
    const auto write = [=] { to[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = body(); };
    check(CORRAL_LAUNCH((call_body<std::remove_const_t<decltype(write)>>), 1, block, 0, nullptr, write));
    const std::vector<T> values = out.values();
    if (!result.empty() && values != result) throw std::runtime_error("the order of threads changes the result");
    result = values;
  });
  return result;
}

#endif

} // namespace corral::test
