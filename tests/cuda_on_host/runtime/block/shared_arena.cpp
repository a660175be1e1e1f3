#include "tests/cuda_on_host/runtime/block/shared_arena.hpp"

#include "tests/cuda_on_host/runtime/sanitizers.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace cuda_on_host {

static void* map(void* where, std::size_t bytes) {
  void* memory =
      mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (where ? MAP_FIXED : 0), -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

SharedArena::SharedArena() : memory_(static_cast<char*>(map(nullptr, capacity))) {}

SharedArena::~SharedArena() {
  asan::unpoison(memory_, capacity);
  munmap(memory_, capacity);
}

void SharedArena::begin(std::size_t dynamic_bytes) {
  if (tsan::on) { // a new mapping makes TSan forget the last block's accesses, which are no race with this one's
    munmap(memory_, capacity);
    map(memory_, capacity);
    used_ = capacity;
  }
  asan::unpoison(memory_, capacity);
  std::memset(memory_, 0xff, std::min(capacity, std::max(used_, dynamic_bytes) + red_zone));
  asan::poison(memory_, capacity);
  asan::unpoison(memory_, dynamic_bytes);
  used_ = dynamic_bytes;
  static_bytes_ = 0;
  variables_ = 0;
}

void* SharedArena::variable(const void* key, std::size_t bytes, std::size_t alignment) {
  for (int i = 0; i < variables_; ++i)
    if (variable_[i].key == key) return memory_ + variable_[i].offset;

  alignment = std::max<std::size_t>(alignment, 16);
  const std::size_t offset = (used_ + red_zone + alignment - 1) / alignment * alignment;
  if (variables_ == most_variables || offset + bytes + red_zone > capacity) return nullptr;
  asan::unpoison(memory_ + offset, bytes);
  used_ = offset + bytes;
  static_bytes_ += bytes;
  variable_[variables_++] = {key, offset};
  return memory_ + offset;
}

} // namespace cuda_on_host
