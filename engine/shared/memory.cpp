#include "engine/shared/memory.hpp"

#include <array>
#include <atomic>
#include <new>

namespace corral {

namespace {

struct Count {
  std::atomic<std::int64_t> held{0}, most{0};
};

Count& count_of(Memory memory) {
  static std::array<Count, 3> counts;
  return counts[static_cast<std::size_t>(memory)];
}

} // namespace

std::string_view name(Memory memory) {
  switch (memory) {
  case Memory::host: return "host";
  case Memory::pinned: return "pinned";
  case Memory::device: return "device";
  }
  return "unknown";
}

const char* OutOfDeviceMemory::what() const noexcept { return "out of memory of the CUDA device"; }

MemoryUse memory_use(Memory memory) {
  const Count& count = count_of(memory);
  return {count.held, count.most};
}

void shared::count_taken(Memory memory, std::size_t bytes) {
  Count& count = count_of(memory);
  const std::int64_t held = count.held += static_cast<std::int64_t>(bytes);
  for (std::int64_t most = count.most; held > most && !count.most.compare_exchange_weak(most, held);) {}
}

void shared::count_given_back(Memory memory, std::size_t bytes) noexcept {
  count_of(memory).held -= static_cast<std::int64_t>(bytes);
}

void* detail::take_memory(Memory memory, std::size_t bytes) {
  void* const data = memory != Memory::host ? shared::take_cuda_memory(memory, bytes)
                                            : ::operator new(bytes, std::align_val_t{memory_alignment});
  shared::count_taken(memory, bytes);
  return data;
}

void detail::give_back_memory(Memory memory, void* data, std::size_t bytes) noexcept {
  if (data == nullptr) return;
  shared::count_given_back(memory, bytes);
  if (memory != Memory::host) return shared::give_back_cuda_memory(memory, data);
  ::operator delete(data, std::align_val_t{memory_alignment});
}

} // namespace corral
