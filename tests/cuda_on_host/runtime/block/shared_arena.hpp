#pragma once

#include <cstddef>

namespace cuda_on_host {

/// The shared memory of the running block: the dynamic part, then each static variable behind a red zone.
class SharedArena {
public:
  SharedArena();
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  /// Forgets the last block's variables, and poisons all memory.
  void begin(std::size_t dynamic_bytes);
  /// The variable of that key, made if there is none; nullptr where the arena is full.
  void* variable(const void* key, std::size_t bytes, std::size_t alignment);
  void* dynamic() { return memory_; }
  std::size_t static_bytes() const { return static_bytes_; }

private:
  struct Variable {
    const void* key;
    std::size_t offset;
  };
  static constexpr std::size_t capacity = std::size_t{512} << 10, red_zone = 32;
  static constexpr int most_variables = 64;

  char* memory_;
  std::size_t used_ = 0, static_bytes_ = 0;
  int variables_ = 0;
  Variable variable_[most_variables];
};

} // namespace cuda_on_host
