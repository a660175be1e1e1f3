#include "tests/cuda_on_host/runtime/block/block.hpp"

#include "tests/cuda_on_host/runtime/sanitizers.hpp"

#include <algorithm>
#include <map>

namespace cuda_on_host {

constinit thread_local Thread* current_thread = nullptr;
constinit thread_local BlockRunner* current_runner = nullptr;

BlockRunner::BlockRunner(std::uint64_t seed) : fibers_(&fiber_entry, seed), random_(seed) {}

void BlockRunner::begin(const GridJob& job, std::uint64_t block) {
  job_ = &job;
  const dim3 grid = job.grid, extent = job.block;
  position_ = {
      {unsigned(block % grid.x), unsigned(block / grid.x % grid.y), unsigned(block / grid.x / grid.y)}, extent, grid};
  thread_count_ = extent.x * extent.y * extent.z;
  if (thread_count_ > capacity_) {
    capacity_ = thread_count_;
    threads_.reset(new ThreadState[capacity_]);
    warps_.reset(new Warp[(capacity_ + 31) / 32]);
  }
  ready_.reset(thread_count_);
  for (unsigned i = 0; i < thread_count_; ++i) {
    ThreadState& thread = threads_[i];
    thread = {};
    thread.index = {i % extent.x, i / extent.x % extent.y, i / extent.x / extent.y};
    thread.number = i, thread.warp = i / 32, thread.lane = i % 32;
    thread.block = &position_;
    ready_.push(i);
  }
  for (unsigned w = 0; 32 * w < thread_count_; ++w) {
    const unsigned lanes = std::min(32u, thread_count_ - 32 * w);
    warps_[w].present = lanes == 32 ? ~0u : (1u << lanes) - 1;
    warps_[w].ended = 0;
    warps_[w].meetings = 0;
  }
  ended_ = at_barrier_ = 0;
  phases_.clear();
  copies_.clear();
  error_.clear();
  fibers_.reserve(thread_count_);
  shared_.begin(job.dynamic_bytes);
}

bool BlockRunner::run(const GridJob& job, std::uint64_t block) {
  begin(job, block);
  start_token_ = new_token();
  tsan::release(start_token_);
  current_runner = this;
  fibers_.this_is_main();
  enter(pick());
  current_thread = nullptr;
  current_runner = nullptr;
  counted_.threads += thread_count_;
  ++counted_.blocks;
  if (error_.empty() && ended_ != thread_count_) error_ = deadlock();
  if (error_.empty()) error_ = left_undone();
  drop_copier();
  if (error_.empty()) return true;
  fibers_.release_all(&end_token_);
  finish();
  fibers_.drop_all(); // some wait for what never comes
  return false;
}

void BlockRunner::finish() { tsan::acquire(&end_token_); }

Statistics BlockRunner::take_statistics() {
  Statistics taken = counted_;
  taken.switches = fibers_.switches() - counted_.switches;
  counted_ = {};
  counted_.switches = fibers_.switches();
  return taken;
}

/// What every fiber does all its life: a thread that ends hands it on to the next one. Not so under TSan, which would
/// take the two for one.
void BlockRunner::fiber_entry() {
  BlockRunner& runner = *current_runner;
  runner.fibers_.landed();
  for (;;) {
    Fiber* fiber = runner.fibers_.current();
    runner.run_thread(*fiber->thread);
    if (!tsan::on) runner.fibers_.give_back(fiber);
    runner.enter(runner.pick()); // comes back at once where the next thread starts on this very fiber
  }
}

void BlockRunner::run_thread(ThreadState& thread) {
  thread.status = Status::ready;
  tsan::acquire(start_token_);
  try {
    (*job_->body)();
  } catch (const std::exception& thrown) {
    error_ = name_of(thread) + " threw " + thrown.what();
  } catch (...) {
    error_ = name_of(thread) + " threw an exception";
  }
  // Nothing may switch fibers within a catch clause: what is being caught belongs to the operating-system thread.
  if (!error_.empty()) stop();
  tsan::release(&end_token_);
  thread.status = Status::ended;
  ++ended_;
  if (at_barrier_ && configuration().strict_exit) {
    error_ = name_of(thread) + " ended while others wait for it at the barrier " + text(barrier_place_);
    stop();
  }
  release_barrier_if_complete();
  Warp& warp = warps_[thread.warp];
  warp.ended |= 1u << thread.lane;
  for (int i = warp.meetings; i-- > 0;) complete_if_all_are_there(warp, thread.warp, i);
}

ThreadState* BlockRunner::pick() {
  const Order order = configuration().order;
  if (order == Order::random) maybe_deliver();
  while (ready_.empty() && ended_ < thread_count_ && deliver_bulk(order)) {}
  return ready_.empty() ? nullptr : &threads_[ready_.pop(order, random_)];
}

void BlockRunner::wake(ThreadState& thread) {
  thread.status = Status::ready;
  ready_.push(thread.number);
}

/// Lets that thread run next; without one the block has ended or is stuck.
void BlockRunner::enter(ThreadState* thread) {
  current_thread = thread;
  if (!thread) {
    fibers_.enter_main();
    return;
  }
  if (thread->status == Status::not_started) {
    thread->fiber = fibers_.take();
    thread->fiber->thread = thread;
  }
  if (thread->fiber != fibers_.current()) fibers_.switch_to(*thread->fiber);
}

void BlockRunner::maybe_yield(int one_in) {
  if (next_random(random_) % static_cast<unsigned>(one_in)) return;
  wake(threads_[current_thread->number]);
  wait();
}

/// Ends the block: nobody comes back to this fiber.
void BlockRunner::stop() {
  tsan::release(&end_token_);
  current_thread = nullptr;
  fibers_.enter_main();
  __builtin_unreachable();
}

void BlockRunner::fail(const char* what, Place place) {
  error_ = name_of(threads_[current_thread->number]) + ": " + what + " at " + text(place);
  stop();
}

std::string BlockRunner::name_of(const ThreadState& thread) const {
  return "block " + text(position_.index) + " thread " + text(thread.index) + " [warp " + std::to_string(thread.warp) +
      " lane " + std::to_string(thread.lane) + "]";
}

std::string BlockRunner::deadlock() const {
  std::map<std::string, int> waiting;
  for (unsigned i = 0; i < thread_count_; ++i) {
    const ThreadState& thread = threads_[i];
    if (thread.status == Status::ended) ++waiting["have ended"];
    if (thread.status == Status::at_barrier) ++waiting["wait at the barrier " + text(thread.place)];
    if (thread.status == Status::at_collective) ++waiting["wait at the warp collective " + text(thread.place)];
    if (thread.status == Status::at_phase)
      ++waiting["wait at " + text(thread.place) + " for " + name_of(phases_[thread.phases])];
  }
  std::string said = "deadlock in block " + text(position_.index) + ":";
  for (const auto& [where, count] : waiting) said += " " + std::to_string(count) + " threads " + where + ";";
  said.pop_back();
  return said;
}

std::string text(Place place) {
  const std::string file = place.file_name();
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(place.line());
}

std::string text(uint3 index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) + ")";
}

} // namespace cuda_on_host
