#pragma once

#include "cuda_on_host/collectives.hpp"
#include "cuda_on_host/configuration.hpp"
#include "tests/cuda_on_host/runtime/block/async_copies.hpp"
#include "tests/cuda_on_host/runtime/block/fiber.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cuda_on_host {

/// The threads of a block that can run, in the order in which they became ready. No vector: its code could be shared
/// with translation units that TSan instruments, and TSan would report what fibers do to it.
class ReadyQueue {
public:
  /// Empty, with room for that many.
  void reset(unsigned capacity) {
    if (capacity > capacity_) threads_.reset(new unsigned[capacity_ = capacity]);
    first_ = count_ = 0;
  }
  bool empty() const { return count_ == 0; }
  void push(unsigned thread) { at(count_++) = thread; }

  /// Takes the next one out. Not to be called when empty.
  unsigned pop(Order order, std::uint64_t& random) {
    if (order == Order::random) {
      unsigned &last = at(count_ - 1), &any = at(static_cast<unsigned>(next_random(random) % count_));
      const unsigned taken = any;
      any = last;
      --count_;
      return taken;
    }
    if (order == Order::warps) return pop_of_first_warp();
    --count_;
    if (order == Order::reverse) return at(count_);
    const unsigned taken = at(0);
    first_ = first_ + 1 == capacity_ ? 0 : first_ + 1;
    return taken;
  }

private:
  /// The first that became ready of the lowest warp.
  unsigned pop_of_first_warp() {
    unsigned best = 0;
    for (unsigned i = 1; i < count_; ++i)
      if (at(i) / 32 < at(best) / 32) best = i;
    const unsigned taken = at(best);
    for (unsigned i = best + 1; i < count_; ++i) at(i - 1) = at(i);
    --count_;
    return taken;
  }
  unsigned& at(unsigned place) {
    const unsigned i = first_ + place;
    return threads_.get()[i < capacity_ ? i : i - capacity_];
  }

  std::unique_ptr<unsigned[]> threads_;
  unsigned capacity_ = 0, first_ = 0, count_ = 0;
};

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
  /// Whether the address lies in shared memory at all.
  bool owns(const void* address) const;
  /// Whether all these bytes are in one variable, or in the dynamic part.
  bool covers(const void* address, std::size_t bytes) const;
  std::size_t static_bytes() const { return static_bytes_; }

private:
  struct Variable {
    const void* key;
    std::size_t offset, bytes;
  };
  static constexpr std::size_t capacity = std::size_t{512} << 10, red_zone = 32;
  static constexpr int most_variables = 64;

  char* memory_;
  std::size_t used_ = 0, static_bytes_ = 0, dynamic_bytes_ = 0;
  int variables_ = 0;
  Variable variable_[most_variables];
};

enum class Status : std::uint8_t { not_started, ready, at_barrier, at_collective, at_phase, ended };

/// All of a CUDA thread.
struct ThreadState : Thread {
  Status status = Status::not_started;
  unsigned warp = 0;
  Fiber* fiber = nullptr;
  Place place{};            ///< where it waits
  int barrier_result = 0;   ///< what the last barrier gave
  int source_lane = 0;      ///< whose value a shuffle asks for
  LaneValue brought, taken; ///< to and from the last collective
  unsigned phases = 0;      ///< number of the barrier whose phase it waits for
  unsigned copy_groups = 0; ///< of words, that it has made
  void *asked_token = nullptr, *arrived_token = nullptr; ///< what TSan orders its copies by
};

/// Lanes that have come together, or still wait for others, at one collective.
struct Meeting {
  Operation operation;
  unsigned mask, arrived;
  Place place;
  void* token; ///< what TSan orders memory by; of this meeting alone
};

struct Warp {
  unsigned present = 0, ended = 0; ///< lanes
  int meetings = 0;
  Meeting meeting[32];
};

/// What every block of a launch has in common.
struct GridJob {
  const char* name;
  dim3 grid, block;
  std::size_t dynamic_bytes, shared_limit; ///< dynamic shared memory; static and dynamic together may have
  const std::function<void()>* body;       ///< what each thread calls
};

/// Runs blocks, one after the other, on the calling operating-system thread: every CUDA thread is a fiber, and runs
/// until it must wait for others. Its functions are entered by the fibers of a running block.
class BlockRunner {
public:
  explicit BlockRunner(std::uint64_t seed);

