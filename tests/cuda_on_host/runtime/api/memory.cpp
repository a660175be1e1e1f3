#include "tests/cuda_on_host/runtime/sanitizers.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

using namespace cuda_on_host;

namespace {

bool may_allocate() {
  State& s = state();
  ++s.statistics.allocations;
  if (!s.allocations_until_failure || (*s.allocations_until_failure)-- != 0) return true;
  s.allocations_until_failure.reset();
  s.has_failed = true;
  return false;
}

cudaError_t give(void** p, void* memory, std::size_t bytes) {
  *p = memory;
  return memory || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}

/// Copies in a stream's turn; the bytes are a host array or device memory on either side.
void copy_now(void* to, const void* from, std::size_t bytes) {
  const DeviceAccess access;
  std::memcpy(to, from, bytes);
}

/// Whether the pointers are what the kind says, and the bytes inside one allocation each where they are the device's.
cudaError_t check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const DeviceMemory& device = state().device;
  const bool to_device = device.owns(to), from_device = device.owns(from);
  if ((to_device && !device.covers(to, bytes)) || (from_device && !device.covers(from, bytes)))
    return cudaErrorInvalidValue;
  switch (kind) {
  case cudaMemcpyHostToHost: return to_device || from_device ? cudaErrorInvalidValue : cudaSuccess;
  case cudaMemcpyHostToDevice: return !to_device || from_device ? cudaErrorInvalidValue : cudaSuccess;
  case cudaMemcpyDeviceToHost: return to_device || !from_device ? cudaErrorInvalidValue : cudaSuccess;
  case cudaMemcpyDeviceToDevice: return !to_device || !from_device ? cudaErrorInvalidValue : cudaSuccess;
  case cudaMemcpyDefault: return cudaSuccess;
  }
  return cudaErrorInvalidMemcpyDirection;
}

bool pageable(const void* p) { return !state().device.owns(p) && !state().pinned.owns(p); }

/// A copy returns when CUDA's does: from pageable memory, once that may be overwritten; to pageable memory, once all is
/// there; otherwise at once.
cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  const std::shared_ptr<Queue> queue = state().streams.queue(stream);
  if (!queue) return cudaErrorInvalidResourceHandle;
  if (!bytes) return cudaSuccess;
  if (const cudaError_t error = check_copy(to, from, bytes, kind)) return error;
  if (pageable(from) && !wait) {
    std::shared_ptr<char[]> staged(new char[bytes]);
    std::memcpy(staged.get(), from, bytes);
    state().streams.push(queue, [=] { copy_now(to, staged.get(), bytes); });
  } else {
    state().streams.push(queue, [=] { copy_now(to, from, bytes); });
  }
  if (wait || pageable(to)) state().streams.synchronize(queue, queue->queued());
  return cudaSuccess;
}

cudaError_t set(void* p, int value, std::size_t bytes, cudaStream_t stream) {
  const std::shared_ptr<Queue> queue = state().streams.queue(stream);
  if (!queue) return cudaErrorInvalidResourceHandle;
  if (!bytes) return cudaSuccess;
  if (!state().device.covers(p, bytes)) return cudaErrorInvalidValue;
  state().streams.push(queue, [=] {
    const DeviceAccess access;
    std::memset(p, value, bytes);
  });
  return cudaSuccess;
}

} // namespace

namespace cuda_on_host {

cudaError_t allocate_device(void** p, std::size_t bytes, std::source_location where) {
  return call([&] {
    if (!may_allocate()) return cudaErrorMemoryAllocation;
    return give(p, bytes ? state().device.allocate(bytes, where) : nullptr, bytes);
  });
}

cudaError_t allocate_device_async(void** p, std::size_t bytes, cudaStream_t stream, std::source_location where) {
  return call([&] {
    if (!state().streams.queue(stream)) return cudaErrorInvalidResourceHandle;
    if (!bytes) return cudaErrorInvalidValue;
    if (!may_allocate()) return cudaErrorMemoryAllocation;
    return give(p, state().device.allocate(bytes, where, true), bytes);
  });
}

cudaError_t allocate_pinned(void** p, std::size_t bytes, std::source_location where) {
  return call([&] {
    if (!may_allocate()) return cudaErrorMemoryAllocation;
    return give(p, bytes ? state().pinned.allocate(bytes, where) : nullptr, bytes);
  });
}

cudaError_t copy_to_symbol(void* to, std::size_t room, const void* from, std::size_t bytes, std::size_t offset) {
  return call([&] {
    if (offset > room || bytes > room - offset) return cudaErrorInvalidValue;
    const std::shared_ptr<Queue> queue = state().streams.queue(nullptr);
    state().streams.push(queue, [=] { copy_now(static_cast<char*>(to) + offset, from, bytes); });
    state().streams.synchronize(queue, queue->queued());
    return cudaSuccess;
  });
}

} // namespace cuda_on_host

struct CUmemPoolHandle_st {};

namespace {
std::vector<std::unique_ptr<CUmemPoolHandle_st>>& pools() {
  static std::vector<std::unique_ptr<CUmemPoolHandle_st>> all;
  return all;
}
} // namespace

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call([&] {
    if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice)
      return cudaErrorInvalidValue;
    if (properties->location.id != 0) return cudaErrorInvalidDevice;
    *pool = pools().emplace_back(std::make_unique<CUmemPoolHandle_st>()).get();
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void* value) {
  return call([&] { return pool && value ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return quiet_call([&] {
    const std::size_t destroyed = std::erase_if(pools(), [&](const auto& each) { return each.get() == pool; });
    return destroyed == 1 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaFree(void* p) {
  return quiet_call([&] {
    if (!p) return cudaSuccess;
    if (!state().device.covers(p, 0)) return cudaErrorInvalidValue;
    // Of memory that was taken in stream order CUDA assumes that all work on it is done.
    if (!state().device.in_stream_order(p)) state().streams.synchronize_all();
    return state().device.release(p) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
  return quiet_call([&] {
    if (!p) return cudaSuccess;
    const std::shared_ptr<Queue> queue = state().streams.queue(stream);
    if (!queue) return cudaErrorInvalidResourceHandle;
    if (!state().device.covers(p, 0)) return cudaErrorInvalidValue;
    const auto release = [p] {
      if (!state().device.release(p)) throw Error("cudaFreeAsync of what is not allocated, or freed already");
    };
    state().streams.push(queue, release, {}, true);
    return cudaSuccess;
  });
}

cudaError_t cudaFreeHost(void* p) {
  return quiet_call([&] {
    if (!p) return cudaSuccess;
    state().streams.synchronize_all();
    return state().pinned.release(p) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call([&] { return copy(to, from, bytes, kind, nullptr, kind != cudaMemcpyDeviceToDevice); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call([&] { return copy(to, from, bytes, kind, stream, false); });
}

cudaError_t cudaMemset(void* p, int value, std::size_t bytes) {
  return call([&] { return set(p, value, bytes, nullptr); });
}

cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream) {
  return call([&] { return set(p, value, bytes, stream); });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return call([&] {
    *total = configuration().device_bytes;
    *free = *total - std::min(*total, state().device.bytes_in_use());
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
  return call([&] {
    void* address = const_cast<void*>(p);
    if (state().device.covers(p, 1))
      *attributes = {cudaMemoryTypeDevice, 0, address, nullptr};
    else if (state().pinned.owns(p))
      *attributes = {cudaMemoryTypeHost, 0, address, address};
    else
      *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, nullptr};
    return cudaSuccess;
  });
}
