#include "engine/shared/memory.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace corral {

namespace {

struct Count {
  std::atomic<std::int64_t> held{0}, most{0};
};

Count& count_of(Memory memory) {
  static std::array<Count, 3> counts;
  return counts[static_cast<std::size_t>(memory)];
}

/// So many zeros are pages of their own, which the system makes where they are first written. Of fewer it would be slower.
constexpr std::size_t least_pages = std::size_t{1} << 20; // [bytes]

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

void* detail::take_zeros(std::size_t bytes) {
  if (bytes < least_pages) {
    void* const data = take_memory(Memory::host, bytes);
    std::memset(data, 0, bytes);
    return data;
  }
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  shared::count_taken(Memory::host, bytes);
  return data;
}

void detail::give_back_zeros(void* data, std::size_t bytes) noexcept {
  if (bytes < least_pages) return give_back_memory(Memory::host, data, bytes);
  shared::count_given_back(Memory::host, bytes);
  munmap(data, bytes);
}

} // namespace corral
