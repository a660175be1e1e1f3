#include "cuda_on_host/cub_device.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

// The device that is played: with the shared memory of its compute capability and few multiprocessors.

using namespace cuda_on_host;

namespace {
constexpr int kibibyte = 1024, shared_usual = 48 * kibibyte, shared_reserved = 1 * kibibyte, threads_of_block = 1024,
              threads_of_multiprocessor = 2048, blocks_of_multiprocessor = 32, l2_bytes = 50 << 20;

int shared_of_multiprocessor() { return static_cast<int>(most_shared_of_block()) + shared_reserved; }
} // namespace

cudaError_t cudaGetDevice(int* device) {
  return call([&] { return *device = 0, cudaSuccess; });
}

cudaError_t cudaSetDevice(int device) {
  return call([&] { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaGetDeviceCount(int* count) {
  return call([&] { return *count = configuration().devices, cudaSuccess; });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return call([&] { return *version = CUDART_VERSION, cudaSuccess; });
}

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return *value = threads_of_block, cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock: return *value = shared_usual, cudaSuccess;
    case cudaDevAttrWarpSize: return *value = 32, cudaSuccess;
    case cudaDevAttrMultiProcessorCount: return *value = configuration().multiprocessors, cudaSuccess;
    case cudaDevAttrL2CacheSize: return *value = l2_bytes, cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return *value = threads_of_multiprocessor, cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor: return *value = configuration().compute_capability / 10, cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor: return *value = configuration().compute_capability % 10, cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return *value = shared_of_multiprocessor(), cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return *value = static_cast<int>(most_shared_of_block()), cudaSuccess;
    case cudaDevAttrReservedSharedMemoryPerBlock: return *value = shared_reserved, cudaSuccess;
    case cudaDevAttrMemoryPoolsSupported: return *value = 1, cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    *properties = {};
    std::strcpy(properties->name, "CUDA on the host");
    properties->totalGlobalMem = configuration().device_bytes;
    properties->sharedMemPerBlock = shared_usual;
    properties->sharedMemPerBlockOptin = most_shared_of_block();
    properties->sharedMemPerMultiprocessor = static_cast<std::size_t>(shared_of_multiprocessor());
    properties->major = configuration().compute_capability / 10;
    properties->minor = configuration().compute_capability % 10;
    properties->multiProcessorCount = configuration().multiprocessors;
    properties->warpSize = 32;
    properties->maxThreadsPerBlock = threads_of_block;
    properties->maxThreadsPerMultiProcessor = threads_of_multiprocessor;
    properties->regsPerBlock = 65536;
    properties->l2CacheSize = l2_bytes;
    const int grid[3] = {2147483647, 65535, 65535}, block[3] = {1024, 1024, 64};
    std::copy(grid, grid + 3, properties->maxGridSize);
    std::copy(block, block + 3, properties->maxThreadsDim);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call([] { return state().streams.synchronize_all(), cudaSuccess; });
}

namespace cuda_on_host {

std::size_t most_shared_of_block() {
  switch (configuration().compute_capability) {
  case 80: case 87: return 163 * kibibyte;
  case 86: case 89: case 120: return 99 * kibibyte;
  default: return 227 * kibibyte;
  }
}

cudaError_t set_entry_attribute(const void* entry, cudaFuncAttribute attribute, int value) {
  return call([&] {
    if (!entry) return cudaErrorInvalidDeviceFunction;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        value > static_cast<int>(most_shared_of_block()))
      return cudaErrorInvalidValue;
    state().most_dynamic[entry] = static_cast<std::size_t>(value);
    return cudaSuccess;
  });
}

/// As threads and shared memory limit it; a host compiler knows no registers.
cudaError_t blocks_per_multiprocessor(int* blocks, int threads, std::size_t dynamic_bytes) {
  return call([&] {
    if (threads < 1 || threads > threads_of_block) return cudaErrorInvalidValue;
    const int by_threads = threads_of_multiprocessor / ((threads + 31) / 32 * 32);
    const std::size_t by_shared =
        static_cast<std::size_t>(shared_of_multiprocessor()) / (dynamic_bytes + shared_reserved);
    *blocks = std::min({blocks_of_multiprocessor, by_threads, static_cast<int>(by_shared)});
    return cudaSuccess;
  });
}

} // namespace cuda_on_host

cudaError_t cudaGetLastError() {
  const std::lock_guard lock(state().mutex);
  return std::exchange(state().last_error, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
  const std::lock_guard lock(state().mutex);
  return state().last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return "cudaSuccess";
  case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
  case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
  case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
  case cudaErrorInvalidSymbol: return "cudaErrorInvalidSymbol";
  case cudaErrorInvalidMemcpyDirection: return "cudaErrorInvalidMemcpyDirection";
  case cudaErrorInvalidDeviceFunction: return "cudaErrorInvalidDeviceFunction";
  case cudaErrorInvalidDevice: return "cudaErrorInvalidDevice";
  case cudaErrorInvalidResourceHandle: return "cudaErrorInvalidResourceHandle";
  case cudaErrorNotReady: return "cudaErrorNotReady";
  case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
  case cudaErrorUnknown: break;
  }
  return "cudaErrorUnknown";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return "no error";
  case cudaErrorInvalidValue: return "invalid argument";
  case cudaErrorMemoryAllocation: return "out of memory";
  case cudaErrorInvalidConfiguration: return "invalid configuration argument";
  case cudaErrorInvalidSymbol: return "invalid device symbol";
  case cudaErrorInvalidMemcpyDirection: return "invalid copy direction for memcpy";
  case cudaErrorInvalidDeviceFunction: return "invalid device function";
  case cudaErrorInvalidDevice: return "invalid device ordinal";
  case cudaErrorInvalidResourceHandle: return "invalid resource handle";
  case cudaErrorNotReady: return "device not ready";
  case cudaErrorLaunchFailure: return "unspecified launch failure";
  case cudaErrorUnknown: break;
  }
  return "unknown error";
}

namespace cuda_on_host {

void check_cub_pointer(const char* name, const void* p) {
  const std::lock_guard lock(state().mutex);
  if (p && !state().device.owns(p) && !state().pinned.owns(p)) throw Error(std::string(name) + ": a host pointer");
}

cudaError_t cub_call(const char* name, void* temporary, std::size_t& bytes, std::size_t needed, cudaStream_t stream,
                     std::function<void()> work) {
  return call([&] {
    if (!temporary) return bytes = needed, cudaSuccess;
    if (bytes < needed) return cudaErrorInvalidValue;
    if (!state().device.covers(temporary, needed))
      throw Error(std::string(name) + ": temporary storage is not as much device memory as is needed");
    const std::shared_ptr<Queue> queue = state().streams.queue(stream);
    if (!queue) return cudaErrorInvalidResourceHandle;
    state().streams.push(queue, [=, work = std::move(work)] {
      const DeviceAccess access;
      std::memset(temporary, 0xdd, needed); // nobody may use it meanwhile
      work();
    });
    return cudaSuccess;
  });
}

} // namespace cuda_on_host
