#include "tests/cuda_on_host/runtime/block/fiber.hpp"

#include "cuda_on_host/configuration.hpp"
#include "tests/cuda_on_host/runtime/sanitizers.hpp"

#include <new>

#include <sys/mman.h>
#include <unistd.h>

#if CUDA_ON_HOST_ASSEMBLY
// Saves the registers that a called function must keep, and the stack; then the same backwards for the other context.
asm(R"(
.text
.globl cuda_on_host_switch
.type cuda_on_host_switch,@function
cuda_on_host_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cuda_on_host_switch,.-cuda_on_host_switch
)");
extern "C" void cuda_on_host_switch(void** from, void* to);
#endif

namespace cuda_on_host {

static std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

static void release(Fiber& fiber) {
  asan::unpoison(fiber.mapping, fiber.mapped_bytes);
  munmap(fiber.mapping, fiber.mapped_bytes);
  tsan::destroy_fiber(fiber.tsan_fiber);
}

Fibers::Fibers(void (*entry)(), std::uint64_t seed) : entry_(entry), random_(seed) {}

Fibers::~Fibers() { drop_all(); }

void Fibers::release_all(void* token) {
  void* caller = tsan::current_fiber();
  for (const auto& fiber : all_) {
    tsan::switch_to(fiber->tsan_fiber);
    tsan::release(token);
  }
  tsan::switch_to(caller);
}

void Fibers::drop_all() {
  for (auto& fiber : all_) release(*fiber);
  all_.clear();
  free_.clear();
  for (auto& pool : of_pool_) pool.clear();
}

std::unique_ptr<Fiber> Fibers::make() const {
  auto fiber = std::make_unique<Fiber>();
  const std::size_t guard = page_bytes(), bytes = (configuration().stack_bytes + guard - 1) / guard * guard;
  fiber->mapped_bytes = guard + bytes;
  void* mapping =
      mmap(nullptr, fiber->mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  fiber->mapping = static_cast<char*>(mapping);
  mprotect(mapping, guard, PROT_NONE);
  fiber->stack_bottom = fiber->mapping + guard;
  fiber->stack_bytes = bytes;
  fiber->tsan_fiber = tsan::create_fiber();
#if CUDA_ON_HOST_ASSEMBLY
  // Stacks start at different offsets: if all frames lay on the same few lines of the cache, they'd evict each other.
  void** top = reinterpret_cast<void**>(fiber->mapping + fiber->mapped_bytes - all_.size() % 61 * 64);
  *--top = nullptr; // where entry_ would return to
  *--top = reinterpret_cast<void*>(entry_);
  for (int saved_register = 0; saved_register < 6; ++saved_register) *--top = nullptr;
  fiber->stack_pointer = top;
#else
  getcontext(&fiber->registers);
  fiber->registers.uc_stack.ss_sp = fiber->mapping + guard;
  fiber->registers.uc_stack.ss_size = bytes;
  fiber->registers.uc_link = nullptr;
  makecontext(&fiber->registers, entry_, 0);
#endif
  return fiber;
}

void Fibers::reserve(std::size_t threads) {
  if (!tsan::on) return;
  // TSan tells accesses apart by fiber, and orders by fiber: a block on the last one's fibers would be ordered behind
  // it, and races between blocks stay unseen. So a block never gets the last one's, and later ones get any.
  pool_ = (pool_ + 1 + next_random(random_) % (pools - 1)) % pools;
  while (of_pool_[pool_].size() < threads) {
    all_.push_back(make());
    of_pool_[pool_].push_back(all_.back().get());
  }
  free_ = of_pool_[pool_];
}

Fiber* Fibers::take() {
  if (free_.empty()) {
    all_.push_back(make());
    return all_.back().get();
  }
  Fiber* fiber = free_.back();
  free_.pop_back();
  return fiber;
}

void Fibers::this_is_main() {
  main_.tsan_fiber = tsan::current_fiber();
  current_ = &main_;
}

void Fibers::switch_to(Context& to) {
  Context* from = current_;
  previous_ = from;
  current_ = &to;
  ++switches_;
  tsan::switch_to(to.tsan_fiber);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from->asan_fake_stack, to.stack_bottom, to.stack_bytes);
#endif
#if CUDA_ON_HOST_ASSEMBLY
  cuda_on_host_switch(&from->stack_pointer, to.stack_pointer);
#else
  swapcontext(&from->registers, &to.registers);
#endif
  landed();
}

void Fibers::landed() {
#if defined(__SANITIZE_ADDRESS__)
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(current_->asan_fake_stack, &bottom, &bytes);
  if (previous_ == &main_) main_.stack_bottom = bottom, main_.stack_bytes = bytes; // nobody else knows them
#endif
}

} // namespace cuda_on_host
