#include "engine/gpu/device.cuh"
#include "engine/shared/memory.hpp"
#include "engine/shared/requirements.hpp"

#include <corral/device.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <set>

namespace corral::gpu {

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "a look at the device");
  return device;
}

void require_device_memory(const void* pointer, const char* what) {
  if (pointer == nullptr) return;
  cudaPointerAttributes found{};
  check(cudaPointerGetAttributes(&found, pointer), "a look at a pointer");
  if (found.type == cudaMemoryTypeManaged) return;
  if (found.type != cudaMemoryTypeDevice)
    throw Error(std::string(what) + " in host memory was handed to a call on the GPU; hand over device memory, or call "
                                    "it with Cpu{}");
  if (found.device != current_device())
    throw Error(std::string(what) + " in memory of device " + std::to_string(found.device) +
                " was handed to a call on device " + std::to_string(current_device()) +
                "; set the device, or hand over memory of this one");
}

namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "a look at the device");
  return value;
}

} // namespace

std::size_t most_shared_memory() {
  return static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, current_device()));
}

void allow_shared_memory(const void* entry, std::size_t bytes) {
  static std::mutex mutex;
  static std::set<std::pair<const void*, int>> allowed;
  const std::pair<const void*, int> key(entry, current_device());
  const std::lock_guard lock(mutex);
  if (allowed.count(key) != 0) return;
  check(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "asking for shared memory");
  allowed.insert(key);
}

namespace {
int compute_capability() {
  const int device = current_device();
  return 10 * attribute(cudaDevAttrComputeCapabilityMajor, device) + attribute(cudaDevAttrComputeCapabilityMinor, device);
}
} // namespace

bool has_fp64_tensor_cores() {
  const int capability = compute_capability();
  return capability == 80 || capability == 90 || capability == 100;
}

// Later devices with less shared memory, or with slow doubles, have other shapes that win.
bool has_bulk_copies() {
  const int capability = compute_capability();
  return capability == 90 || capability == 100;
}

int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount, current_device()); }

namespace {

cudaMemPool_t new_pool(int device) {
  if (attribute(cudaDevAttrMemoryPoolsSupported, device) == 0)
    throw Error("device " + std::to_string(device) +
                " without memory pools (its driver, or a virtual GPU, has none) take another device, or Cpu{}");
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties), "making a memory pool");
  std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all), "making a memory pool");
  return pool;
}

} // namespace

Work::Work() : device(current_device()) {
  check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming), "making an event");
}
Work::~Work() {
  cudaEventSynchronize(done);
  cudaEventDestroy(done);
}

void Work::require_current_device() const {
  const int current = current_device();
  if (current != device)
    throw Error("an order of device " + std::to_string(device) + " in a call on device " + std::to_string(current) +
                " (its memory is on the other) set the device, or sort on this one");
}

// Waits on the same stream, too: a handle may be that of a stream made since, in the place of one that is gone.
CallOn::CallOn(Work& work, cudaStream_t stream) : work_(work), stream_(stream) {
  work.require_current_device();
  check(cudaStreamWaitEvent(stream, work.done, 0), "waiting for the call before");
}

void CallOn::end() {
  ended_ = true;
  check(cudaEventRecord(work_.done, stream_), "the end of a call");
}

} // namespace corral::gpu

namespace corral {

int device_count() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess) return devices;
  (void)cudaGetLastError(); // there is none
  return 0;
}

DeviceFound find_device() {
  if (device_count() == 0) return {.why_none = "no CUDA device is found here", .name = "", .free_bytes = 0};
  cudaDeviceProp properties{};
  std::size_t free = 0, total = 0;
  gpu::check(cudaGetDeviceProperties(&properties, gpu::current_device()), "a look at the device");
  gpu::check(cudaMemGetInfo(&free, &total), "a look at the device's memory");
  return {.why_none = "", .name = properties.name, .free_bytes = static_cast<double>(free)};
}

void use_device(int number) { gpu::check(cudaSetDevice(number), "taking the device"); }

void shared::require_device() {
  if (device_count() == 0) throw Error("a call on the GPU (no CUDA device is found here) make it on the CPU");
}

// The engine's own: the device's default one gives everything back to the system whenever the host waits for it, and
// is the host code's to tune. Pools last as long as the process.
cudaMemPool_t detail::device_memory_pool() {
  static std::mutex mutex;
  static std::map<int, cudaMemPool_t> pools;
  const int device = gpu::current_device();
  const std::lock_guard lock(mutex);
  const auto found = pools.find(device);
  return found != pools.end() ? found->second : pools[device] = gpu::new_pool(device);
}

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

void detail::copy_memory_on(CUstream_st* stream, void* to, const void* from, std::size_t bytes) {
  gpu::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying memory");
}

void detail::wait_for(CUstream_st* stream) { gpu::check(cudaStreamSynchronize(stream), "waiting for the device"); }

void detail::clear_memory(void* data, std::size_t bytes) {
  gpu::check(cudaMemsetAsync(data, 0, bytes), "clearing memory");
}

} // namespace corral
