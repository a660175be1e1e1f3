#pragma once

#include <corral/host_device.hpp>

#include <atomic>
#include <cstdint>

namespace corral {

/// Adds to a number that other indices of the same loop add to: a whole one, so that no order shows in the sum.
CORRAL_HOST_DEVICE inline void add_atomically(std::uint64_t& number, std::uint64_t n) {
#ifdef __CUDA_ARCH__
  static_assert(sizeof(unsigned long long) == sizeof number);
  atomicAdd(reinterpret_cast<unsigned long long*>(&number), static_cast<unsigned long long>(n));
#else
  std::atomic_ref(number).fetch_add(n, std::memory_order_relaxed);
#endif
}

} // namespace corral
