#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#if defined(__x86_64__) && !defined(CORRAL_CUDA_ON_HOST_UCONTEXT)
#define CUDA_ON_HOST_ASSEMBLY 1
#else
#define CUDA_ON_HOST_ASSEMBLY 0
#include <ucontext.h>
#endif

namespace cuda_on_host {

struct ThreadState;

/// A place that execution can leave and come back to.
struct Context {
#if CUDA_ON_HOST_ASSEMBLY
  void* stack_pointer = nullptr;
#else
  ucontext_t registers;
#endif
  void* tsan_fiber = nullptr;
  void* asan_fake_stack = nullptr;
  const void* stack_bottom = nullptr;
  std::size_t stack_bytes = 0;
};

/// A stack, and the CUDA thread that runs on it.
struct Fiber : Context {
  char* mapping = nullptr; ///< guard page and stack
  std::size_t mapped_bytes = 0;
  ThreadState* thread = nullptr;
};

/// The fibers of one operating-system thread. `entry` is what each fiber runs; it calls landed() first and never
/// returns.
class Fibers {
public:
  Fibers(void (*entry)(), std::uint64_t seed);
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  /// Before a block of so many threads: none of the fibers runs. Under TSan they are made here, for it would see the
  /// allocator's memory pass between them.
  void reserve(std::size_t threads);
  Fiber* take();
  void give_back(Fiber* fiber) { free_.push_back(fiber); }
  /// Lets whoever acquires the token be ordered behind all fibers, also those that were stopped on their way.
  void release_all(void* token);
  /// Drops all fibers, whatever they were doing.
  void drop_all();

  void enter_main() { switch_to(main_); }
  void switch_to(Context& to);
  void landed();
  /// From here on the caller's stack is the one that enter_main goes to.
  void this_is_main();
  Fiber* current() { return static_cast<Fiber*>(current_); }
  std::uint64_t switches() const { return switches_; }

private:
  std::unique_ptr<Fiber> make() const;

  void (*entry_)();
  std::uint64_t random_;
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> free_;
  static constexpr std::size_t pools = 3;
  std::vector<Fiber*> of_pool_[pools]; ///< used under TSan only
  std::size_t pool_ = 0;
  Context main_;
  Context* current_ = nullptr;
  Context* previous_ = nullptr;
  std::uint64_t switches_ = 0;
};

/// The next of a sequence of random numbers (splitmix64).
inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace cuda_on_host
