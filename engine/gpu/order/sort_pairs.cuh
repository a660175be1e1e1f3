#pragma once

#include "engine/gpu/device.cuh"

#include <cstdint>

namespace corral::gpu {

/// Sorts n pairs by key, stably; keys are at most `largest`. The `other` arrays are as long and hold anything; what is
/// sorted ends in the first ones, which may have changed places with them. Compiled once: CUB costs ten seconds a file.
void sort_pairs(cudaStream_t, DeviceArray<std::uint32_t>& key, DeviceArray<std::uint32_t>& other_key,
                DeviceArray<std::uint32_t>& value, DeviceArray<std::uint32_t>& other_value, std::int64_t n,
                std::uint32_t largest, DeviceArray<unsigned char>& scratch);

} // namespace corral::gpu
