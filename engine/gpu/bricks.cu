#include "engine/gpu/bricks.cuh"

namespace corral::gpu {

std::size_t most_shared_memory() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device), "a look at the device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "a look at the device");
  return static_cast<std::size_t>(bytes);
}

} // namespace corral::gpu
