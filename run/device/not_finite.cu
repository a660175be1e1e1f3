#include "run/device/not_finite.hpp"

#include <corral/device_code.cuh>
#include <corral/staged.cuh>

#include <algorithm>
#include <cstddef>

namespace corral::run {

namespace {

constexpr int threads = 256, share = 16; // values that a thread looks at
constexpr std::int64_t of_a_block = threads * share;
constexpr std::uint64_t none = ~std::uint64_t{0};

using corral::detail::check_cuda;
using Part = NotFiniteScan::Part;

__device__ bool is_finite(double value) { return value - value == 0; }

/// The part that a block looks at: the last whose first block is not above it.
__device__ const Part& part_of(const Part* parts, std::int64_t count, std::int64_t block) {
  std::int64_t low = 0, high = count;
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    if (parts[middle].first_block <= block) low = middle;
    else high = middle;
  }
  return parts[low];
}

/// The least place of a value that is not finite, which is the same in whatever order threads come.
__global__ void first_not_finite_global(const Part* parts, std::int64_t count, unsigned long long* found) {
  const Part part = part_of(parts, count, blockIdx.x);
  const std::int64_t begin = (blockIdx.x - part.first_block) * of_a_block + threadIdx.x;
  for (std::int64_t k = 0; k < share; ++k) {
    const std::int64_t i = begin + k * threads;
    if (i >= part.values.count || is_finite(part.values.data[i])) continue;
    atomicMin(found, static_cast<unsigned long long>(part.begin + i));
    return; // later ones of this thread are larger
  }
}

} // namespace

std::optional<NotFiniteScan::Place> NotFiniteScan::first(Gpu gpu, std::span<const Values> arrays) {
  const auto count = static_cast<std::int64_t>(arrays.size());
  parts_.resize(std::max(count, parts_.size()));
  found_.resize(1);
  std::int64_t begin = 0, blocks = 0;
  for (std::int64_t a = 0; a < count; ++a) {
    const Values& values = arrays[static_cast<std::size_t>(a)];
    parts_.here[a] = {values, begin, blocks};
    begin += values.count;
    blocks += (values.count + of_a_block - 1) / of_a_block;
  }
  if (blocks == 0) return std::nullopt;
  constexpr const char* what = "the NaN scan";
  send(gpu, parts_);
  check_cuda(cudaMemsetAsync(found_.there.data(), 0xff, sizeof none, gpu.stream), what);
  check_cuda(CORRAL_LAUNCH(first_not_finite_global, static_cast<unsigned>(blocks), threads, 0, gpu.stream,
                           static_cast<const Part*>(parts_.there.data()), count,
                           reinterpret_cast<unsigned long long*>(found_.there.data())),
             what);
  fetch(gpu, found_);
  if (found_.here[0] == none) return std::nullopt;
  const auto at = static_cast<std::int64_t>(found_.here[0]);
  std::int64_t array = count - 1;
  while (parts_.here[array].begin > at || parts_.here[array].values.count == 0) --array;
  return Place{array, at - parts_.here[array].begin};
}

} // namespace corral::run
