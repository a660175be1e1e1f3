#pragma once

#include <corral/device_code.cuh>

#include <cstdint>

/// Copies into shared memory that a thread asks for and goes on without, the barriers that say when they have arrived,
/// and the tensor-core step of sixteen rows. Bulk copies, barriers and the step exist from compute capability 9.0 on:
/// below they trap, and only copies of words work.
namespace corral::gpu {

#ifdef CORRAL_CUDA_ON_HOST

using cuda_on_host::PhaseBarrier;

using cuda_on_host::arrive;
using cuda_on_host::arrive_expecting;
using cuda_on_host::begin;
using cuda_on_host::commit_copies;
using cuda_on_host::copy_bulk;
using cuda_on_host::copy_four_words;
using cuda_on_host::copy_two_words;
using cuda_on_host::copy_word;
using cuda_on_host::expect;
using cuda_on_host::fence_begun;
using cuda_on_host::fence_copies;
using cuda_on_host::multiply_16x8x4;
using cuda_on_host::wait_copies;
using cuda_on_host::wait_for_phase;

#else

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define CORRAL_FROM_9_0(...) __trap()
#else
#define CORRAL_FROM_9_0(...) asm volatile(__VA_ARGS__)
#endif

/// A barrier in shared memory (PTX: mbarrier) that threads pass again and again. Its phases are numbered from 0. One
/// ends when as many threads have arrived as `begin` said and all bytes that it expects are there: the next one starts.
struct PhaseBarrier {
  std::uint64_t state; ///< the hardware's own
};

/// Where a pointer to shared memory points, as PTX counts.
__device__ __forceinline__ unsigned shared_address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

/// Starts phase 0; `arrivals` [1, 2^20) end each phase. One thread calls it, once a barrier, then `fence_begun`; others
/// may come after a __syncthreads.
__device__ __forceinline__ void begin(PhaseBarrier& barrier, unsigned arrivals) {
  CORRAL_FROM_9_0("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(arrivals) : "memory");
}

/// Lets bulk copies see the barriers that this thread has begun, and what it has written to shared memory.
__device__ __forceinline__ void fence_begun() {
  CORRAL_FROM_9_0("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async;" ::: "memory");
}

/// What the thread has written to shared memory comes before bulk copies to there that are asked for after a barrier.
__device__ __forceinline__ void fence_copies() { CORRAL_FROM_9_0("fence.proxy.async.shared::cta;" ::: "memory"); }

/// One arrival. What the thread did before comes before what others do after they have waited for the phase.
__device__ __forceinline__ void arrive(PhaseBarrier& barrier) {
  CORRAL_FROM_9_0("{\n\t.reg .b64 before;\n\tmbarrier.arrive.shared::cta.b64 before, [%0];\n\t}"
                  ::"r"(shared_address(&barrier)) : "memory");
}

/// Expects so many more bytes in this phase [0, 2^20), then arrives.
__device__ __forceinline__ void arrive_expecting(PhaseBarrier& barrier, unsigned bytes) {
  CORRAL_FROM_9_0("{\n\t.reg .b64 before;\n\tmbarrier.arrive.expect_tx.shared::cta.b64 before, [%0], %1;\n\t}"
                  ::"r"(shared_address(&barrier)), "r"(bytes) : "memory");
}

/// Expects so many more bytes in this phase [0, 2^20), without an arrival.
__device__ __forceinline__ void expect(PhaseBarrier& barrier, unsigned bytes) {
  CORRAL_FROM_9_0("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
                  ::"r"(shared_address(&barrier)), "r"(bytes) : "memory");
}

/// Returns when the last phase that has ended is one of that parity (its number modulo 2): at once for parity 1 before
/// phase 0 has ended. A thread that misses two phases takes one for the other.
__device__ __forceinline__ void wait_for_phase(PhaseBarrier& barrier, unsigned parity) {
  CORRAL_FROM_9_0("{\n\t.reg .pred ended;\n\tAGAIN:\n\t"
                  "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n\t"
                  "@ended bra GO_ON;\n\tbra AGAIN;\n\tGO_ON:\n\t}"
                  ::"r"(shared_address(&barrier)), "r"(parity) : "memory");
}

/// Copies into shared memory and gives the barrier's phase that many bytes when they are there. Both addresses and the
/// size are multiples of 16 bytes. One thread asks for all of it.
__device__ __forceinline__ void copy_bulk(void* shared, const void* global, unsigned bytes, PhaseBarrier& barrier) {
  CORRAL_FROM_9_0("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                  ::"r"(shared_address(shared)), "l"(__cvta_generic_to_global(global)), "r"(bytes),
                  "r"(shared_address(&barrier)) : "memory");
}

#undef CORRAL_FROM_9_0

/// Copies 4 bytes from global into shared memory; both addresses are multiples of that. It has arrived, for this
/// thread, when `wait_copies` has said so of its group.
__device__ __forceinline__ void copy_word(void* shared, const void* global) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
               ::"r"(shared_address(shared)), "l"(__cvta_generic_to_global(global)) : "memory");
}

/// The same for 8 bytes.
__device__ __forceinline__ void copy_two_words(void* shared, const void* global) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;"
               ::"r"(shared_address(shared)), "l"(__cvta_generic_to_global(global)) : "memory");
}

/// The same for 16 bytes, past the first cache.
__device__ __forceinline__ void copy_four_words(void* shared, const void* global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               ::"r"(shared_address(shared)), "l"(__cvta_generic_to_global(global)) : "memory");
}

/// Makes a group, which may be empty, of the words that this thread has asked for since the last one.
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until of this thread's groups only the last `pending` may be on their way. Others see the words behind a
/// barrier.
template <int pending> __device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

/// sum += A B on the FP64 tensor cores: A[16][4] row by row, B[4][8]. Lane l = 4 r + k brings a0 = A[r][k],
/// a1 = A[r + 8][k] and b = B[k][r]. It has sum[r][2 k], sum[r][2 k + 1], sum[r + 8][2 k] and sum[r + 8][2 k + 1].
/// Each is the chain of fused multiply-adds of rising k, to the bit. All lanes of the warp take part.
__device__ __forceinline__ void multiply_16x8x4(double (&sum)[4], double a0, double a1, double b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  __trap();
#else
  // volatile: all lanes take part, so that the compiler must not move it under a lane's own condition
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
               : "d"(a0), "d"(a1), "d"(b));
#endif
}

#endif

} // namespace corral::gpu
