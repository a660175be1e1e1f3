#pragma once

#include "language.hpp"

#include <cstddef>
#include <source_location>
#include <type_traits>

// The part of CUDA's runtime API that corral uses, with CUDA's names and numbers. Streams are those of streams.hpp,
// memory that of device_memory.hpp in ../../runtime.

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorLaunchFailure = 719,
  cudaErrorUnknown = 999,
};
const char* cudaGetErrorName(cudaError_t);
const char* cudaGetErrorString(cudaError_t);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

// Device.
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrReservedSharedMemoryPerBlock = 111,
  cudaDevAttrMemoryPoolsSupported = 115,
};
struct cudaDeviceProp {
  char name[256];
  std::size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
  int major, minor, multiProcessorCount, warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor;
  int regsPerBlock, l2CacheSize, maxGridSize[3], maxThreadsDim[3];
};
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDriverGetVersion(int* version);

// Streams and events.
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
inline constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2;
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(0x1))
cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t); ///< also lets the stream do one piece of its work, so that polling ends
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned flags = 0);
cudaError_t cudaLaunchHostFunc(cudaStream_t, void (*function)(void*), void* data);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

// Memory.
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes*, const void*);
cudaError_t cudaFree(void*);
cudaError_t cudaFreeAsync(void*, cudaStream_t);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemset(void*, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void*, int value, std::size_t bytes, cudaStream_t = nullptr);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

// Pools: memory is the device's, whichever pool it is from.
enum cudaMemAllocationType { cudaMemAllocationTypePinned = 1 };
enum cudaMemLocationType { cudaMemLocationTypeDevice = 1 };
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  cudaMemLocation location;
};
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
cudaError_t cudaMemPoolCreate(cudaMemPool_t*, const cudaMemPoolProps*);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t);

// Device entries.
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

namespace cuda_on_host {

cudaError_t allocate_device(void**, std::size_t bytes, std::source_location);
cudaError_t allocate_device_async(void**, std::size_t bytes, cudaStream_t, std::source_location);
cudaError_t allocate_pinned(void**, std::size_t bytes, std::source_location);
cudaError_t set_entry_attribute(const void* entry, cudaFuncAttribute, int value);
cudaError_t blocks_per_multiprocessor(int* blocks, int threads, std::size_t dynamic_bytes);
cudaError_t copy_to_symbol(void* to, std::size_t room, const void* from, std::size_t bytes, std::size_t offset);

template <class Entry> const void* entry_address(Entry* entry) { return reinterpret_cast<const void*>(entry); }

} // namespace cuda_on_host

template <class T>
cudaError_t cudaMalloc(T** p, std::size_t bytes, std::source_location where = std::source_location::current()) {
  return cuda_on_host::allocate_device(reinterpret_cast<void**>(p), bytes, where);
}
template <class T>
cudaError_t cudaMallocAsync(T** p, std::size_t bytes, cudaStream_t stream,
                            std::source_location where = std::source_location::current()) {
  return cuda_on_host::allocate_device_async(reinterpret_cast<void**>(p), bytes, stream, where);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** p, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                    std::source_location where = std::source_location::current()) {
  return pool ? cuda_on_host::allocate_device_async(reinterpret_cast<void**>(p), bytes, stream, where)
              : cudaErrorInvalidValue;
}
template <class T>
cudaError_t cudaMallocHost(T** p, std::size_t bytes, std::source_location where = std::source_location::current()) {
  return cuda_on_host::allocate_pinned(reinterpret_cast<void**>(p), bytes, where);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
  return cuda_on_host::copy_to_symbol(&symbol, sizeof symbol, from, bytes, offset);
}

template <class Entry> cudaError_t cudaFuncSetAttribute(Entry* entry, cudaFuncAttribute attribute, int value) {
  return cuda_on_host::set_entry_attribute(cuda_on_host::entry_address(entry), attribute, value);
}
template <class Entry>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Entry*, int threads, std::size_t dynamic_bytes) {
  return cuda_on_host::blocks_per_multiprocessor(blocks, threads, dynamic_bytes);
}
