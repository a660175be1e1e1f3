#pragma once

#include "language.hpp"

#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

// Barriers and warp collectives. Each call says where it stands: threads that meet at different places, or with
// different masks, are reported.
namespace cuda_on_host {

using Place = std::source_location;

enum class Barrier : std::uint8_t { plain, count, all, any };
/// Waits for the whole block; the value is what __syncthreads_count, _and or _or give.
int block_barrier(Barrier, bool predicate, Place);

enum class Operation : std::uint8_t { sync, shuffle, ballot, match, add, minimum, maximum, bit_or, bit_and, bit_xor,
                                      mma, mma_16x8x4 };
/// What a lane brings to a collective, or takes away.
struct LaneValue {
  std::uint64_t word[2]{};
};
/// Waits for the lanes of `mask`. `lane` is the one a shuffle reads; from a lane that takes no part comes all ones.
LaneValue warp_collective(Operation, unsigned mask, LaneValue, int lane, Place);

/// __threadfence: the thread's later atomics order what it did before.
void fence();
/// Ends the kernel with a report. Message and place.
[[noreturn]] void fail_in_kernel(const char* what, Place);

template <class T> LaneValue to_lane(T value) {
  static_assert((sizeof(T) == 4 || sizeof(T) == 8) && std::is_arithmetic_v<T>,
                "CUDA exchanges numbers of 4 or 8 bytes");
  LaneValue lane;
  std::memcpy(&lane.word[0], &value, sizeof value);
  return lane;
}

template <class T> T from_lane(LaneValue lane) {
  T value;
  std::memcpy(&value, &lane.word[0], sizeof value);
  return value;
}

/// The first lane of this one's group of `width`, which must be a power of two up to 32.
inline int group_start(int width, Place place) {
  if (width < 1 || width > 32 || (width & (width - 1)))
    fail_in_kernel("shuffle whose width is no power of two up to 32", place);
  return int(self().lane) & ~(width - 1);
}

template <class T> T shuffle(unsigned mask, T value, int lane, Place place) {
  return from_lane<T>(warp_collective(Operation::shuffle, mask, to_lane(value), lane, place));
}

template <class T> T reduce(Operation operation, unsigned mask, T value, Place place) {
  static_assert(sizeof(T) == 4 && std::is_integral_v<T>, "CUDA reduces integers of 32 bits");
  LaneValue lane;
  lane.word[0] = static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); // widened with its sign
  return static_cast<T>(warp_collective(operation, mask, lane, 0, place).word[0]);
}

/// One FP64 tensor-core step of a whole warp, d += a b, with a 8 x 4 and b 4 x 8: a lane brings a[lane/4][lane%4] and
/// b[lane%4][lane/4], and holds d[lane/4][2*(lane%4)] and the one right of it (PTX, mma.m8n8k4 for .f64).
inline void mma_m8n8k4(double (&d)[2], double a, double b, Place place = Place::current()) {
  LaneValue lane;
  std::memcpy(&lane.word[0], &a, sizeof a);
  std::memcpy(&lane.word[1], &b, sizeof b);
  const LaneValue product = warp_collective(Operation::mma, ~0u, lane, 0, place);
  double sum[2];
  std::memcpy(sum, product.word, sizeof sum);
  d[0] += sum[0];
  d[1] += sum[1];
}

} // namespace cuda_on_host

inline void __syncthreads(cuda_on_host::Place place = cuda_on_host::Place::current()) {
  cuda_on_host::block_barrier(cuda_on_host::Barrier::plain, false, place);
}
inline int __syncthreads_count(int predicate, cuda_on_host::Place place = cuda_on_host::Place::current()) {
  return cuda_on_host::block_barrier(cuda_on_host::Barrier::count, predicate, place);
}
inline int __syncthreads_and(int predicate, cuda_on_host::Place place = cuda_on_host::Place::current()) {
  return cuda_on_host::block_barrier(cuda_on_host::Barrier::all, predicate, place);
}
inline int __syncthreads_or(int predicate, cuda_on_host::Place place = cuda_on_host::Place::current()) {
  return cuda_on_host::block_barrier(cuda_on_host::Barrier::any, predicate, place);
}
inline void __syncwarp(unsigned mask = ~0u, cuda_on_host::Place place = cuda_on_host::Place::current()) {
  cuda_on_host::warp_collective(cuda_on_host::Operation::sync, mask, {}, 0, place);
}

