#pragma once

/// A user's own kernel on the GPU, for `.cu` files: CORRAL_DEVICE_KERNEL(MyKernel) compiles what evaluates its weights.
/// The kernel is a struct as <corral/kernels/kernel.hpp> says, its `weights` a __host__ __device__ function, and
/// trivially copyable.

#include <corral/device_code.cuh>
#include <corral/device_records.cuh>
#include <corral/kernel_weights.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace corral::detail {

inline constexpr int weight_threads = 256;

/// A thread per particle. Fractions of particles that lie nowhere may be anything.
template <class K, class T>
__global__ void __launch_bounds__(weight_threads, 1) weights_global(K kernel, WeightJob<T> job) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= job.n) return;
  const T u = job.u[i], centre = K::support % 2 == 1 ? T(0.5) : T(0);
  const T shift = !job.straddled ? T(0) : u >= T(0.5) ? T(-0.5) : T(0.5); // shared::stencil_position
  T w[K::support];
  kernel.weights(u + shift - centre, w);
  for (int j = 0; j < K::support; ++j) job.weights[j * job.stride + i] = w[j];
}

template <class K, class T> void evaluate_on_device(Gpu gpu, const void* kernel, const WeightJob<T>& job) {
  static_assert(std::is_trivially_copyable_v<K>, "a kernel is handed to the device as it is");
  const auto blocks = static_cast<unsigned>((job.n + weight_threads - 1) / weight_threads);
  check_cuda(CORRAL_LAUNCH((weights_global<K, T>), blocks, weight_threads, 0, gpu.stream,
                           *static_cast<const K*>(kernel), job),
             ("the weights of " + std::string(K::name)).c_str());
}

} // namespace corral::detail

#define CORRAL_DEVICE_KERNEL(K)                                                                                        \
  template void corral::detail::evaluate_on_device<K, float>(corral::Gpu, const void*,                                 \
                                                             const corral::detail::WeightJob<float>&);                \
  template void corral::detail::evaluate_on_device<K, double>(corral::Gpu, const void*,                                \
                                                              const corral::detail::WeightJob<double>&);               \
  template void corral::detail::write_records<K>(corral::Gpu, const void*, const corral::detail::RecordJob&);
