#pragma once

#include "kernels/kernel.hpp"
#include "kernels/linear.hpp"

#include <cstdint>
#include <type_traits>

namespace corral {

/// A kernel as the compiled maps see it: its support and one function that evaluates it for many particles.
/// Made by the map calls from any type that satisfies kernels::Kernel; refers to the kernel it was made from.
template <class T> struct KernelWeights {
  int support;
  bool linear; ///< served by the fused trilinear maps
  const void* kernel;
  /// w[i * support + j] = weight j of particle i, from r[i] as kernels::Kernel defines it.
  void (*evaluate)(const void* kernel, const T* r, std::int64_t n, T* w);

  template <kernels::Kernel K> static KernelWeights of(const K& kernel) {
    return {K::support, std::is_same_v<K, kernels::Linear>, &kernel,
            [](const void* self, const T* r, std::int64_t n, T* w) {
              const K& k = *static_cast<const K*>(self);
              for (std::int64_t i = 0; i < n; ++i) k.weights(r[i], w + i * K::support);
            }};
  }
};

} // namespace corral
