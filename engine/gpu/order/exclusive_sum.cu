#include "engine/gpu/device.cuh"

#include <corral/for_each.cuh>

#include <cub/cub.cuh>

namespace corral {

void detail::exclusive_sum(cudaStream_t stream, std::int64_t* values, std::int64_t size) {
  std::size_t bytes = 0;
  gpu::check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, size, stream), "a scan");
  const StreamMemory<unsigned char> scratch(stream, static_cast<std::int64_t>(bytes) + 1);
  gpu::check(cub::DeviceScan::ExclusiveSum(scratch.data(), bytes, values, values, size, stream), "a scan");
}

} // namespace corral
