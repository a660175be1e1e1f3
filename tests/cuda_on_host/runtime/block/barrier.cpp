#include "tests/cuda_on_host/runtime/block/block.hpp"

#include "tests/cuda_on_host/runtime/sanitizers.hpp"

#include <cstring>

namespace cuda_on_host {

static bool same(Place a, Place b) {
  return a.line() == b.line() && a.column() == b.column() && std::strcmp(a.file_name(), b.file_name()) == 0;
}

void BlockRunner::refuse_ended_threads(const ThreadState& thread, Place place) {
  if (!ended_ || !configuration().strict_exit) return;
  error_ = "barrier " + text(place) + " reached by " + name_of(thread) + " after " + std::to_string(ended_) +
      " threads of the block have ended";
  stop();
}

int BlockRunner::barrier(Barrier kind, bool predicate, Place place) {
  ThreadState& thread = threads_[current_thread->number];
  ++counted_.barriers;
  if (at_barrier_ && (barrier_kind_ != kind || !same(barrier_place_, place))) {
    error_ =
        "divergent barrier: " + name_of(thread) + " is at " + text(place) + ", others wait at " + text(barrier_place_);
    stop();
  }
  refuse_ended_threads(thread, place);
  if (!at_barrier_) {
    barrier_sum_ = 0;
    barrier_place_ = place;
    barrier_kind_ = kind;
    barrier_token_ = new_token();
  }
  void* token = barrier_token_;
  tsan::release(token);
  barrier_sum_ += predicate;
  ++at_barrier_;
  thread.status = Status::at_barrier;
  thread.place = place;
  release_barrier_if_complete();
  wait();
  tsan::acquire(token);
  switch (kind) {
  case Barrier::all: return thread.barrier_result == static_cast<int>(thread_count_ - ended_);
  case Barrier::any: return thread.barrier_result != 0;
  default: return thread.barrier_result;
  }
}

void BlockRunner::release_barrier_if_complete() {
  if (!at_barrier_ || at_barrier_ + ended_ < thread_count_) return;
  at_barrier_ = 0;
  for (unsigned i = 0; i < thread_count_; ++i) {
    if (threads_[i].status != Status::at_barrier) continue;
    threads_[i].barrier_result = barrier_sum_;
    wake(threads_[i]);
  }
}

} // namespace cuda_on_host