inline void __threadfence_block() { cuda_on_host::fence(); }
inline void __threadfence() { cuda_on_host::fence(); }
inline void __threadfence_system() { cuda_on_host::fence(); }
[[noreturn]] inline void __trap(cuda_on_host::Place place = cuda_on_host::Place::current()) {
  cuda_on_host::fail_in_kernel("__trap", place);
}

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32,
              cuda_on_host::Place place = cuda_on_host::Place::current()) {
  return cuda_on_host::shuffle(mask, value, cuda_on_host::group_start(width, place) + (lane & (width - 1)), place);
}
// The other three give a lane its own value where the computed lane lies outside the group; of __shfl_xor_sync, only
// in a later group.
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 cuda_on_host::Place place = cuda_on_host::Place::current()) {
  const int me = int(cuda_on_host::self().lane), first = cuda_on_host::group_start(width, place);
  return cuda_on_host::shuffle(mask, value, me - int(delta) >= first ? me - int(delta) : me, place);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   cuda_on_host::Place place = cuda_on_host::Place::current()) {
  const int me = int(cuda_on_host::self().lane), end = cuda_on_host::group_start(width, place) + width;
  return cuda_on_host::shuffle(mask, value, me + int(delta) < end ? me + int(delta) : me, place);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32,
                  cuda_on_host::Place place = cuda_on_host::Place::current()) {
  const int me = int(cuda_on_host::self().lane), end = cuda_on_host::group_start(width, place) + width;
  return cuda_on_host::shuffle(mask, value, (me ^ bits) < end ? me ^ bits : me, place);
}

inline unsigned __ballot_sync(unsigned mask, int predicate,
                              cuda_on_host::Place place = cuda_on_host::Place::current()) {
  using namespace cuda_on_host;
  return unsigned(warp_collective(Operation::ballot, mask, to_lane<unsigned>(predicate != 0), 0, place).word[0]);
}
inline int __any_sync(unsigned mask, int predicate, cuda_on_host::Place place = cuda_on_host::Place::current()) {
  return __ballot_sync(mask, predicate, place) != 0;
}
inline int __all_sync(unsigned mask, int predicate, cuda_on_host::Place place = cuda_on_host::Place::current()) {
  return __ballot_sync(mask, !predicate, place) == 0;
}
template <class T>
unsigned __match_any_sync(unsigned mask, T value, cuda_on_host::Place place = cuda_on_host::Place::current()) {
  using namespace cuda_on_host;
  return unsigned(warp_collective(Operation::match, mask, to_lane(value), 0, place).word[0]);
}

#define CUDA_ON_HOST_REDUCE(NAME, OPERATION, TYPE)                                                                     \
  inline TYPE __reduce_##NAME##_sync(unsigned mask, TYPE value,                                                        \
                                     cuda_on_host::Place place = cuda_on_host::Place::current()) {                     \
    return cuda_on_host::reduce(cuda_on_host::Operation::OPERATION, mask, value, place);                               \
  }
CUDA_ON_HOST_REDUCE(add, add, int)
CUDA_ON_HOST_REDUCE(add, add, unsigned)
CUDA_ON_HOST_REDUCE(min, minimum, int)
CUDA_ON_HOST_REDUCE(min, minimum, unsigned)
CUDA_ON_HOST_REDUCE(max, maximum, int)
CUDA_ON_HOST_REDUCE(max, maximum, unsigned)
CUDA_ON_HOST_REDUCE(and, bit_and, unsigned)
CUDA_ON_HOST_REDUCE(or, bit_or, unsigned)
CUDA_ON_HOST_REDUCE(xor, bit_xor, unsigned)
#undef CUDA_ON_HOST_REDUCE
