#pragma once

#include <corral/memory.hpp>

#include <cstddef>

namespace corral::shared {

/// For `memory_use`, by whoever takes or gives back.
void count_taken(Memory memory, std::size_t bytes);
void count_given_back(Memory memory, std::size_t bytes) noexcept;

/// Memory that is not the host's, by the backend that has it. Not counted.
void* take_cuda_memory(Memory memory, std::size_t bytes);
void give_back_cuda_memory(Memory memory, void* data) noexcept;

} // namespace corral::shared
