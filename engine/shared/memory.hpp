#pragma once

#include <corral/memory.hpp>

#include <cstddef>

/// Memory that is not the host's, by the backend that has it.
namespace corral::shared {

void* take_cuda_memory(Memory memory, std::size_t bytes);
void give_back_cuda_memory(Memory memory, void* data) noexcept;

} // namespace corral::shared
