#include "engine/gpu/device.cuh"
#include "engine/gpu/order/order.cuh"

#include <corral/for_each.cuh>

#include <cub/cub.cuh>

#include <bit>

namespace corral::gpu {

void sort_pairs(cudaStream_t stream, Array<std::uint32_t>& key, Array<std::uint32_t>& other_key,
                Array<std::uint32_t>& value, Array<std::uint32_t>& other_value, std::int64_t n,
                std::uint32_t largest, Array<unsigned char>& scratch) {
  cub::DoubleBuffer<std::uint32_t> keys(key.data(), other_key.data()), values(value.data(), other_value.data());
  const int bits = std::bit_width(largest) > 0 ? static_cast<int>(std::bit_width(largest)) : 1;
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, n, 0, bits, stream), "a sort");
  void* const memory = scratch.renew(static_cast<std::int64_t>(bytes) + 1, stream);
  check(cub::DeviceRadixSort::SortPairs(memory, bytes, keys, values, n, 0, bits, stream), "a sort");
  if (keys.Current() != key.data()) key.swap(other_key);
  if (values.Current() != value.data()) value.swap(other_value);
}

void add_up(cudaStream_t stream, std::uint64_t* values, std::int64_t n, Array<unsigned char>& scratch) {
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, n, stream), "a scan");
  void* const memory = scratch.renew(static_cast<std::int64_t>(bytes) + 1, stream);
  check(cub::DeviceScan::ExclusiveSum(memory, bytes, values, values, n, stream), "a scan");
}

} // namespace corral::gpu

namespace corral {

void detail::exclusive_sum(cudaStream_t stream, std::int64_t* values, std::int64_t size) {
  std::size_t bytes = 0;
  gpu::check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, size, stream), "a scan");
  const StreamMemory<unsigned char> scratch(stream, static_cast<std::int64_t>(bytes) + 1);
  gpu::check(cub::DeviceScan::ExclusiveSum(scratch.data(), bytes, values, values, size, stream), "a scan");
}

} // namespace corral
