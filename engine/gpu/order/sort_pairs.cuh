#pragma once

#include "engine/gpu/device.cuh"

#include <cstdint>

namespace corral::gpu {

/// Sorts n pairs by key, stably; keys are at most `largest`. The `other` arrays are as long and hold anything; what is
/// sorted ends in the first ones, which may have changed places with them. Compiled once: CUB costs ten seconds a file.
void sort_pairs(cudaStream_t, Array<std::uint32_t>& key, Array<std::uint32_t>& other_key,
                Array<std::uint32_t>& value, Array<std::uint32_t>& other_value, std::int64_t n,
                std::uint32_t largest, Array<unsigned char>& scratch);

} // namespace corral::gpu
