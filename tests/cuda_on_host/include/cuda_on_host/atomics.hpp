#pragma once

#include "language.hpp"

#include <concepts>
#include <type_traits>

// CUDA's atomics, for the types CUDA has them for. They order no other memory, until the thread has called
// __threadfence: then they do, which is what a fence before a flag or counter is for.
namespace cuda_on_host {

/// A place where the scheduler may let others run.
void before_atomic();

template <class T, class... Others>
concept OneOf = (std::same_as<T, Others> || ...);

template <class T> T fetch_and_set(T* address, auto next) {
  before_atomic();
  T old, set;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  // The built-in functions, with constants: an order that comes through a function's argument, as in std::atomic_ref
  // where that isn't inlined, is taken for the strongest.
  if (self().fenced) {
    do set = next(old);
    while (!__atomic_compare_exchange(address, &old, &set, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  } else {
    do set = next(old);
    while (!__atomic_compare_exchange(address, &old, &set, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  }
  return old;
}

template <class T> using Same = std::type_identity_t<T>; // lets the second argument convert, as in CUDA

} // namespace cuda_on_host

template <cuda_on_host::OneOf<int, unsigned, unsigned long long, float, double> T>
T atomicAdd(T* address, cuda_on_host::Same<T> value) {
  return cuda_on_host::fetch_and_set(address, [value](T old) {
    if constexpr (std::same_as<T, int>)
      return static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)); // wraps
    else
      return old + value;
  });
}
template <cuda_on_host::OneOf<int, unsigned> T> T atomicSub(T* address, cuda_on_host::Same<T> value) {
  return atomicAdd(address, static_cast<T>(0u - static_cast<unsigned>(value)));
}
template <cuda_on_host::OneOf<int, unsigned, long long, unsigned long long> T>
T atomicMin(T* address, cuda_on_host::Same<T> value) {
  return cuda_on_host::fetch_and_set(address, [value](T old) { return value < old ? value : old; });
}
template <cuda_on_host::OneOf<int, unsigned, long long, unsigned long long> T>
T atomicMax(T* address, cuda_on_host::Same<T> value) {
  return cuda_on_host::fetch_and_set(address, [value](T old) { return old < value ? value : old; });
}
template <cuda_on_host::OneOf<int, unsigned, unsigned long long> T>
T atomicAnd(T* address, cuda_on_host::Same<T> value) {
  return cuda_on_host::fetch_and_set(address, [value](T old) { return old & value; });
}
template <cuda_on_host::OneOf<int, unsigned, unsigned long long> T>
T atomicOr(T* address, cuda_on_host::Same<T> value) {
  return cuda_on_host::fetch_and_set(address, [value](T old) { return old | value; });
}
template <cuda_on_host::OneOf<int, unsigned, unsigned long long> T>
T atomicXor(T* address, cuda_on_host::Same<T> value) {
  return cuda_on_host::fetch_and_set(address, [value](T old) { return old ^ value; });
}
template <cuda_on_host::OneOf<int, unsigned, unsigned long long, float> T>
T atomicExch(T* address, cuda_on_host::Same<T> value) {
  return cuda_on_host::fetch_and_set(address, [value](T) { return value; });
}
template <cuda_on_host::OneOf<int, unsigned, unsigned long long> T>
T atomicCAS(T* address, cuda_on_host::Same<T> expected, cuda_on_host::Same<T> value) {
  return cuda_on_host::fetch_and_set(address, [=](T old) { return old == expected ? value : old; });
}
/// Counts up, and from `last` on back to 0.
inline unsigned atomicInc(unsigned* address, unsigned last) {
  return cuda_on_host::fetch_and_set(address, [last](unsigned old) { return old >= last ? 0 : old + 1; });
}
/// Counts down, and from 0 or above `last` back to `last`.
inline unsigned atomicDec(unsigned* address, unsigned last) {
  return cuda_on_host::fetch_and_set(address, [last](unsigned old) { return old == 0 || old > last ? last : old - 1; });
}