  /// Runs the block of that number (x fastest); false if it was stopped by an error.
  bool run(const GridJob& job, std::uint64_t block);
  /// Orders all that the blocks did before what the caller does next.
  void finish();
  /// What stopped the block.
  const std::string& error() const { return error_; }
  void seed(std::uint64_t value) { random_ = value; }
  Statistics take_statistics();

  int barrier(Barrier, bool predicate, Place);
  LaneValue collective(Operation, unsigned mask, LaneValue, int lane, Place);
  void* static_shared(const void* key, std::size_t bytes, std::size_t alignment, const char* name);
  void* dynamic_shared(std::size_t alignment, const char* name);
  void maybe_yield(int one_in);
  void begin_phases(const PhaseBarrier*, unsigned arrivals, Place);
  void fence_begun();
  void change_phase(const PhaseBarrier*, unsigned arrivals, unsigned bytes, Place);
  void await_phase(const PhaseBarrier*, unsigned parity, Place);
  void ask_for_copy(void* to, const void* from, unsigned bytes, const PhaseBarrier*, Place);
  void commit_copies();
  void await_copies(unsigned pending);
  [[noreturn]] void fail(const char* what, Place);

private:
  static void fiber_entry();
  void begin(const GridJob& job, std::uint64_t block);
  void run_thread(ThreadState& thread);
  ThreadState* pick();
  void wake(ThreadState& thread);
  void enter(ThreadState* thread);
  /// Lets others run until this thread is woken.
  void wait() { enter(pick()); }
  [[noreturn]] void stop();
  void* new_token() { return &tokens_[next_token_++ % token_count * 8]; }

  void release_barrier_if_complete();
  void refuse_ended_threads(const ThreadState& thread, Place place);
  Meeting& meet(Warp& warp, const ThreadState& thread, Operation, unsigned mask, Place);
  void complete_if_all_are_there(Warp& warp, unsigned warp_number, int meeting);
  void exchange(const Meeting& meeting, ThreadState* lanes);

  /// The number of a barrier that has begun.
  unsigned find_phases(const PhaseBarrier*, Place);
  void end_phase_if_complete(unsigned number);
  bool accepts(const Copy&);
  void deliver(unsigned place);
  void maybe_deliver();
  bool deliver_bulk(Order);
  template <class Body> void as_copier(Body&&);
  void drop_copier();

  std::string name_of(const ThreadState& thread) const;
  std::string name_of(const Phases& phases) const;
  std::string deadlock() const;
  std::string left_undone();

  static constexpr unsigned token_count = 4096;

  const GridJob* job_ = nullptr;
  BlockPosition position_{};
  std::unique_ptr<ThreadState[]> threads_;
  std::unique_ptr<Warp[]> warps_;
  unsigned thread_count_ = 0, capacity_ = 0, ended_ = 0;
  ReadyQueue ready_;
  Fibers fibers_;
  SharedArena shared_;
  std::uint64_t random_;
  std::string error_;
  Statistics counted_;

  // The barrier that some of the block's threads wait at.
  unsigned at_barrier_ = 0;
  int barrier_sum_ = 0;
  Barrier barrier_kind_ = Barrier::plain;
  Place barrier_place_{};
  void* barrier_token_ = nullptr;

  Row<Phases> phases_;
  Row<Copy> copies_; ///< on their way, as they were asked for
  unsigned copy_pace_ = 1; ///< in random order one in so many switches lets a copy arrive
  void* copier_ = nullptr; ///< TSan's fiber that copies

  // TSan orders memory by tokens. Each barrier and each meeting has its own: with one for all, a thread that passes a
  // barrier would also be ordered behind those that have already reached the next.
  std::unique_ptr<char[]> tokens_{new char[token_count * 8]};
  unsigned next_token_ = 0;
  void* start_token_ = nullptr;
  char end_token_ = 0;
};

/// The runner whose block runs on this operating-system thread.
extern constinit thread_local BlockRunner* current_runner;
/// The same; throws Error where the host calls device code.
BlockRunner& running_block();

/// Runs all blocks of a launch, on as many operating-system threads as the configuration says. Throws Error.
void run_grid(const GridJob& job);

/// file:line of the place, without the file's folders.
std::string text(Place place);
std::string text(uint3 index);

} // namespace cuda_on_host
