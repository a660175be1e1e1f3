#pragma once

#include <corral/array.hpp>
#include <corral/device_code.cuh>
#include <corral/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

/// What all device code of the engine needs of the CUDA runtime: errors, memory, and launches over a range.
namespace corral::gpu {

/// Throws Error, or std::bad_alloc where device memory does not suffice.
inline void check(cudaError_t status, const char* what) { detail::check_cuda(status, what); }

/// Throws Error unless `pointer` is to memory of the current device; `what` it is stands in the message. Null is let
/// through.
void require_device_memory(const void* pointer, const char* what);

/// The number of the current device.
int current_device();
/// Shared memory that one block may have on it [bytes].
std::size_t most_shared_memory();
/// Lets launches of an entry on the current device ask for so much shared memory [bytes], not only for the 48 KB that
/// any may have. Once per entry and device, since that is a setting of the whole process's: always the same number.
void allow_shared_memory(const void* entry, std::size_t bytes);
/// Whether its tensor cores multiply doubles faster than its other units do.
bool has_fp64_tensor_cores();
/// Whether it has all of async_copies.cuh.
bool has_bulk_copies();
int multiprocessors();

/// What is asked of an order's memory on the device: one call after the other, on whatever streams, the last of which
/// ends before the memory does.
struct Work {
  Work();
  ~Work(); ///< waits for the last call
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// Throws Error where another device is the current one.
  void require_current_device() const;

  int device;
  cudaEvent_t done = nullptr; ///< recorded behind the last call
};

/// One call: its scope covers everything that it asks of an order's memory, also where it fails.
class CallOn {
public:
  CallOn(Work& work, cudaStream_t stream);
  ~CallOn() {
    if (!ended_) cudaEventRecord(work_.done, stream_);
  }
  /// All that it asks has been asked for.
  void end();
  CallOn(const CallOn&) = delete;
  CallOn& operator=(const CallOn&) = delete;

private:
  Work& work_;
  cudaStream_t stream_;
  bool ended_ = false;
};

/// Blocks of `threads` that cover n threads.
inline unsigned blocks_for(std::int64_t n, int threads) {
  const std::int64_t blocks = (n + threads - 1) / threads;
  if (blocks > 0x7fffffff) throw Error(std::to_string(n) + " threads in one launch (more than a device takes)");
  return static_cast<unsigned>(blocks);
}

inline constexpr unsigned all_lanes = 0xffffffffu; ///< of a warp

/// The sum of what the lanes below and this one hold. By a whole warp.
inline __device__ unsigned sum_up_to_lane(unsigned mine) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned below = __shfl_up_sync(all_lanes, mine, d);
    if (lane >= d) mine += below;
  }
  return mine;
}

/// The thread's number within its launch.
inline __device__ std::int64_t thread_number() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

} // namespace corral::gpu
