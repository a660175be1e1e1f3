// What device code calls, handed on to the block that runs on this operating-system thread.
#include "tests/cuda_on_host/runtime/block/block.hpp"

#include "cuda_on_host/atomics.hpp"
#include "cuda_on_host/shared_memory.hpp"

#include <atomic>

namespace cuda_on_host {

static BlockRunner& runner() {
  if (!current_runner) throw Error("device code was called by the host");
  return *current_runner;
}

int block_barrier(Barrier kind, bool predicate, Place place) { return runner().barrier(kind, predicate, place); }

LaneValue warp_collective(Operation operation, unsigned mask, LaneValue value, int lane, Place place) {
  return runner().collective(operation, mask, value, lane, place);
}

void fence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (current_thread) current_thread->fenced = true;
}

void before_atomic() {
  if (const int one_in = configuration().preempt) runner().maybe_yield(one_in);
}

void fail_in_kernel(const char* what, Place place) { runner().fail(what, place); }

void* static_shared(const void* key, std::size_t bytes, std::size_t alignment, const char* name) {
  return runner().static_shared(key, bytes, alignment, name);
}

void* dynamic_shared(std::size_t alignment, const char* name) { return runner().dynamic_shared(alignment, name); }

void* BlockRunner::static_shared(const void* key, std::size_t bytes, std::size_t alignment, const char* name) {
  constexpr std::size_t most_static = 48 << 10;
  void* variable = shared_.variable(key, bytes, alignment);
  if (variable && shared_.static_bytes() <= most_static &&
      shared_.static_bytes() + job_->dynamic_bytes <= job_->shared_limit)
    return variable;
  error_ = std::string("too much shared memory: ") + name + " makes it " + std::to_string(shared_.static_bytes()) +
      " static and " + std::to_string(job_->dynamic_bytes) + " dynamic bytes (" + std::to_string(most_static) +
      " may be static, " + std::to_string(job_->shared_limit) + " altogether)";
  stop();
}

void* BlockRunner::dynamic_shared(std::size_t alignment, const char* name) {
  if (job_->dynamic_bytes && alignment <= 16) return shared_.dynamic();
  error_ = std::string("dynamic shared memory ") + name +
      (alignment > 16 ? " is aligned to 16 bytes only" : " is used, but the launch asked for none");
  stop();
}

} // namespace cuda_on_host
