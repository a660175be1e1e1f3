#include "engine/gpu/device.cuh"

#include <limits>
#include <map>
#include <mutex>

namespace corral::gpu {

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "a look at the device");
  return device;
}

std::size_t most_shared_memory() {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, current_device()),
        "a look at the device");
  return static_cast<std::size_t>(bytes);
}

namespace {

cudaMemPool_t new_pool(int device) {
  int supported = 0;
  check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device), "a look at the device");
  if (supported == 0)
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

// Of the engine's own: the device's default one gives everything back to the system whenever the host waits for it, and
// is the host code's to tune. Pools last as long as the process.
cudaMemPool_t memory_pool() {
  static std::mutex mutex;
  static std::map<int, cudaMemPool_t> pools;
  const int device = current_device();
  const std::lock_guard lock(mutex);
  const auto found = pools.find(device);
  return found != pools.end() ? found->second : pools[device] = new_pool(device);
}

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
