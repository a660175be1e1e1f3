#include "engine/gpu/device.cuh"
#include "engine/shared/memory.hpp"
#include "engine/shared/requirements.hpp"

#include <algorithm>

namespace corral {

namespace {
constexpr std::size_t least = 16; ///< [bytes]: of nothing no address would come

void* take_from_pool(cudaStream_t stream, std::size_t bytes) {
  void* data = nullptr;
  gpu::check(cudaMallocFromPoolAsync(&data, std::max(bytes, least), detail::device_memory_pool(), stream), "taking memory");
  return data;
}

} // namespace

void* shared::take_cuda_memory(Memory memory, std::size_t bytes) {
  void* data = nullptr;
  if (memory == Memory::pinned) {
    const cudaError_t status = cudaMallocHost(&data, std::max(bytes, least));
    if (status != cudaSuccess && status != cudaErrorMemoryAllocation) require_device(); // says it better
    gpu::check(status, "taking pinned memory");
    return data;
  }
  require_device();
  data = take_from_pool(nullptr, bytes);
  // Whatever stream uses it next need not wait for this one.
  const cudaError_t status = cudaStreamSynchronize(nullptr);
  if (status != cudaSuccess) cudaFree(data);
  gpu::check(status, "taking memory");
  return data;
}

/// Waits for what the memory's device was given to do: of memory from a pool cudaFree does not.
void shared::give_back_cuda_memory(Memory memory, void* data) noexcept {
  if (memory == Memory::pinned) {
    cudaFreeHost(data);
    return;
  }
  cudaPointerAttributes of{};
  int current = 0;
  const bool elsewhere = cudaPointerGetAttributes(&of, data) == cudaSuccess && cudaGetDevice(&current) == cudaSuccess &&
                         of.device != current;
  if (elsewhere) cudaSetDevice(of.device);
  cudaDeviceSynchronize();
  cudaFree(data);
  if (elsewhere) cudaSetDevice(current);
  (void)cudaGetLastError(); // nobody can be told here, and it would be reported as that of somebody's next call
}

void* detail::take_memory_on(CUstream_st* stream, std::size_t bytes) {
  void* const data = take_from_pool(stream, bytes);
  shared::count_taken(Memory::device, bytes);
  return data;
}

void detail::give_back_memory_on(CUstream_st* stream, void* data, std::size_t bytes) {
  shared::count_given_back(Memory::device, bytes);
  gpu::check(cudaFreeAsync(data, stream), "giving memory back");
}

void detail::copy_memory(void* to, const void* from, std::size_t bytes) {
  gpu::check(cudaDeviceSynchronize(), "waiting for the device");
  gpu::check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copying memory");
}

void detail::clear_memory(void* data, std::size_t bytes) {
  gpu::check(cudaMemsetAsync(data, 0, bytes), "clearing memory");
}

} // namespace corral
