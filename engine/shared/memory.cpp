#include "engine/shared/memory.hpp"

#include <new>

namespace corral {

std::string_view name(Memory memory) {
  switch (memory) {
  case Memory::host: return "host";
  case Memory::pinned: return "pinned";
  case Memory::device: return "device";
  }
  return "unknown";
}

void* detail::take_memory(Memory memory, std::size_t bytes) {
  if (memory != Memory::host) return shared::take_cuda_memory(memory, bytes);
  return ::operator new(bytes, std::align_val_t{memory_alignment});
}

void detail::give_back_memory(Memory memory, void* data) noexcept {
  if (data == nullptr) return;
  if (memory != Memory::host) return shared::give_back_cuda_memory(memory, data);
  ::operator delete(data, std::align_val_t{memory_alignment});
}

} // namespace corral
