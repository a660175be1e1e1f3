#include "cuda_on_host/cub_call.hpp"

#include "tests/cuda_on_host/runtime/state.hpp"

#include <cstring>

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
